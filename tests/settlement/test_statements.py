"""A statement adds up: opening balance + movements = closing balance."""

import itertools
import random
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from payments.core.errors import ValidationFailed
from payments.settlement import documents
from payments.settlement.days import Period
from payments.settlement.services import day_closing, statements
from payments.settlement.services.statements import Statement
from tests.settlement.statement_files import check, rows_of
from tests.support.settlement_days import MONDAY, ONE_DAY, TUESDAY, Till, at, night_after

pytestmark = pytest.mark.django_db
WEEK = Period(MONDAY, MONDAY + 6 * ONE_DAY)


def statement(till: Till, period: Period = WEEK, currency: str = "COPM") -> Statement:
    return statements.make_statement(
        merchant_id=till.merchant.pk,
        currency=currency,
        period=period,
        now=night_after(MONDAY + 30 * ONE_DAY),
    )


def a_wild_week(till: Till, seed: int) -> None:
    """Collections, payouts and refunds in every state, at any hour."""
    chance = random.Random(seed)
    till.collect(at(MONDAY - ONE_DAY), base="1000000", fee="500")
    moments = sorted(chance.uniform(0, 7 * 86400 - 1) for _ in range(60))
    waiting: list[Any] = []
    for seconds in moments:
        now = at(MONDAY, "00:00:00.000") + timedelta(seconds=seconds)
        match chance.randrange(5):
            case 0 | 1:
                till.collect(now, base=f"{chance.randrange(1000, 90000)}", fee="7")
            case 2:
                kind = chance.choice(["payout", "refund"])
                waiting.append(till.reserve(now, kind, f"{chance.randrange(1, 9000)}"))
            case 3 if waiting:
                till.complete(waiting.pop(), now)
            case 4 if waiting:
                till.release(waiting.pop(0), now)


def test_statement_lists_the_movements_between_both_balances(till: Till) -> None:
    till.collect(at(MONDAY - ONE_DAY), base="5000")
    till.collect(at(MONDAY), base="10000")
    payout = till.reserve(at(TUESDAY), amount="3000", fee=Decimal(500))
    made = statement(till, Period(MONDAY, TUESDAY))
    assert (made.opening.total, made.closing.total) == (5000, 15000)
    assert (made.closing.available, made.closing.held) == (11500, 3500)
    assert [(total.kind, total.movements, total.change) for total in made.totals] == [
        ("collect_settled", 1, (10000, 0)),
        ("payout_reserved", 2, (-3500, 3500)),
    ]
    lines = [(movement.kind, movement.amount, balance) for movement, balance in made.movements()]
    assert lines == [
        ("collect_settled", 10000, 15000),
        ("payout_reserved", -3500, 11500),
        ("payout_reserved", 3500, 15000),
    ]
    till.complete(payout, at(TUESDAY + ONE_DAY))
    assert statement(till).closing.total == 11500


@pytest.mark.parametrize("seed", range(3))
def test_statement_of_every_period_adds_up(
    till: Till, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statements, "CHUNK_SIZE", 7)
    a_wild_week(till, seed)
    days = [MONDAY + number * ONE_DAY for number in (-1, 0, 1, 4, 7)]
    for first, last in itertools.combinations_with_replacement(days, 2):
        made = statement(till, Period(first, last))
        rows = rows_of("".join(documents.csv_lines(made)).encode())
        check(rows)
        assert len(rows) - 2 == made.movement_count
        changes = sum(total.change.total for total in made.totals)
        assert made.opening.total + changes == made.closing.total
        assert len({row["movementId"] for row in rows}) == len(rows) - 1  # the edges have none


def test_the_days_of_a_period_are_its_settlements(till: Till) -> None:
    a_wild_week(till, 9)
    day_closing.close_due(now=night_after(WEEK.last))
    for row in till.merchant.settlements.all():
        made = statement(till, Period(row.date, row.date))
        assert (made.opening.total, made.closing.total) == (
            row.opening_balance,
            row.closing_balance,
        )
        totals = {total.kind: total for total in made.totals}
        settled = totals.get("collect_settled")
        assert row.net == (settled.change.total if settled else 0)
        refunded = totals.get("refund_completed")
        assert row.refunded == (-refunded.change.total if refunded else 0)


def test_entries_posted_during_the_statement_are_left_out(
    till: Till, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statements, "CHUNK_SIZE", 2)
    for _ in range(5):
        till.collect(at(MONDAY))
    made = statement(till)
    lines = documents.csv_lines(made)
    read = [next(lines) for _ in range(3)]
    till.collect(at(MONDAY))
    till.reserve(at(MONDAY))
    rows = rows_of("".join([*read, *lines]).encode())
    check(rows)
    assert len(rows) == 7


def test_statement_of_an_account_without_postings_is_empty(till: Till) -> None:
    made = statement(till, currency="BTC")
    assert (made.opening.total, made.closing.total, made.totals) == (0, 0, [])
    check(rows_of("".join(documents.csv_lines(made)).encode()))


@pytest.mark.parametrize(
    ("first", "last"),
    [(TUESDAY, MONDAY), (MONDAY, MONDAY + 31 * ONE_DAY + ONE_DAY), (MONDAY, date.max)],
)
def test_a_period_has_an_order_and_no_future(till: Till, first: date, last: date) -> None:
    with pytest.raises(ValidationFailed):
        statement(till, Period(first, last))


def test_the_queries_follow_the_chunks_not_the_rows(till: Till) -> None:
    counts = []
    for _ in range(2):
        for _ in range(20):
            till.collect(at(MONDAY))
        with CaptureQueriesContext(
            connection,
        ) as queries:
            list(statement(till).movements())
        counts.append(len(queries))
    assert counts[0] == counts[1]
