"""How many orders of a period are in each state, and their sums, at any number of orders.

The tally has UTC days (docs/decisions/0002), and a day in Bogotá begins at 05:00 UTC. So the tally
of the period is corrected by the orders of two nights: those before the first day, which do not
belong to it, and those of the last day, which the tally has on the next day.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.db import connection

from payments.collect.models import Order
from payments.collect.services.orders.order_days import evening_before
from payments.core import days

ENDED = (Order.Status.COMPLETED, Order.Status.FAILED, Order.Status.EXPIRED)

_SQL = """
SELECT {names}currency, status, sum(orders), sum(amount) FROM (
    SELECT merchant_id, currency, status, orders, amount FROM collect_ordertally
    WHERE day >= %(first)s AND day <= %(last)s AND (%(all)s OR merchant_id = ANY(%(merchants)s))
    UNION ALL
    SELECT merchant_id, currency, status, -count(*), -sum(amount) FROM collect_order
    WHERE created_at >= %(start_0)s AND created_at < %(end_0)s AND {before}
    GROUP BY merchant_id, currency, status
    UNION ALL
    SELECT merchant_id, currency, status, count(*), sum(amount) FROM collect_order
    WHERE created_at >= %(start_1)s AND created_at < %(end_1)s AND {after}
    GROUP BY merchant_id, currency, status
) AS counted
GROUP BY {names}currency, status
HAVING sum(orders) <> 0
"""
_ALL = "id >= %(first_id_{n})s AND id < %(last_id_{n})s"
_SOME = "merchant_id = ANY(%(merchants)s)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Orders created in the period, in the state that they have now.

    merchant_id   empty if the totals are of all merchants together.
    """

    merchant_id: str
    currency: str
    status: str
    orders: int
    amount: Decimal


def sum_orders(
    *, merchants: frozenset[str] | None, first: date, last: date, by_merchant: bool = False
) -> list[Totals]:
    """Days in Bogotá, both included. `merchants`: None for all."""
    values: dict[str, Any] = {
        "first": first,
        "last": last,
        "all": merchants is None,
        "merchants": sorted(merchants or ()),
    }
    for number, day in enumerate((first, last + days.ONE_DAY)):
        values |= {f"{name}_{number}": value for name, value in evening_before(day).items()}
    whose = _ALL if merchants is None else _SOME
    statement = _SQL.format(
        names="merchant_id, " if by_merchant else "",
        before=whose.format(n=0),
        after=whose.format(n=1),
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(_totals(cursor, by_merchant))


def _totals(rows: Any, by_merchant: bool) -> Iterator[Totals]:
    for row in rows:
        merchant_id, (currency, status, orders, amount) = (
            (row[0], row[1:]) if by_merchant else ("", row)
        )
        yield Totals(
            merchant_id=merchant_id,
            currency=currency,
            status=status,
            orders=int(orders),
            amount=amount,
        )
