"""Refunds of rails that return nothing by themselves go out in the payment file."""

import pytest

from payments.collect.models import Charge, Refund
from payments.collect.services.charges import charge_updates
from payments.collect.services.refunds.refund_engine import engine
from payments.core import clock
from payments.ledger import services as ledger
from payments.payment_files.models import BatchLine
from payments.providers import registry
from payments.providers.ports import Known
from tests.collect.test_pages.conftest import PERSON, Payer
from tests.payment_files.flow import ACCOUNT, agree, codes_of, debit, declare, hand_over, report
from tests.rails.accounts import route, wompi
from tests.rails.http_calls import wait_until
from tests.rails.terms import accepted
from tests.rails.test_refunds_by_payout import approve_it, ask, give, path_of
from tests.support.charges import create

pytestmark = pytest.mark.django_db


@pytest.fixture
def order(api, account):
    """Paid by PSE, which returns nothing."""
    with wompi():
        route("payin", "wompi-main")
        order = create(api, amount=50000)
        payer = Payer(order)
        payer.choose("/pse", accepted(payer, "/pse", {**PERSON, "bank": "1"}))
        charge = Charge.objects.get()

        def completed():
            update = registry.PAYIN.get("wompi-main").query(Known(reference=charge.pk))
            charge_updates.apply_charge_update(
                provider="wompi-main", update=update, now=clock.now()
            )
            order.refresh_from_db()
            return order.status == "COMPLETED"

        wait_until(completed)
        yield order


@pytest.fixture
def line(api, order):
    """Of a refund that the payer and an operator have brought on its way."""
    answer = give(order, path_of(ask(api, order)), bank_code="000001007")
    assert answer.status_code == 303
    approve_it()
    engine.process_due(now=clock.now())
    return BatchLine.objects.get()


def test_payer_gets_the_money_by_the_file(line):
    refund = Refund.objects.get()
    assert (refund.status, refund.provider) == ("PROCESSING", ACCOUNT)
    assert (line.payment_id, line.amount, line.document) == (refund.pk, 20000, "1020304050")
    assert codes_of(hand_over(line.batch).content) == [line.code]
    debit(line)
    report()
    refund.refresh_from_db()
    assert refund.status == "COMPLETED"


def test_refund_that_the_bank_did_not_pay_is_the_merchants_again(merchant, line):
    before = ledger.balances(merchant.pk)["COPM"]["available"]
    hand_over(line.batch)
    declare(line, "FAILED")
    agree(line)
    report()
    assert Refund.objects.get().status == "FAILED"
    assert ledger.balances(merchant.pk)["COPM"]["available"] == before + 20000
