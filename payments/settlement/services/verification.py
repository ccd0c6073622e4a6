"""Compares every settlement with the whole ledger, in another way than day_closing sums it.

It reads all postings, so it is for a command and not for a page.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

from django.conf import settings
from django.db import connection

from payments.core import money
from payments.settlement import days

SqlValue = str | int | date | list[str] | list[Decimal]
MAX_PROBLEMS = 1000
# Days are closed within minutes. Until then a missing settlement is no problem.
CLOSED_WITHIN = timedelta(hours=1)

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
        COALESCE(sum(posting.amount) FILTER (WHERE account = 'held'), 0) AS moved_held,
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
        sum(moved) OVER balance - moved AS opening_balance,
        sum(moved_held) OVER balance AS closing_held,
        sum(moved_held) OVER balance - moved_held AS opening_held
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
        ('closed', CASE WHEN date < %(overdue)s THEN 1 END, (closed.id IS NOT NULL)::int),
        ('posted', 1, (expected.moved IS NOT NULL)::int),
        ('collected', expected.collected, closed.collected),
        ('fee', expected.charged, closed.fee + closed.tax),
        ('net', expected.net, closed.net),
        ('refunded', expected.refunded, closed.refunded),
        ('order_count', expected.order_count, closed.order_count),
        ('refund_count', expected.refund_count, closed.refund_count),
        ('opening_balance', expected.opening_balance, closed.opening_balance),
        ('closing_balance', expected.closing_balance, closed.closing_balance),
        ('opening_held', expected.opening_held, closed.opening_held),
        ('closing_held', expected.closing_held, closed.closing_held),
        ('tax', COALESCE(lines.amount, 0), closed.tax),
        ('tax_put_aside', COALESCE(put_aside.amount, 0), closed.tax)
    ) AS figure (name, expected, found)
WHERE figure.expected <> figure.found
ORDER BY date, merchant_id, currency, figure.name
LIMIT %(limit)s
"""

# The base is our fee without the taxes in it. Included taxes are rounded together, so one of them
# may differ by the smallest unit: a fee of 16 is 13 and 3, although 19% of 13 is 2. Their sum is
# compared exactly, as `tax` above.
_LINES_SQL = """
SELECT closed.merchant_id, closed.currency, date, line.name || ': ' || figure.name,
    figure.expected, figure.found
FROM settlement_settlementline AS line
    JOIN settlement_settlement AS closed ON closed.id = settlement_id
    JOIN settlement_taxrule AS rule ON rule.id = rule_id
    JOIN unnest(%(currencies)s::text[], %(units)s::numeric[]) AS money (currency, unit)
        ON money.currency = closed.currency
    CROSS JOIN LATERAL (VALUES
        ('rule', 1, ((line.name, line.kind) = (rule.name, rule.kind))::int, 0),
        ('rate', rule.rate, line.rate, 0),
        ('base', closed.fee, line.base, 0),
        ('amount', round(line.base * line.rate, scale(unit)), line.amount,
            CASE line.kind WHEN 'INCLUDED' THEN unit ELSE 0 END)
    ) AS figure (name, expected, found, slack)
WHERE abs(figure.expected - figure.found) > figure.slack
ORDER BY date, closed.merchant_id, closed.currency, line.id, figure.name
LIMIT %(limit)s
"""


@dataclass(frozen=True, slots=True)
class Problem:
    """One figure that differs. `closed` and `posted`: one side has no such day. `IVA: base` is the
    base of a tax line.
    """

    merchant: str
    currency: str
    date: str
    figure: str
    expected: str
    found: str


def verify(*, now: datetime) -> list[Problem]:
    """Checks the days that can be closed at `now`; returns at most MAX_PROBLEMS.

    A missing settlement is a problem when the day could have been closed CLOSED_WITHIN ago.
    """
    currencies = list(settings.CURRENCIES)
    values: dict[str, SqlValue] = {
        "zone": days.TIMEZONE,
        "before": days.start_of(days.open_since(now)),
        "overdue": days.open_since(now - CLOSED_WITHIN),
        "limit": MAX_PROBLEMS,
        "currencies": currencies,
        "units": [money.quantum(name) for name in currencies],
    }
    return [*_read(_SQL, values), *_read(_LINES_SQL, values)][:MAX_PROBLEMS]


def _read(sql: str, values: dict[str, SqlValue]) -> list[Problem]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return [
            Problem(
                merchant,
                currency,
                day.isoformat(),
                figure,
                expected=money.text(Decimal(expected)),
                found=money.text(Decimal(found)),
            )
            for merchant, currency, day, figure, expected, found in cursor
        ]
