"""Fees by day, method and merchant: their sums are the ledger's fees accounts."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db.models import Sum

from merchants.models import Merchant
from payments.ledger import recipes, services
from payments.ledger.models import FeeDay
from payments.ledger.services import day_totals, system_balances
from payments.settlement.models import TaxKind, TaxRule
from tests.ledger.books import tamper, verify_ledger
from tests.support.settlement_days import MONDAY, TUESDAY, Till, at

pytestmark = pytest.mark.django_db


@pytest.fixture
def tills(merchant: Merchant, stranger: Merchant) -> tuple[Till, Till]:
    """Two merchants with orders, payouts (one came back), a refund and a taxed day."""
    TaxRule.objects.create(
        kind=TaxKind.INCLUDED,
        name="IVA 19%",
        rate=Decimal("0.19"),
        valid_from=MONDAY - timedelta(1),
        created_at=at(MONDAY),
    )
    ours, theirs = Till(merchant), Till(stranger)
    for till in (ours, theirs):
        recipes.sandbox_credited(
            merchant_id=till.merchant.pk,
            currency="COPM",
            amount=Decimal(500_000),
            reference="funds",
            now=at(MONDAY),
        )
    ours.collect(at(MONDAY))
    ours.collect(at(MONDAY), fee="75", rail="BANK_TRANSFER")
    ours.collect(at(MONDAY), base="1000.5", fee="0.50025", currency="USDT", rail="CRYPTO")
    theirs.collect(at(TUESDAY), fee="30")
    out = ours.reserve(at(MONDAY), fee=Decimal(2500))
    back = ours.reserve(at(MONDAY), amount="900", fee=Decimal(1000))
    ours.complete(back, at(MONDAY))
    ours.complete(out, at(TUESDAY))
    recipes.outgoing_returned(back, from_completed=True, now=at(TUESDAY))
    ours.refund(at(TUESDAY), "1500")
    ours.close(MONDAY)
    return ours, theirs


def found() -> dict[tuple[str, ...], Decimal]:
    rows = FeeDay.objects.values_list("day", "kind", "method", "merchant", "currency", "amount")
    names = {MONDAY: "monday", TUESDAY: "tuesday"}
    return {(names.get(day, "closing"), *map(str, rest[:-1])): rest[-1] for day, *rest in rows}


def test_fees_are_kept_by_day_kind_method_and_merchant(tills: tuple[Till, Till]) -> None:
    day_totals.add_postings()
    ours, theirs = (till.merchant.pk for till in tills)
    rows = found()
    taxes = {key: rows.pop(key) for key in list(rows) if key[1] == "settlement_taxed"}
    assert rows == {
        ("monday", "collect_settled", "PSE", ours, "COPM"): 25,
        ("monday", "collect_settled", "BANK_TRANSFER", ours, "COPM"): 75,
        ("monday", "collect_settled", "CRYPTO", ours, "USDT"): Decimal("0.50025"),
        ("monday", "payout_completed", "BREB", ours, "COPM"): 1000,
        ("tuesday", "payout_completed", "BREB", ours, "COPM"): 2500,
        ("tuesday", "payout_returned", "BREB", ours, "COPM"): -1000,
        ("tuesday", "collect_settled", "PSE", theirs, "COPM"): 30,
    }
    assert {key[3] for key in taxes} == {ours}
    assert all(amount < 0 for amount in taxes.values())
    assert taxes


def test_their_sums_are_the_fees_accounts(tills: tuple[Till, Till], capsys: Any) -> None:
    day_totals.add_postings()
    sums = FeeDay.objects.values("currency").annotate(fees=Sum("amount")).order_by("currency")
    assert [(row["currency"], row["fees"]) for row in sums] == [
        (currency, system_balances.balance(services.fees(currency)))
        for currency in ("COPM", "USDT")
    ]
    assert verify_ledger(capsys)[0] == 0


def test_every_run_adds_only_what_is_new(tills: tuple[Till, Till]) -> None:
    day_totals.add_postings()
    before = found()
    day_totals.add_postings()
    assert found() == before
    tills[1].collect(at(TUESDAY), fee="7")
    day_totals.add_postings()
    theirs = ("tuesday", "collect_settled", "PSE", tills[1].merchant.pk, "COPM")
    assert found() == before | {theirs: Decimal(37)}


def test_a_changed_sum_is_named(tills: tuple[Till, Till], capsys: Any) -> None:
    day_totals.add_postings()
    tamper("UPDATE ledger_feeday SET amount = amount + 1 WHERE kind = 'payout_returned'")
    status, said = verify_ledger(capsys)
    assert status == 1
    (problem,) = said["problems"]
    assert (problem["problem"], problem["account"]) == ("fees_are_wrong", "fees:COPM")
