"""How many orders of each day are in each state, and their sums, at any number of orders."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from django.db import connection

from payments.core import days, ids

# Ids and `created_at` come from the clocks of two machines, which may differ.
CLOCK_MARGIN = timedelta(hours=1)

# The tally has UTC days (docs/decisions/0002). A UTC day begins in the evening of the previous day
# in Bogotá. The query counts the orders of those evening hours and moves them to the previous day.
# It is one statement, so that no order changes its status in between. It reads the primary key for
# all merchants, and the merchant's index for one merchant.
_SQL = """
SELECT day, currency, status, sum(orders), sum(amount)
FROM (
    SELECT day, currency, status, orders, amount FROM collect_ordertally AS placed
    WHERE day = ANY(%(days)s::date[]) AND (%(all)s OR merchant_id = ANY(%(merchants)s))
    UNION ALL
    SELECT moved.day, evening.currency, evening.status, moved.orders, moved.amount
    FROM ({evenings}) AS evening
        CROSS JOIN LATERAL (
            VALUES (day, -orders, -amount), (day - 1, orders, amount)
        ) AS moved (day, orders, amount)
) AS counted
WHERE day >= %(first)s AND day <= %(last)s
GROUP BY day, currency, status
HAVING sum(orders) <> 0
"""
# Each evening has its own limits. If they were joined as a list, the planner would overestimate the
# rows of an evening and read a whole index for each day.
_EVENING_SQL = """
SELECT %(day_{n})s::date AS day, currency, status, count(*) AS orders, sum(amount) AS amount
FROM collect_order AS placed
WHERE created_at >= %(start_{n})s AND created_at < %(end_{n})s AND {whose}
GROUP BY currency, status
"""
_ALL_MERCHANTS = "id >= %(first_id_{n})s AND id < %(last_id_{n})s"
_SOME_MERCHANTS = "merchant_id = ANY(%(merchants)s)"


@dataclass(frozen=True, slots=True, kw_only=True)
class DayCount:
    """Orders created on a day in Bogotá, in the state that they have now."""

    day: date
    currency: str
    status: str
    orders: int
    amount: Decimal


def count_days(*, merchants: frozenset[str] | None, period: Sequence[date]) -> list[DayCount]:
    """`period` has no gaps. `merchants`: None for all."""
    utc_days = [*period, period[-1] + days.ONE_DAY]
    values: dict[str, Any] = {
        "days": utc_days,
        "first": period[0],
        "last": period[-1],
        "all": merchants is None,
        "merchants": sorted(merchants or ()),
    }
    for number, day in enumerate(utc_days):
        values |= {f"{name}_{number}": value for name, value in evening_before(day).items()}
    whose = _ALL_MERCHANTS if merchants is None else _SOME_MERCHANTS
    each = _EVENING_SQL.replace("{whose}", whose)
    evenings = " UNION ALL ".join(each.replace("{n}", str(n)) for n in range(len(utc_days)))
    with connection.cursor() as cursor:
        cursor.execute(_SQL.replace("{evenings}", evenings), values)
        return list(_counts(cursor))


def _counts(rows: Any) -> Iterator[DayCount]:
    for day, currency, status, orders, amount in rows:
        yield DayCount(day=day, currency=currency, status=status, orders=int(orders), amount=amount)


def evening_before(day: date) -> dict[str, Any]:
    """The hours of this UTC day that belong to the previous day in Bogotá."""
    start, end = datetime.combine(day, time.min, tzinfo=UTC), days.start_of(day)
    return {
        "day": day,
        "start": start,
        "end": end,
        "first_id": ids.first_of("col", start - CLOCK_MARGIN),
        "last_id": ids.first_of("col", end + CLOCK_MARGIN),
    }
