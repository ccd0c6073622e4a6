"""Reads every settlement beside the whole ledger, and names what does not tie.

Counted another way than closing counts, in one statement: it sees the books as they were at one
moment. It reads everything, and is for a command, not for a page.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import connection

from payments.core import money
from payments.settlement import days

MAX_PROBLEMS = 1000

_SQL = """
WITH posting AS (
    SELECT merchant_id, account.currency, (created_at AT TIME ZONE %(zone)s)::date AS date,
        entry_id, posting.kind, account.kind AS account, amount
    FROM ledger_posting AS posting JOIN ledger_account AS account ON account.id = account_id
    WHERE balance_after IS NOT NULL AND created_at < %(before)s
), fee AS (
    SELECT entry_id, account.currency, sum(amount) AS amount
    FROM ledger_posting AS posting JOIN ledger_account AS account ON account.id = account_id
    WHERE posting.kind = 'collect_settled' AND account.kind = 'fees'
    GROUP BY 1, 2
), day AS (
    SELECT merchant_id, currency, date,
        sum(posting.amount) AS moved,
        count(*) FILTER (WHERE is_order) AS order_count,
        COALESCE(sum(posting.amount) FILTER (WHERE is_order), 0) AS net,
        COALESCE(sum(fee.amount) FILTER (WHERE is_order), 0) AS charged,
        count(*) FILTER (WHERE is_refund) AS refund_count,
        COALESCE(-sum(posting.amount) FILTER (WHERE is_refund), 0) AS refunded
    FROM posting
        CROSS JOIN LATERAL (
            SELECT kind = 'collect_settled' AND account = 'available' AS is_order,
                kind = 'refund_completed' AS is_refund
        ) AS what
        LEFT JOIN fee USING (entry_id, currency)
    GROUP BY 1, 2, 3
), expected AS (
    SELECT *, net + charged AS collected,
        sum(moved) OVER balance AS closing_balance,
        sum(moved) OVER balance - moved AS opening_balance
    FROM day WINDOW balance AS (PARTITION BY merchant_id, currency ORDER BY date)
), lines AS (
    SELECT settlement_id AS id, sum(amount) AS amount FROM settlement_settlementline
    WHERE kind = 'INCLUDED' GROUP BY 1
), put_aside AS (
    SELECT subject_id AS id, sum(amount) AS amount
    FROM ledger_entry AS entry
        JOIN ledger_posting AS posting ON posting.entry_id = entry.id
        JOIN ledger_account AS account ON account.id = account_id
    WHERE entry.kind = 'settlement_taxed' AND account.kind = 'taxes'
    GROUP BY 1
)
SELECT merchant_id, currency, date, figure.name, figure.expected, figure.found
FROM settlement_settlement AS closed
    FULL JOIN expected USING (merchant_id, currency, date)
    LEFT JOIN lines USING (id)
    LEFT JOIN put_aside USING (id)
    CROSS JOIN LATERAL (VALUES
        ('closed', 1, (closed.id IS NOT NULL)::int),
        ('posted', 1, (expected.moved IS NOT NULL)::int),
        ('collected', expected.collected, closed.collected),
        ('fee', expected.charged, closed.fee + closed.tax),
        ('net', expected.net, closed.net),
        ('refunded', expected.refunded, closed.refunded),
        ('order_count', expected.order_count, closed.order_count),
        ('refund_count', expected.refund_count, closed.refund_count),
        ('opening_balance', expected.opening_balance, closed.opening_balance),
        ('closing_balance', expected.closing_balance, closed.closing_balance),
        ('tax', COALESCE(lines.amount, 0), closed.tax),
        ('tax_put_aside', COALESCE(put_aside.amount, 0), closed.tax)
    ) AS figure (name, expected, found)
WHERE figure.expected <> figure.found
ORDER BY date, merchant_id, currency, figure.name
LIMIT %(limit)s
"""


@dataclass(frozen=True, slots=True)
class Problem:
    """One figure that does not tie. `closed` and `posted`: the day is missing on one side."""

    merchant: str
    currency: str
    date: str
    figure: str
    expected: str
    found: str


def verify(*, now: datetime) -> list[Problem]:
    """What does not tie of the days that can be closed at `now`, at most MAX_PROBLEMS."""
    values: dict[str, Any] = {
        "zone": days.TIMEZONE,
        "before": days.start_of(days.open_since(now)),
        "limit": MAX_PROBLEMS,
    }
    with connection.cursor() as cursor:
        cursor.execute(_SQL, values)
        return [
            Problem(merchant, currency, day.isoformat(), figure, _text(expected), _text(found))
            for merchant, currency, day, figure, expected, found in cursor
        ]


def _text(value: Decimal) -> str:
    return money.text(Decimal(value))
