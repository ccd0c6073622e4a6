"""What an imported settlement file changes: disbursements, fees of charges, the books."""

import io
import json
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from django.core.management import call_command

from payments.collect.models import Charge
from payments.core import clock
from payments.core.models import AuditEntry
from payments.ledger.models import Posting
from payments.providers.account import Mode
from payments.rails.models import ProviderAccount
from payments.reconciliation.models import (
    Disbursement,
    DisbursementRow,
    ProviderTariff,
    SettlementFile,
)
from payments.reconciliation.services.disbursements import arrivals, imports
from payments.reconciliation.services.disbursements.errors import (
    NoSettlementFiles,
    SettlementRefused,
)
from payments.reconciliation.services.disbursements.tariffs import Tariffs
from tests.reconciliation.wompi_files import DAY, Sale, data, sale
from tests.support.charges import books_are_clean, create, start
from tests.support.fixtures import ApiClient

FRIDAY = date(2026, 3, 6)
NOW = clock.now


@pytest.fixture
def account(db: None) -> ProviderAccount:
    return ProviderAccount.objects.create(
        slug="wompi-main",
        provider="wompi",
        label="Wompi",
        mode=Mode.SANDBOX,
        credentials="{}",
        created_at=NOW(),
    )


@pytest.fixture
def paid(api: ApiClient, account: ProviderAccount) -> Charge:
    """A charge of the account, as the rail knows it."""
    charge = start(create(api))
    Charge.objects.filter(pk=charge.pk).update(
        provider="wompi-main", provider_id=sale(1).transaction_id
    )
    return Charge.objects.get(pk=charge.pk)


def take(*sales: Sale, name: str = "desembolso.csv", account: str = "wompi-main", day=None):
    upload = imports.SettlementUpload(account=account, name=name, data=data(*sales), day=day)
    return imports.import_settlement(upload=upload, actor="olga", now=NOW())


def balances() -> dict[str, Decimal]:
    found: dict[str, Decimal] = {}
    for code, amount in Posting.objects.values_list("account__code", "amount"):
        found[code] = found.get(code, Decimal(0)) + amount
    return found


def test_a_file_announces_the_net_of_its_payments(account: ProviderAccount):
    take(sale(1), sale(2, "12345.67"))
    [disbursement] = Disbursement.objects.all()
    assert disbursement.status == "ANNOUNCED"
    assert disbursement.payments == 2
    assert disbursement.gross == Decimal("62345.67")
    assert disbursement.net == sale(1).net + sale(2, "12345.67").net
    assert disbursement.due_on == FRIDAY


def test_the_books_move_the_gross_to_costs_and_to_transit(account: ProviderAccount):
    take(sale(1))
    books = balances()
    assert books["clearing:wompi-main:COPM"] == 50000
    assert books["transit:wompi-main:COPM"] == -sale(1).net
    assert books["costs:provider_commission:COPM"] == -1575
    assert books["costs:vat:COPM"] == Decimal("-299.25")
    assert books["costs:income_withholding:COPM"] == -750
    assert books_are_clean()


def test_the_fee_of_a_charge_is_filled_from_the_file(paid: Charge):
    take(sale(1))
    paid.refresh_from_db()
    assert paid.provider_fee == 1575
    assert paid.provider_taxes == [
        {"name": "IVA", "amount": "299.25"},
        {"name": "retefuente", "amount": "750"},
    ]
    assert DisbursementRow.objects.get().charge_id == paid.pk


def test_a_payment_is_found_by_our_reference_too(paid: Charge):
    Charge.objects.filter(pk=paid.pk).update(provider_id="")
    take(sale(1, reference=paid.pk))
    assert DisbursementRow.objects.get().charge_id == paid.pk


def test_a_payment_that_is_not_ours_is_kept_without_a_charge(paid: Charge):
    take(sale(7, reference="another-shop"))
    assert DisbursementRow.objects.get().charge is None
    paid.refresh_from_db()
    assert paid.provider_fee is None


def test_the_same_file_twice_is_stored_once(account: ProviderAccount):
    first, second = take(sale(1)), take(sale(1), name="again.csv")
    assert (first.is_new, second.is_new) == (True, False)
    assert second.file == first.file
    assert Disbursement.objects.count() == 1
    assert balances()["clearing:wompi-main:COPM"] == 50000


def test_a_report_of_a_week_adds_only_the_days_that_are_new(account: ProviderAccount):
    take(sale(1))
    week = take(sale(1), sale(2, day=DAY + timedelta(days=1)), name="week.csv")
    assert week.file.new_payments == 1
    assert DisbursementRow.objects.count() == 2


CONTRADICTIONS = {
    "another amount": [sale(1, "50001")],
    "a payment less": [sale(2)],
    "a payment more": [sale(1), sale(2), sale(3)],
    "another day of the same payment": [sale(1, day=DAY - timedelta(days=1))],
}


@pytest.mark.parametrize("sales", CONTRADICTIONS.values(), ids=CONTRADICTIONS.keys())
def test_a_file_that_contradicts_an_earlier_one_changes_nothing(
    account: ProviderAccount, sales: list[Sale]
):
    take(sale(1), sale(2))
    before = balances()
    with pytest.raises(SettlementRefused) as caught:
        take(*sales, name="other.csv")
    assert "desembolso.csv" in caught.value.message
    assert balances() == before
    assert SettlementFile.objects.count() == 1
    row = AuditEntry.objects.get(action="settlement_file.refused")
    assert row.details["file"] == "other.csv"


def test_a_provider_without_known_files_takes_none(account: ProviderAccount):
    ProviderAccount.objects.filter(pk=account.pk).update(provider="wompi-payouts")
    for slug in ("wompi-main", "unknown"):
        with pytest.raises(NoSettlementFiles):
            take(sale(1), account=slug)


def test_the_command_fails_for_a_refused_file(account: ProviderAccount, tmp_path: Path):
    good, bad, out = tmp_path / "good.csv", tmp_path / "bad.csv", io.StringIO()
    good.write_bytes(data(sale(1)))
    bad.write_bytes(data(sale(2, changes={"net": Decimal(1)})))
    call_command("import_settlement", str(good), account="wompi-main", stdout=out)
    assert json.loads(out.getvalue())["newPayments"] == 1
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("import_settlement", str(bad), account="wompi-main", stdout=out)
    assert json.loads(out.getvalue())["line"] == 2


def find(amount: object, day: date = DAY) -> list[arrivals.Arrival]:
    return arrivals.find_arrivals(amount=Decimal(amount), booked_on=day)


def test_the_bank_line_of_a_disbursement_has_its_net(account: ProviderAccount):
    take(sale(1))
    [arrival] = find(sale(1).net)
    assert arrival.is_in_window
    assert arrival.target.code == "transit:wompi-main:COPM"
    assert find(sale(1).net - Decimal("0.01")) == []
    assert find(sale(1).net, DAY - timedelta(days=1)) == []


def test_after_three_business_days_a_line_fits_only_for_a_person(account: ProviderAccount):
    take(sale(1))
    assert find(sale(1).net, FRIDAY)[0].is_in_window
    assert not find(sale(1).net, FRIDAY + timedelta(days=3))[0].is_in_window


def test_a_weekend_that_arrives_as_one_sum_is_found_together(account: ProviderAccount):
    days = [FRIDAY, FRIDAY + timedelta(days=1), FRIDAY + timedelta(days=2)]
    upload = imports.SettlementUpload(
        account="wompi-main",
        name="weekend.csv",
        data=data(*(sale(number, f"{number}0000", day=day) for number, day in enumerate(days, 1))),
    )
    imports.import_settlement(upload=upload, actor="olga", now=NOW())
    total = sum(Disbursement.objects.values_list("net", flat=True))
    [arrival] = find(total, FRIDAY + timedelta(days=3))
    assert len(arrival.disbursements) == 3
    arrivals.arrive(
        arrival=arrival, booked_on=FRIDAY + timedelta(days=3), actor="matcher", now=NOW()
    )
    assert set(Disbursement.objects.values_list("status", flat=True)) == {"ARRIVED"}
    assert find(total, FRIDAY + timedelta(days=3)) == []
    arrivals.take_back(disbursement_id=arrival.subject_id, actor="olga", reason="wrong", now=NOW())
    assert set(Disbursement.objects.values_list("status", flat=True)) == {"ANNOUNCED"}


def test_two_equal_disbursements_are_two_candidates(account: ProviderAccount):
    take(sale(1), sale(2, day=DAY - timedelta(days=1)))
    assert [one.disbursements[0].day.day for one in find(sale(1).net)] == [2, 3]


def test_a_disbursement_without_a_bank_line_is_late_after_its_window(account: ProviderAccount):
    take(sale(1))
    assert arrivals.mark_late(today=FRIDAY, now=NOW()) == 0
    assert arrivals.mark_late(today=FRIDAY + timedelta(days=1), now=NOW()) == 1
    assert Disbursement.objects.get().status == "LATE"
    [arrival] = find(sale(1).net, FRIDAY)
    arrivals.arrive(arrival=arrival, booked_on=FRIDAY, actor="matcher", now=NOW())
    assert Disbursement.objects.get().arrived_on == FRIDAY


def tariff(account: ProviderAccount, **changes: object) -> None:
    values = {
        "rate": Decimal("0.0235"),
        "fixed": Decimal(400),
        "vat_rate": Decimal("0.19"),
        "income_tax_rate": Decimal("0.015"),
        "first_day": date(2026, 1, 1),
        "created_at": NOW(),
    }
    ProviderTariff.objects.create(account=account, **{**values, **changes})


def test_a_tariff_that_fits_the_file_has_no_difference(account: ProviderAccount):
    tariff(account)
    take(sale(1), sale(2, "51500.50"), sale(3, "99.99"))
    tariffs = Tariffs("wompi-main")
    assert [tariffs.differences(row) for row in DisbursementRow.objects.all()] == [[], [], []]


def test_a_commission_above_the_tariff_is_a_difference_and_the_file_counts(paid: Charge):
    tariff(ProviderAccount.objects.get(), fixed=Decimal(300))
    take(sale(1))
    [commission, vat] = Tariffs("wompi-main").differences(DisbursementRow.objects.get())
    assert (commission.name, commission.expected, commission.declared) == ("commission", 1475, 1575)
    assert vat.name == "vat"
    paid.refresh_from_db()
    assert paid.provider_fee == 1575


def test_the_newest_tariff_of_the_method_counts(account: ProviderAccount):
    tariff(account, rate=Decimal("0.5"))
    tariff(account, method="PSE", first_day=date(2026, 2, 1))
    tariff(account, method="PSE", rate=Decimal("0.9"), first_day=date(2026, 5, 1))
    tariffs = Tariffs("wompi-main")
    assert tariffs.find("PSE", DAY).rate == Decimal("0.0235")
    assert tariffs.find("NEQUI", DAY).rate == Decimal("0.5")
    assert tariffs.find("PSE", date(2025, 1, 1)) is None
