"""Whatever was closed is found in the ledger, and what does not tie is named."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection

from merchants.models import Merchant
from payments.core import money
from payments.settlement.models import Settlement
from payments.settlement.services import day_closing, verification
from tests.settlement.test_statements import a_wild_week
from tests.settlement.test_taxes import rule, vat, withholding
from tests.support.database import triggers_asleep
from tests.support.settlement_days import MONDAY, ONE_DAY, TUESDAY, Till, at, night_after

pytestmark = pytest.mark.django_db
LATER = night_after(MONDAY + 30 * ONE_DAY)


def problems() -> list[tuple[str, str, str, str]]:
    return [
        (problem.date, problem.figure, problem.expected, problem.found)
        for problem in verification.verify(now=LATER)
    ]


def tamper(sql: str) -> None:
    """As a superuser of the database, who can go around every trigger."""
    connection.check_constraints()
    with triggers_asleep() as cursor:
        cursor.execute(sql)


@pytest.mark.parametrize("seed", range(3))
def test_a_wild_week_ties(till: Till, stranger: Merchant, seed: int) -> None:
    vat()
    withholding()
    a_wild_week(till, seed)
    a_wild_week(Till(stranger), seed + 100)
    till.collect(at(TUESDAY), base="0.5", fee="0.00025", currency="BTC", rail="CRYPTO")
    assert {figure for _, figure, _, _ in problems()} == {"closed"}
    closed = day_closing.close_due(now=LATER)
    assert closed == Settlement.objects.count() > 10
    assert problems() == []


@pytest.mark.parametrize(
    ("change", "figures"),
    [
        ("net = net + 1, collected = collected + 1", {"net", "collected"}),
        ("fee = fee - 1, collected = collected - 1", {"fee", "collected", "IVA: base"}),
        ("fee = fee - 1, tax = tax + 1", {"tax", "tax_put_aside", "IVA: base"}),
        ("refunded = 1", {"refunded"}),
        ("order_count = 2", {"order_count"}),
        ("refund_count = 1", {"refund_count"}),
        ("opening_balance = 7", {"opening_balance"}),
        ("closing_balance = closing_balance + 1", {"closing_balance"}),
        ("opening_held = 1, opening_balance = 1", {"opening_balance", "opening_held"}),
        ("closing_held = 0", {"closing_held"}),
        ("closing_held = closing_held + 1", {"closing_held"}),
        ("date = date + 1", {"closed", "posted"}),
    ],
)
def test_what_was_changed_is_named(till: Till, change: str, figures: set[str]) -> None:
    vat()
    till.collect(at(MONDAY), fee="119")
    till.reserve(at(MONDAY), amount="500")
    till.close(MONDAY)
    assert problems() == []
    tamper(f"UPDATE settlement_settlement SET {change}")
    assert {figure for _, figure, _, _ in problems()} == figures


@pytest.mark.parametrize(
    ("change", "figures"),
    [
        ("base = base + 1", {"IVA: base", "Retefuente: base"}),
        ("rate = rate + 0.01", {"IVA: rate", "Retefuente: rate", "Retefuente: amount"}),
        ("amount = amount + 1 WHERE kind = 'WITHHELD'", {"Retefuente: amount"}),
        ("amount = amount - 1 WHERE kind = 'WITHHELD'", {"Retefuente: amount"}),
        ("amount = amount + 1 WHERE kind = 'INCLUDED'", {"tax"}),
        ("amount = amount + 2 WHERE kind = 'INCLUDED'", {"tax", "IVA: amount"}),
        ("name = 'ICA' WHERE kind = 'WITHHELD'", {"ICA: rule"}),
        ("kind = 'INCLUDED' WHERE kind = 'WITHHELD'", {"tax", "Retefuente: rule"}),
    ],
)
def test_a_tax_line_that_was_changed_is_named(till: Till, change: str, figures: set[str]) -> None:
    vat()
    withholding()
    till.collect(at(MONDAY), fee="119")
    till.close(MONDAY)
    assert problems() == []
    tamper(f"UPDATE settlement_settlementline SET {change}")
    assert {figure for _, figure, _, _ in problems()} == figures


@pytest.mark.parametrize("currency", ["COP", "USDT", "BTC"])
def test_verification_accepts_taxes_that_were_rounded_together(till: Till, currency: str) -> None:
    """19% of 13 is not 3, and yet a fee of 16 can be divided no better."""
    vat()
    rule("Timbre", "0.013", MONDAY)
    withholding()
    unit = money.quantum(currency)
    for number in range(1, 30):
        fee = f"{number * unit:f}"
        day = MONDAY + number * ONE_DAY
        till.collect(at(day), base="0.5", fee=fee, currency=currency)
    assert day_closing.close_due(now=LATER) == 29
    assert problems() == []


def test_a_posting_that_came_too_late_is_named(till: Till) -> None:
    till.collect(at(MONDAY))
    till.close(MONDAY)
    till.collect(at(MONDAY, "12:00:01.000"), base="700", fee="1")
    assert ("2026-03-02", "net", "50700", "50000") in problems()


def test_a_day_that_is_not_over_is_no_problem(till: Till) -> None:
    till.collect(LATER - timedelta(minutes=1))
    assert problems() == []


def test_a_day_has_an_hour_to_be_closed(till: Till) -> None:
    till.collect(at(MONDAY))

    def found(clock: str) -> list[str]:
        return [problem.figure for problem in verification.verify(now=at(TUESDAY, clock))]

    for waiting in ("00:09:59.999", "00:10:00.000", "01:09:59.999"):
        assert found(waiting) == []
    assert found("01:10:00.000") == ["closed"]
    till.close(MONDAY)
    assert found("00:10:00.000") == []
    tamper("UPDATE settlement_settlement SET refunded = 1")  # what is closed is compared at once
    assert found("00:10:00.000") == ["refunded"]


def test_the_command_says_it_in_one_line(till: Till) -> None:
    till.collect(at(MONDAY))
    till.close(MONDAY)
    output = StringIO()
    call_command("verify_settlements", stdout=output)
    facts = json.loads(output.getvalue())
    assert (facts["ok"], facts["settlements"]) == (True, 1)
    tamper("UPDATE settlement_settlement SET refunded = 1")
    output = StringIO()
    with pytest.raises(SystemExit, match="1"):
        call_command("verify_settlements", stdout=output)
    (problem,) = json.loads(output.getvalue())["problems"]
    assert problem == {
        "merchant": till.merchant.pk,
        "currency": "COPM",
        "date": "2026-03-02",
        "figure": "refunded",
        "expected": "0",
        "found": "1",
    }
