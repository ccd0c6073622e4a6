"""Payment files and disbursements of acquirers in the three columns of a day."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
import time_machine

from payments.collect.models import Charge
from payments.core import clock
from payments.payment_files.models import BatchLine, PaymentBatch
from payments.payment_files.services import reports as payment_reports
from payments.payout.services import bank_codes
from payments.rails.models import ProviderAccount
from payments.reconciliation.models import DayStatus, Disbursement, Flow, ProviderTariff
from payments.reconciliation.services.disbursements import imports
from tests.payment_files.flow import handed_over, pay
from tests.rails.accounts import enter, route
from tests.reconciliation.day_shop import (
    MONDAY,
    TUESDAY,
    WEDNESDAY,
    bring,
    differences,
    ends,
    report,
)
from tests.reconciliation.lines import CREDENTIALS, own_account
from tests.reconciliation.own_csv import Row
from tests.reconciliation.shopping import at
from tests.reconciliation.wompi_files import Sale, data, sale
from tests.support.charges import create, start
from tests.support.funds import fund

pytestmark = pytest.mark.django_db
LATER = at(date(2026, 11, 20))


@pytest.fixture(autouse=True)
def _then(db):
    own_account()
    with time_machine.travel(LATER, tick=False):
        yield


@pytest.fixture
def line(api, merchant) -> BatchLine:
    """A payout in a file that the bank got on Tuesday."""
    enter("pays", "pabfile", "", CREDENTIALS)
    bank_codes.load_codes(account="pays", actor="olga")
    route("payout", "pays")
    fund(merchant, 10_000_000)
    with time_machine.travel(at(TUESDAY), tick=False):
        _payout, line = pay(api)
        PaymentBatch.objects.update(pay_on=TUESDAY)
        return handed_over(line)


def tell_payments() -> None:
    """What the bank did with the lines is told to their payments."""
    payment_reports.report_lines(now=clock.now() + timedelta(seconds=1))


def debit_of(line: BatchLine, day: int = 10, amount: str = "-100000") -> Row:
    return Row(day=day, amount=amount, text="PAGO A PROVEEDOR", reference=line.code)


def test_a_payout_that_the_bank_debits_is_the_same_in_the_three_columns(line):
    bring(debit_of(line), opening="500000")
    tell_payments()
    found = report(TUESDAY)
    assert found.differences == []
    assert tuple(found.flows[Flow.PAYOUTS].columns) == (-100000, -100000, -100000)
    assert tuple(found.closing) == (400000, 400000, 400000)


def test_a_payout_that_the_bank_does_not_debit_is_missing_there_and_then_late(line):
    bring(Row(day=10, amount="-4000", text="CUOTA DE MANEJO"), opening="500000")
    with time_machine.travel(at(WEDNESDAY), tick=False):
        assert differences(TUESDAY) == [("MISSING_THERE", "not_debited", False)]
    assert differences(TUESDAY) == [("LATE", "not_debited", True)]
    assert ends(TUESDAY) == (496000, 396000, 496000)


def test_a_debit_that_our_payment_does_not_know_yet_is_missing_here(line):
    bring(debit_of(line), opening="500000")
    assert differences(TUESDAY) == [("MISSING_HERE", "payment_not_booked", True)]
    tell_payments()
    assert differences(TUESDAY) == []


def test_a_second_debit_with_the_same_code_is_duplicated(line):
    bring(debit_of(line), debit_of(line, day=11), opening="500000")
    tell_payments()
    assert differences(TUESDAY) == []
    assert differences(WEDNESDAY) == [("DUPLICATED", "finding_second_debit", True)]
    assert ends(WEDNESDAY) == (400000, 400000, 300000)


def test_a_debit_of_another_amount_differs(line):
    bring(debit_of(line, amount="-100001"), opening="500000")
    kinds = {kind for kind, _cause, _overdue in differences(TUESDAY)}
    assert "AMOUNT_DIFFERS" in kinds


def test_a_returned_payout_comes_back_in_the_three_columns(line):
    bring(debit_of(line), opening="500000")
    tell_payments()
    back = Row(day=11, amount="100000", text="DEVOLUCION", reference=line.code)
    bring(back, opening="400000")
    tell_payments()
    assert ends(TUESDAY) == (400000, 400000, 400000)
    found = report(WEDNESDAY)
    assert found.differences == []
    assert tuple(found.closing) == (500000, 500000, 500000)


@pytest.fixture
def acquirer() -> ProviderAccount:
    return ProviderAccount.objects.create(
        slug="wompi-main",
        provider="wompi",
        label="Wompi",
        mode="SANDBOX",
        credentials="{}",
        created_at=clock.now(),
    )


def charge_at(api, day: date, number: int, amount: int = 50_000) -> Charge:
    with time_machine.travel(at(day)):
        charge = start(create(api, amount=amount))
    Charge.objects.filter(pk=charge.pk).update(
        provider="wompi-main",
        provider_id=sale(number).transaction_id,
        received=Decimal(amount),
    )
    return charge


def sold(number: int, gross: str = "50000") -> Sale:
    return sale(number, gross, paid_on=MONDAY, day=TUESDAY)


def take(*sales: Sale, name: str = "d.csv") -> Disbursement:
    upload = imports.SettlementUpload(account="wompi-main", name=name, data=data(*sales))
    taken = imports.import_settlement(upload=upload, actor="olga", now=clock.now())
    return taken.file.disbursements.get()


def arrived(disbursement: Disbursement, day: int = 10) -> None:
    bring(Row(day=day, amount=f"{disbursement.net:.2f}", text="WOMPI DESEMBOLSO"), opening="0")


def test_a_disbursement_of_known_payments_ends_equal(api, acquirer):
    charge_at(api, MONDAY, 1)
    net = sold(1).net
    arrived(take(sold(1)))
    assert ends(TUESDAY) == (net, net, net)
    assert differences(TUESDAY) == []


def test_a_payment_of_the_file_that_is_not_ours_is_missing_here(api, acquirer):
    charge_at(api, MONDAY, 1)
    arrived(take(sold(1), sold(2, "20000")))
    assert differences(TUESDAY) == [("MISSING_HERE", "payment_unknown", True)]
    books, provider, bank = ends(TUESDAY)
    assert (provider - books, provider - bank) == (20000, 0)


def test_a_payment_with_a_smaller_amount_here_differs(api, acquirer):
    charge_at(api, MONDAY, 1, amount=49_000)
    arrived(take(sold(1)))
    assert differences(TUESDAY) == [("AMOUNT_DIFFERS", "payment_smaller_here", True)]


def test_a_disbursement_that_does_not_arrive_is_missing_there_and_then_late(api, acquirer):
    charge_at(api, MONDAY, 1)
    take(sold(1))
    bring(Row(day=10, amount="-4000", text="CUOTA DE MANEJO"), opening="5000")
    with time_machine.travel(at(WEDNESDAY), tick=False):
        assert differences(TUESDAY) == [("MISSING_THERE", "not_arrived", False)]
    assert differences(TUESDAY) == [("LATE", "not_arrived", True)]
    assert differences(TUESDAY, "wompi-main") == [("LATE", "not_arrived", True)]


def test_a_disbursement_that_arrives_twice_is_duplicated(api, acquirer):
    charge_at(api, MONDAY, 1)
    disbursement = take(sold(1))
    net = f"{disbursement.net:.2f}"
    bring(Row(day=10, amount=net, text="WOMPI"), Row(day=11, amount=net, text="WOMPI"))
    assert differences(TUESDAY) == []
    assert differences(WEDNESDAY) == [("DUPLICATED", "perhaps_twice", True)]


def test_the_acquirer_owes_what_was_paid_until_it_is_disbursed(api, acquirer):
    charge_at(api, MONDAY, 1)
    disbursement = take(sold(1))
    assert tuple(report(MONDAY, "wompi-main").closing) == (disbursement.net,) * 3
    arrived(disbursement)
    found = report(TUESDAY, "wompi-main")
    assert tuple(found.opening) == (disbursement.net,) * 3
    assert tuple(found.closing) == (0, 0, 0)
    assert found.status == DayStatus.GREEN


def test_a_payment_that_no_file_has_is_missing_there(api, acquirer):
    charge_at(api, MONDAY, 1)
    charge_at(api, MONDAY, 2)
    take(sold(1))
    with time_machine.travel(at(TUESDAY), tick=False):
        assert differences(MONDAY, "wompi-main") == [("MISSING_THERE", "not_in_file", False)]
    assert differences(MONDAY, "wompi-main") == [("LATE", "not_in_file", True)]


def test_a_deduction_beyond_the_tariff_is_named_without_changing_a_column(api, acquirer):
    ProviderTariff.objects.create(
        account=acquirer,
        rate=Decimal("0.02"),
        fixed=Decimal(400),
        vat_rate=Decimal("0.19"),
        income_tax_rate=Decimal("0.015"),
        first_day=date(2026, 1, 1),
        created_at=clock.now(),
    )
    charge_at(api, MONDAY, 1)
    take(sold(1))
    found = report(MONDAY, "wompi-main")
    assert [one.cause for one in found.differences] == ["tariff", "tariff"]
    assert found.closing.are_equal
