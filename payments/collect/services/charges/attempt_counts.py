"""How payers' attempts ended: by method, bank and reason of refusal.

A period may have more attempts than a page may read. So the newest days are read that have at most
ORDERS_MAX orders; the tally says how many a day has.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.db import connection

from payments.collect.services.orders.order_days import CLOCK_MARGIN, DayCount
from payments.core import days, ids

ORDERS_MAX = 200_000

# OFFSET 0 keeps the planner from reading all charges: it looks up those of each order.
_SQL = """
SELECT charge.method, coalesce(charge.fields ->> 'bankCode', ''), charge.status,
    CASE WHEN charge.status = 'FAILED' THEN charge.failure_reason ELSE '' END,
    count(*), coalesce(sum(charge.credited) FILTER (WHERE placed.currency = 'COP'), 0)
FROM collect_order AS placed CROSS JOIN LATERAL (
    SELECT method, fields, status, failure_reason, credited FROM collect_charge
    WHERE order_id = placed.id OFFSET 0
) AS charge
WHERE placed.created_at >= %(start)s AND placed.created_at < %(end)s AND {whose}
GROUP BY 1, 2, 3, 4
"""
_ALL = "placed.id >= %(first_id)s AND placed.id < %(last_id)s"
_SOME = "placed.merchant_id = ANY(%(merchants)s)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempts:
    """Attempts of the same method, bank, state and reason. `amount` is in pesos."""

    method: str
    bank: str
    status: str
    reason: str
    count: int
    amount: Decimal


def first_countable_day(counts: Iterable[DayCount], period: Sequence[date]) -> date:
    """The first of the newest days that have at most ORDERS_MAX orders. At least the last day."""
    of_day = dict.fromkeys(period, 0)
    for each in counts:
        of_day[each.day] += each.orders
    total, first = 0, period[-1]
    for day in reversed(period):
        total += of_day[day]
        if total > ORDERS_MAX:
            break
        first = day
    return first


def count_attempts(*, merchants: frozenset[str] | None, first: date, last: date) -> list[Attempts]:
    """Of orders created on these days in Bogotá, both included. `merchants`: None for all."""
    start, end = days.start_of(first), days.start_of(last + days.ONE_DAY)
    values: dict[str, Any] = {
        "start": start,
        "end": end,
        "first_id": ids.first_of("col", start - CLOCK_MARGIN),
        "last_id": ids.first_of("col", end + CLOCK_MARGIN),
        "merchants": sorted(merchants or ()),
    }
    whose = _ALL if merchants is None else _SOME
    with connection.cursor() as cursor:
        cursor.execute(_SQL.format(whose=whose), values)
        return [
            Attempts(method=m, bank=b, status=s, reason=r, count=n, amount=a)
            for m, b, s, r, n, a in cursor
        ]
