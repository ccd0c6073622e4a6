"""A balance of our own account costs the same at ten postings and at a million."""

import time
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.db import connection

from payments.core.days import day_of
from payments.ledger import services
from payments.ledger.models import Account
from payments.ledger.services import day_totals, system_balances
from tests.faults import SCALE
from tests.ledger.books import NOW, peso
from tests.support.database import triggers_asleep

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
FEES = services.fees("COPM")
DAYS = 365
# Postings since the totals: what arrives in ten minutes of a busy day.
REST = 2_000
CHUNK = 20_000
FILL = """
WITH entry AS (
    INSERT INTO ledger_entry (id, kind, dedupe, subject_id, memo, created_at, digest)
    SELECT 'ent_' || lpad(number::text, 26, '0'), 'settlement_taxed', number::text, 'x', '{{}}',
        %(now)s::timestamptz + interval '{days} days' * (number / %(whole)s::float8 - 1),
        decode(repeat('00', 32), 'hex')
    FROM generate_series(%(first)s::bigint, %(last)s::bigint) AS number
    RETURNING id, kind, created_at
)
INSERT INTO ledger_posting (entry_id, account_id, currency, amount, kind, created_at)
SELECT entry.id, account, 'COPM', amount, entry.kind, entry.created_at
FROM entry, (VALUES (%(fees)s::bigint, 1), (%(equity)s::bigint, -1)) AS line (account, amount)
"""


def open_accounts() -> dict[str, int]:
    """By one entry of zero sum, as the books open them."""
    lines = services.transfer(services.equity("COPM"), FEES, peso(1))
    services.post(kind="x", subject_id="x", idempotency_key="x", lines=lines, now=NOW)
    connection.check_constraints()
    return dict(Account.objects.values_list("kind", "pk"))


def fill(first: int, last: int, accounts: dict[str, int], whole: int) -> None:
    """Entries with these numbers; `whole` of them are a year."""
    names = {"fees": accounts["fees"], "equity": accounts["equity"], "now": NOW, "whole": whole}
    with triggers_asleep() as cursor:
        for begin in range(first, last + 1, CHUNK):
            part = {"first": begin, "last": min(begin + CHUNK - 1, last)}
            cursor.execute(FILL.format(days=DAYS), {**names, **part})
        cursor.execute("ANALYZE ledger_posting")


def milliseconds(read: Callable[[], Any]) -> float:
    """The median of nine readings."""
    found = []
    for _ in range(9):
        started = time.perf_counter()
        read()
        found.append(time.perf_counter() - started)
    return sorted(found)[4] * 1000


def test_a_balance_costs_the_same_at_a_million_postings(capsys: Any) -> None:
    entries = 500_000 if SCALE >= 1 else 20_000
    accounts = open_accounts()
    day_totals.add_postings()
    small = milliseconds(lambda: system_balances.balance(FEES))
    fill(1, entries, accounts, entries)
    started = time.monotonic()
    day_totals.add_postings()
    added = time.monotonic() - started
    fill(entries + 1, entries + REST, accounts, entries)

    large = milliseconds(lambda: system_balances.balance(FEES))
    account = Account.objects.get(pk=accounts["fees"])
    year = milliseconds(lambda: system_balances.days_of(account, date.min, day_of(NOW)))
    plain = milliseconds(lambda: sum_of_all(accounts["fees"]))

    assert system_balances.balance(FEES) == sum_of_all(accounts["fees"])
    with capsys.disabled():
        print(
            f"\nbalance at {2 * entries:,} postings, {2 * REST:,} of them since the totals: "
            f"{large:.1f} ms ({small:.1f} ms at two postings), its days {year:.1f} ms, "
            f"adding all up {plain:.1f} ms; the totals took {added:.1f} s"
        )
    assert large < max(20 * small, 50)


def sum_of_all(account: int) -> Any:
    with connection.cursor() as cursor:
        cursor.execute("SELECT sum(amount) FROM ledger_posting WHERE account_id = %s", [account])
        return cursor.fetchone()[0]
