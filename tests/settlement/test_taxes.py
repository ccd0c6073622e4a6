"""Taxes on our fee: dated rules, what they make of a day, and what operators may do to them."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import DatabaseError, transaction

from merchants.models import Merchant
from payments.core.models import AuditEntry
from payments.ledger import services as ledger
from payments.ledger.models import Entry
from payments.settlement.models import Settlement, TaxKind, TaxRule
from payments.settlement.services import day_closing, taxes
from payments.settlement.services.taxes import RuleRefused
from tests.ledger.books import lines_of, total
from tests.support.settlement_days import MONDAY, ONE_DAY, TUESDAY, Till, at, night_after

pytestmark = pytest.mark.django_db
WHY = {"actor": "ana", "reason": "Decreto 1625"}


def rule(name: str, rate: str, first: date, **more: Any) -> TaxRule:
    """A rule that was made on its first day."""
    now = more.pop("now", at(first))
    values = {"kind": TaxKind.INCLUDED, **more}
    new = TaxRule(name=name, rate=Decimal(rate), valid_from=first, **values)
    return taxes.add_rule(new, now=now, **WHY)


def vat(rate: str = "0.19", first: date = MONDAY, **more: Any) -> TaxRule:
    """IVA, which is in our fee."""
    return rule("IVA", rate, first, **more)


def withholding(name: str = "Retefuente", rate: str = "0.11", **more: Any) -> TaxRule:
    """What the merchant keeps back; stated only."""
    values = {"first": MONDAY, "kind": TaxKind.WITHHELD, **more}
    return rule(name, rate, **values)


def lines(row: Settlement) -> list[tuple[str, Decimal, Decimal]]:
    """(name, base, amount) of the tax lines."""
    return list(row.tax_lines.order_by("id").values_list("name", "base", "amount"))


def test_included_tax_is_taken_out_of_our_fee_and_put_aside(till: Till, merchant: Merchant) -> None:
    vat()
    till.collect(at(MONDAY), base="238000", fee="119")
    row = till.close(MONDAY)
    assert (row.collected, row.fee, row.tax, row.net) == (238119, 100, 19, 238000)
    assert lines(row) == [("IVA", 100, 19)]
    entry = Entry.objects.get(kind="settlement_taxed")
    assert lines_of(entry) == [("fees:COPM", -19), ("taxes:COPM", 19)]
    assert (entry.subject_id, entry.created_at) == (row.pk, night_after(MONDAY))
    assert entry.memo == {"merchant": merchant.pk, "day": "2026-03-02"}
    assert (total("fees:COPM"), total("taxes:COPM")) == (100, 19)
    assert ledger.verify().problems == []


def test_without_rules_there_is_no_tax(till: Till) -> None:
    till.collect(at(MONDAY), fee="119")
    row = till.close(MONDAY)
    assert (row.fee, row.tax, lines(row)) == (119, 0, [])
    assert not Entry.objects.filter(kind="settlement_taxed").exists()


def test_a_day_without_fees_has_no_lines(till: Till) -> None:
    vat()
    withholding()
    till.collect(at(MONDAY), fee="0")
    assert lines(till.close(MONDAY)) == []


def test_the_tax_is_put_aside_once(till: Till) -> None:
    vat()
    till.collect(at(MONDAY), fee="119")
    for _ in range(3):
        till.close(MONDAY)
        day_closing.close_due(now=night_after(TUESDAY))
    assert total("taxes:COPM") == 19


def test_a_withholding_is_stated_and_moves_nothing(till: Till) -> None:
    vat()
    withholding()
    till.collect(at(MONDAY), fee="119")
    row = till.close(MONDAY)
    assert lines(row) == [("IVA", 100, 19), ("Retefuente", 100, 11)]
    assert (row.collected, row.fee, row.tax) == (50119, 100, 19)
    assert (total("fees:COPM"), total("taxes:COPM")) == (100, 19)


def test_a_rule_counts_on_its_days_both_included(till: Till) -> None:
    vat(first=TUESDAY, valid_to=TUESDAY + ONE_DAY)
    for number in range(5):
        till.collect(at(MONDAY + number * ONE_DAY), fee="119")
    day_closing.close_due(now=night_after(MONDAY + 9 * ONE_DAY))
    found = Settlement.objects.order_by("date").values_list("tax", flat=True)
    assert list(found) == [0, 19, 19, 0, 0]


def test_a_day_that_is_closed_late_has_the_rules_of_that_day(till: Till) -> None:
    vat("0.16", valid_to=MONDAY)
    vat("0.19", first=TUESDAY)
    till.collect(at(MONDAY), fee="116")
    till.collect(at(TUESDAY), fee="119")
    day_closing.close_due(now=night_after(TUESDAY + 60 * ONE_DAY))
    found = Settlement.objects.order_by("date").values_list("fee", "tax")
    assert list(found) == [(100, 16), (100, 19)]


def test_a_merchants_own_rule_takes_the_place_of_the_general_one(
    till: Till, merchant: Merchant, stranger: Merchant
) -> None:
    vat(merchant=merchant, rate="0")
    vat()
    withholding(merchant=stranger)
    till.collect(at(MONDAY), fee="119")
    Till(stranger).collect(at(MONDAY), fee="119")
    assert lines(till.close(MONDAY)) == []
    assert lines(Till(stranger).close(MONDAY)) == [("IVA", 100, 19), ("Retefuente", 100, 11)]


@pytest.mark.parametrize(
    ("fee", "currency", "rates", "amounts"),
    [
        ("25", "COPM", ["0.19"], ["4"]),  # 3.99
        ("1", "COPM", ["0.19"], []),  # 0.16 of a peso
        ("3", "COPM", ["0.19"], []),  # 0.48
        ("4", "COPM", ["0.19"], ["1"]),  # 0.64
        ("1", "COPM", ["0.9", "0.9", "0.9"], ["1"]),  # together 0.73 of one peso
        ("119", "COPM", ["0.1", "0.09"], ["10", "9"]),
        ("0.50025", "USDT", ["0.19"], ["0.079872"]),
        ("0.00025", "BTC", ["0.19"], ["0.00003992"]),
    ],
)
def test_taxes_are_rounded_together(
    fee: str, currency: str, rates: list[str], amounts: list[str]
) -> None:
    rules = [
        TaxRule(name=str(number), kind=TaxKind.INCLUDED, rate=Decimal(rate))
        for number, rate in enumerate(rates)
    ]
    found = taxes.taxes_of(fee=Decimal(fee), currency=currency, rules=rules)
    assert [tax.amount for tax in found] == [Decimal(amount) for amount in amounts]
    assert sum(tax.amount for tax in found) <= Decimal(fee)
    assert {tax.base for tax in found} <= {Decimal(fee) - sum(tax.amount for tax in found)}


def test_rules_begin_today_at_the_earliest(merchant: Merchant) -> None:
    with pytest.raises(RuleRefused):
        vat(first=MONDAY, now=at(TUESDAY, "00:00:00.000"))
    # It is still Monday in Bogotá, and Tuesday in UTC.
    assert vat(first=MONDAY, now=at(MONDAY, "23:59:59.999")).valid_from == MONDAY
    audit = AuditEntry.objects.get(action="tax_rule.added")
    assert (audit.actor, audit.reason) == ("ana", "Decreto 1625")
    assert audit.details["rule"] == "IVA 19%"


def test_two_rules_of_a_name_never_count_on_one_day(merchant: Merchant) -> None:
    vat(first=TUESDAY, valid_to=TUESDAY + 2 * ONE_DAY)
    for first, last in ((0, None), (1, 1), (3, 9), (0, 1)):
        with pytest.raises(RuleRefused):
            vat(
                first=MONDAY + first * ONE_DAY,
                valid_to=None if last is None else MONDAY + last * ONE_DAY,
            )
    vat(first=MONDAY, valid_to=MONDAY)
    vat(first=MONDAY + 4 * ONE_DAY)
    vat(first=MONDAY, merchant=merchant)
    rule("IVA rural", "0.05", MONDAY)


def test_a_name_is_the_same_in_capitals_and_without(till: Till, merchant: Merchant) -> None:
    vat()
    for name in ("iva", "Iva", " iVA "):
        with pytest.raises(RuleRefused):
            rule(name, "0.16", TUESDAY)
    rule("iva", "0.05", MONDAY, merchant=merchant)
    with pytest.raises(RuleRefused):
        vat(merchant=merchant)
    till.collect(at(MONDAY), fee="105")
    assert lines(till.close(MONDAY)) == [("iva", 100, 5)]


@pytest.mark.parametrize("rate", ["1", "-0.01", "0.123456789", "NaN"])
def test_a_rate_is_a_part(rate: str) -> None:
    with pytest.raises((ValidationError, DatabaseError)), transaction.atomic():
        vat(rate)
    assert not TaxRule.objects.exists()


def test_a_rule_needs_a_name_and_an_order_of_days() -> None:
    with pytest.raises(ValidationError):
        rule(" ", "0.19", MONDAY)
    with pytest.raises(RuleRefused):
        vat(first=TUESDAY, valid_to=MONDAY)


def test_a_rule_is_ended(till: Till) -> None:
    row = vat()
    with pytest.raises(RuleRefused):
        taxes.end_rule(rule=row, valid_to=MONDAY, now=at(TUESDAY), **WHY)
    taxes.end_rule(rule=row, valid_to=TUESDAY, now=at(TUESDAY), **WHY)
    for day in (TUESDAY, TUESDAY + ONE_DAY):
        till.collect(at(day), fee="119")
    day_closing.close_due(now=night_after(TUESDAY + ONE_DAY))
    assert list(Settlement.objects.order_by("date").values_list("tax", flat=True)) == [19, 0]
    later = TUESDAY + 9 * ONE_DAY
    with pytest.raises(RuleRefused, match="ended already"):
        taxes.end_rule(rule=row, valid_to=later, now=at(later), **WHY)
    audit = AuditEntry.objects.get(action="tax_rule.ended")
    assert audit.details == {"old": "", "new": "2026-03-03"}


@pytest.mark.parametrize("changes", [{"rate": Decimal("0.5")}, {"valid_from": TUESDAY}], ids=str)
def test_nothing_else_of_a_rule_is_changed(changes: dict[str, Any]) -> None:
    vat()
    with pytest.raises(DatabaseError, match="pgtrigger"), transaction.atomic():
        TaxRule.objects.update(**changes)
    with pytest.raises(DatabaseError, match="pgtrigger"), transaction.atomic():
        TaxRule.objects.all()._raw_delete("default")
