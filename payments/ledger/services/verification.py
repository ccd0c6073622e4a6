"""Verifies the whole ledger: PostgreSQL computes the sums, and this module the digests."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import islice
from typing import Any

from django.db import connection, transaction

from payments.core import money
from payments.ledger.models import Account, Entry, Posting
from payments.ledger.services.entries import digest

MAX_PROBLEMS = 1000

_CHECKS = {
    "entry_without_postings": """
        SELECT id AS entry FROM ledger_entry
        WHERE NOT EXISTS (SELECT FROM ledger_posting WHERE entry_id = ledger_entry.id)
    """,
    "entry_does_not_balance": """
        SELECT entry_id AS entry, currency, 0 AS expected, sum(amount) AS found
        FROM ledger_posting GROUP BY entry_id, currency HAVING sum(amount) <> 0
    """,
    "posting_without_entry_or_account": """
        SELECT posting.id AS posting, entry_id AS entry
        FROM ledger_posting AS posting
            LEFT JOIN ledger_entry AS entry ON entry.id = entry_id
            LEFT JOIN ledger_account AS account ON account.id = account_id
        WHERE entry.id IS NULL OR account.id IS NULL
    """,
    "posting_of_another_currency": """
        SELECT posting.id AS posting, entry_id AS entry, code AS account
        FROM ledger_posting AS posting JOIN ledger_account AS account ON account.id = account_id
        WHERE posting.currency <> account.currency
            OR (posting.balance_after IS NULL) <> (account.balance IS NULL)
    """,
    # Compares with the previous posting, so that one wrong row does not report all that follow.
    "balance_after_is_wrong": """
        SELECT posting, entry, account, expected, found FROM (
            SELECT posting.id AS posting, entry_id AS entry, code AS account,
                balance_after AS found,
                amount + lag(balance_after, 1, 0::numeric)
                    OVER (PARTITION BY account_id ORDER BY posting.id) AS expected
            FROM ledger_posting AS posting JOIN ledger_account AS account ON account.id = account_id
            WHERE account.balance IS NOT NULL
        ) AS step WHERE found <> expected
    """,
    "balance_is_wrong": """
        SELECT code AS account, balance AS found, COALESCE(posted.amount, 0) AS expected
        FROM ledger_account LEFT JOIN (
            SELECT account_id, sum(amount) AS amount FROM ledger_posting GROUP BY account_id
        ) AS posted ON posted.account_id = ledger_account.id
        WHERE balance <> COALESCE(posted.amount, 0)
    """,
    "posting_not_as_its_entry": """
        SELECT posting.id AS posting, entry_id AS entry
        FROM ledger_posting AS posting JOIN ledger_entry AS entry ON entry.id = entry_id
        WHERE posting.kind <> entry.kind OR posting.created_at < entry.created_at
    """,
    "tally_is_wrong": """
        SELECT code AS account, COALESCE(posted.postings, 0) AS expected,
            COALESCE(tally.postings, 0) AS found
        FROM ledger_postingtally AS tally FULL JOIN (
            SELECT account_id, (created_at AT TIME ZONE 'UTC')::date AS day, kind,
                count(*) AS postings
            FROM ledger_posting WHERE balance_after IS NOT NULL GROUP BY 1, 2, 3
        ) AS posted USING (account_id, day, kind)
        JOIN ledger_account AS account ON account.id = account_id
        WHERE tally.postings IS DISTINCT FROM posted.postings
    """,
    # Of system accounts, up to the cursor.
    "day_total_is_wrong": """
        SELECT code AS account, COALESCE(posted.amount, 0) AS expected,
            COALESCE(total.credits - total.debits, 0) AS found
        FROM ledger_accountday AS total FULL JOIN (
            SELECT account_id, (created_at AT TIME ZONE 'America/Bogota')::date AS day,
                sum(amount) AS amount, -sum(least(amount, 0)) AS debits, count(*) AS postings
            FROM ledger_posting WHERE balance_after IS NULL
                AND id <= (SELECT COALESCE(max(posting_id), 0) FROM ledger_totalscursor)
            GROUP BY 1, 2
        ) AS posted USING (account_id, day)
        JOIN ledger_account AS account ON account.id = account_id
        WHERE total.postings IS DISTINCT FROM posted.postings
            OR total.credits - total.debits IS DISTINCT FROM posted.amount
            OR total.debits IS DISTINCT FROM posted.debits
    """,
    "fees_are_wrong": """
        SELECT code AS account, COALESCE(total.credits - total.debits, 0) AS expected,
            COALESCE(fees.amount, 0) AS found
        FROM (
            SELECT day, currency, sum(amount) AS amount FROM ledger_feeday GROUP BY 1, 2
        ) AS fees FULL JOIN (
            SELECT day, currency, code, credits, debits FROM ledger_accountday
                JOIN ledger_account AS account ON account.id = account_id AND kind = 'fees'
        ) AS total USING (day, currency)
        WHERE fees.amount IS DISTINCT FROM total.credits - total.debits
    """,
    "balance_below_zero": """
        SELECT code AS account, balance AS found FROM ledger_account WHERE balance < 0
    """,
}

# numeric(24, 8) as text has eight decimals, like entries.written().
_DIGESTED_SQL = """
    SELECT entry.id, kind, dedupe, subject_id, memo::text, created_at, digest, lines
    FROM ledger_entry AS entry JOIN (
        SELECT entry_id,
            array_agg(code || ' ' || posting.currency || ' ' || amount::text ORDER BY posting.id)
                AS lines
        FROM ledger_posting AS posting JOIN ledger_account AS account ON account.id = account_id
        GROUP BY entry_id
    ) AS posted ON posted.entry_id = entry.id
"""


@dataclass(frozen=True, slots=True)
class Problem:
    """`account` is a code; amounts are plain decimal text."""

    problem: str
    entry: str | None = None
    posting: int | None = None
    account: str | None = None
    currency: str | None = None
    expected: str | None = None
    found: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """How many rows were read, and at most MAX_PROBLEMS problems."""

    entries: int
    postings: int
    accounts: int
    problems: list[Problem] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.problems


def verify() -> Report:
    """Takes no locks. Each check is one statement, so that it can run while payments arrive."""
    with transaction.atomic():  # cursors on the server live no longer than a transaction
        return Report(
            entries=Entry.objects.count(),
            postings=Posting.objects.count(),
            accounts=Account.objects.count(),
            problems=list(islice(_problems(), MAX_PROBLEMS)),
        )


def _problems() -> Iterator[Problem]:
    for problem, sql in _CHECKS.items():
        with connection.chunked_cursor() as cursor:
            cursor.execute(sql)
            for row in cursor:
                names = [column.name for column in cursor.description]
                yield _problem(problem, dict(zip(names, row, strict=True)))
    yield from _changed_entries()


def _changed_entries() -> Iterator[Problem]:
    with connection.chunked_cursor() as cursor:
        cursor.execute(_DIGESTED_SQL)
        for pk, kind, dedupe, subject_id, memo, at, found, lines in cursor:
            entry = Entry(pk=pk, kind=kind, dedupe=dedupe, subject_id=subject_id, created_at=at)
            entry.memo = json.loads(memo)
            if digest(entry, lines) != bytes(found):
                yield Problem("entry_was_changed", entry=pk)


def _problem(problem: str, row: dict[str, Any]) -> Problem:
    for name in row.keys() & {"expected", "found"}:
        row[name] = money.text(Decimal(row[name]))
    return Problem(problem, **row)
