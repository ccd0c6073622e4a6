"""A long history costs nothing: closing a day reads that day."""

import json
import time
from datetime import timedelta

import pytest
from django.db import connection

from payments.ledger.models import Account, Posting
from payments.settlement.days import Period
from payments.settlement.services import day_totals as figures_module
from payments.settlement.services import statements
from payments.settlement.services.day_totals import _COLLECTED_SQL
from tests.faults import scaled
from tests.support.database import triggers_asleep
from tests.support.settlement_days import MONDAY, ONE_DAY, Till, at, night_after

pytestmark = pytest.mark.django_db

# Orders as collect_settled posts them, in bulk: three lines each. Triggers are off; the check
# of the ledger does not run here.
_FILL = """
WITH entry AS (
    INSERT INTO ledger_entry (id, kind, dedupe, subject_id, memo, created_at, digest)
    SELECT %(mark)s || lpad(n::text, 9, '0'), 'collect_settled', %(mark)s || n,
        'col_' || n, '{}', %(start)s + n * %(step)s, ''
    FROM generate_series(1, %(orders)s) AS n
    RETURNING id, created_at
), numbered AS (
    SELECT *, row_number() OVER (ORDER BY id) AS n FROM entry
)
INSERT INTO ledger_posting (entry_id, account_id, currency, amount, balance_after, kind, created_at)
SELECT numbered.id, line.account, 'COPM', line.amount,
    CASE WHEN line.account = %(available)s THEN %(before)s + 1000 * n END,
    'collect_settled', numbered.created_at
FROM numbered, (VALUES
    (%(clearing)s::bigint, -1001), (%(available)s::bigint, 1000), (%(fees)s::bigint, 1)
) AS line (account, amount)
ORDER BY n
"""


def fill(till: Till, start, orders: int, before: int, mark: str, span: timedelta) -> None:
    codes = {
        "clearing": "clearing:simulator:COPM",
        "fees": "fees:COPM",
        "available": f"available:{till.merchant.pk}:COPM",
    }
    accounts = {name: Account.objects.get(code=code).pk for name, code in codes.items()}
    values = {
        **accounts,
        "mark": mark,
        "start": start,
        "step": span / (orders + 1),
        "orders": orders,
        "before": before,
    }
    with triggers_asleep() as cursor:
        cursor.execute(_FILL, values)
        cursor.execute(
            "UPDATE ledger_account SET balance = %s WHERE id = %s",
            [before + 1000 * orders, accounts["available"]],
        )
        cursor.execute("ANALYZE ledger_posting")
        cursor.execute("ANALYZE ledger_entry")


def blocks(sql: str, values: dict) -> int:
    """How many pages the statement touched."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {sql}", values)
        (plan,) = cursor.fetchone()
    root = (plan if isinstance(plan, list) else json.loads(plan))[0]["Plan"]
    return root["Shared Hit Blocks"] + root["Shared Read Blocks"]


@pytest.mark.slow
@pytest.mark.faults
def test_a_day_of_many_postings_is_closed_without_reading_the_history(till: Till) -> None:
    orders, years = scaled(100_000), scaled(300_000)
    till.collect(at(MONDAY - 400 * ONE_DAY), base="1000", fee="1")
    fill(till, at(MONDAY, "00:00:00.000"), orders, 1000, "ent_b", ONE_DAY)
    # The same day again, when the merchant has a long history after it as well.
    fill(
        till,
        at(MONDAY + 10 * ONE_DAY, "00:00:00.000"),
        years,
        1000 + 1000 * orders,
        "ent_c",
        300 * ONE_DAY,
    )
    last = MONDAY + 400 * ONE_DAY
    fill(till, at(last, "00:00:00.000"), orders, 1000 + 1000 * (orders + years), "ent_d", ONE_DAY)

    started = time.monotonic()
    row = till.close(last)
    seconds = time.monotonic() - started
    assert (row.order_count, row.net, row.fee) == (orders, 1000 * orders, orders)
    assert row.closing_balance == 1000 + 1000 * (2 * orders + years)

    accounts = dict(Account.objects.values_list("kind", "pk"))
    values = {
        "available": accounts["available"],
        "fees": accounts["fees"],
        "kind": "collect_settled",
        "start": at(last, "00:00:00.000"),
        "end": at(last + ONE_DAY, "00:00:00.000"),
    }
    read = blocks(_COLLECTED_SQL, values)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_relation_size('ledger_posting') / 8192")
        (table,) = cursor.fetchone()
    empty = {**values, "start": at(last + ONE_DAY), "end": at(last + 2 * ONE_DAY)}
    nothing = blocks(_COLLECTED_SQL, empty)
    started = time.monotonic()
    made = statements.make_statement(
        merchant_id=till.merchant.pk,
        currency="COPM",
        period=Period(last, last),
        now=night_after(last),
    )
    made_seconds = time.monotonic() - started
    started = time.monotonic()
    lines = sum(1 for _ in made.movements())
    print(
        f"{orders:,} orders on the day, {Posting.objects.count():,} postings in all ({table:,} "
        f"pages): closed in {seconds:.2f} s, {read:,} page accesses; an empty day {nothing}; "
        f"statement made in {made_seconds:.2f} s, its {lines:,} lines read in "
        f"{time.monotonic() - started:.2f} s"
    )
    assert nothing < 20
    # A few pages of indexes for each order of the day; the history would be many times that.
    assert read < 16 * orders
    assert lines == orders
    _figures, has_postings = figures_module.sum_day(
        merchant_id=till.merchant.pk, day=last - ONE_DAY, currency="COPM"
    )
    assert not has_postings
