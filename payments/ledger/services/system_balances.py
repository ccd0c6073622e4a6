"""Balances of system accounts: totals of days (day_totals.py) and the postings since.

They are exact at every moment. Their sign is that of postings (payments.ledger.models). A day is
one of Bogotá, and a posting's day is that of its booking.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db import connection

from payments.core.days import ONE_DAY, TIMEZONE
from payments.ledger.models import Account
from payments.ledger.services.accounts import AccountRef

NOTHING = Decimal(0)

# The totals and the rest must be of the same cursor. It is a value and no join, so that PostgreSQL
# knows how short the rest is.
_CURSOR_SQL = "SELECT COALESCE(max(posting_id), 0) FROM ledger_totalscursor"
_READ_SQL = f"""
SELECT ({_CURSOR_SQL}), account_id, day, sum(debits), sum(credits), sum(postings)::bigint FROM (
    SELECT account_id, CASE WHEN %(by_day)s THEN day END AS day, debits, credits, postings
    FROM ledger_accountday
    WHERE account_id = ANY(%(accounts)s) AND ledger_accountday.day BETWEEN %(first)s AND %(last)s
    UNION ALL
    SELECT account_id, CASE WHEN %(by_day)s THEN booked.day END, -least(amount, 0),
        greatest(amount, 0), 1
    FROM ledger_posting, LATERAL (
        SELECT (created_at AT TIME ZONE %(timezone)s)::date AS day
    ) AS booked
    WHERE id > %(totalled)s AND account_id = ANY(%(accounts)s) AND balance_after IS NULL
        AND booked.day BETWEEN %(first)s AND %(last)s
) AS part GROUP BY account_id, day ORDER BY account_id, day
"""  # noqa: S608  no text from outside


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """Debits are the postings below zero, without the sign."""

    debits: Decimal = NOTHING
    credits: Decimal = NOTHING
    postings: int = 0

    @property
    def change(self) -> Decimal:
        return self.credits - self.debits


@dataclass(frozen=True, slots=True, kw_only=True)
class DayStatement:
    """One day of an account."""

    day: date
    opening: Decimal
    movement: Movement

    @property
    def closing(self) -> Decimal:
        return self.opening + self.movement.change


def balance(ref: AccountRef) -> Decimal:
    """Zero for an account that no posting has opened yet."""
    return balance_at(ref, date.max)


def balance_at(ref: AccountRef, day: date) -> Decimal:
    """At the end of the day."""
    return _moved(ref, date.min, day).change


def movement_of(ref: AccountRef, day: date) -> Movement:
    return _moved(ref, day, day)


def balances_of(account_ids: Collection[int]) -> dict[int, Decimal]:
    """Of accounts of the service. Accounts without a posting are zero. Two queries."""
    found = _read(account_ids, date.min, date.max)
    return dict.fromkeys(account_ids, NOTHING) | {pk: moved.change for pk, _, moved in found}


def days_of(account: Account, first: date, last: date) -> list[DayStatement]:
    """The days with postings, oldest first."""
    opening = sum((moved.change for _, _, moved in _before(account, first)), NOTHING)
    statements = []
    for _, day, movement in _read([account.pk], first, last, by_day=True):
        statements.append(DayStatement(day=day, opening=opening, movement=movement))
        opening = statements[-1].closing
    return statements


def _before(account: Account, day: date) -> list[tuple[int, date, Movement]]:
    return _read([account.pk], date.min, day - ONE_DAY) if day > date.min else []


def _moved(ref: AccountRef, first: date, last: date) -> Movement:
    if ref.is_merchants:
        raise ValueError(f"{ref.code} stores its balance")
    accounts = list(Account.objects.filter(code=ref.code).values_list("pk", flat=True))
    found = _read(accounts, first, last)
    return found[0][2] if found else Movement()


def _read(
    accounts: Collection[int], first: date, last: date, *, by_day: bool = False
) -> list[tuple[int, date, Movement]]:
    """(account, day, what moved on it). Without `by_day`, one row for each account."""
    if not accounts:
        return []
    with connection.cursor() as cursor:
        while True:
            cursor.execute(_CURSOR_SQL)
            totalled = cursor.fetchone()[0]
            cursor.execute(
                _READ_SQL,
                {
                    "accounts": list(accounts),
                    "first": first,
                    "last": last,
                    "by_day": by_day,
                    "totalled": totalled,
                    "timezone": TIMEZONE,
                },
            )
            rows = cursor.fetchall()
            if all(row[0] == totalled for row in rows):  # else totals were added in between
                break
    return [
        (account, day, Movement(debits=debits, credits=credits, postings=postings))
        for _, account, day, debits, credits, postings in rows
    ]
