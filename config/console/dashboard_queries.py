"""Queries of the console's first page: each reads an index or a tally, never a whole table.

Days are days in Bogotá. Results hold numbers only, so that users of the same scope share the cache.
"""

import hashlib
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import structlog
from django.core.cache import cache
from django.db import connection
from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import TruncDate

from payments.collect.models import Order
from payments.console.tenancy import Scope
from payments.core import ids
from payments.payout.models import Payout
from payments.settlement import days
from payments.settlement.services import day_closing
from webhooks import schedule
from webhooks.models import Delivery, Status

log = structlog.get_logger(__name__)
CHART_DAYS = 30
RATE_DAYS = 7
OVERDUE = timedelta(hours=1)
# Ids and `created_at` come from the clocks of two machines.
_CLOCK_MARGIN = timedelta(hours=1)
NOW_SECONDS, DAYS_SECONDS = 30, 300

# Capped: usually few rows are pending.
_PENDING_SQL = """
SELECT count(*), min(created_at) FROM (
    SELECT created_at FROM webhooks_delivery
    WHERE status = 'PENDING' AND (%(all)s OR merchant_id = ANY(%(merchants)s))
    LIMIT 10000
) AS pending
"""

# A range of the covering index for each day, without the rows themselves. Computing the day of each
# payment took longer than all the rest.
_PAID_SQL = """
SELECT period.day, paid.currency, count(*), sum(paid.amount)
FROM unnest(%(days)s::date[], %(starts)s::timestamptz[], %(ends)s::timestamptz[])
        AS period (day, start_at, end_at)
    JOIN collect_order AS paid
        ON paid.paid_at >= period.start_at AND paid.paid_at < period.end_at
            AND (%(all)s OR paid.merchant_id = ANY(%(merchants)s))
GROUP BY period.day, paid.currency
"""


# The tally has UTC days (docs/decisions/0002), which begin with the evening of the previous day in
# Bogotá: orders of those hours are counted and moved to their day. One statement, so that no order
# changes its status in between. All merchants: by the primary key, else by the merchant's index.
_ORDERS_SQL = """
SELECT day, status, sum(orders)
FROM (
    SELECT day, status, orders FROM collect_ordertally AS placed
    WHERE day = ANY(%(days)s::date[]) AND (%(all)s OR merchant_id = ANY(%(merchants)s))
    UNION ALL
    SELECT moved.day, evening.status, moved.orders
    FROM ({evenings}) AS evening
        CROSS JOIN LATERAL (VALUES (day, -orders), (day - 1, orders)) AS moved (day, orders)
) AS counted
WHERE day >= %(first)s AND day <= %(last)s
GROUP BY day, status
"""
# Each evening has its own limits: joined to a list of them, the planner overestimates the rows
# between two and reads a whole index for each day.
_EVENING_SQL = """
SELECT %(day_{n})s::date AS day, status, count(*) AS orders FROM collect_order AS placed
WHERE created_at >= %(start_{n})s AND created_at < %(end_{n})s AND {whose}
GROUP BY status
"""
_ALL_MERCHANTS = "id >= %(first_id_{n})s AND id < %(last_id_{n})s"
_SOME_MERCHANTS = "merchant_id = ANY(%(merchants)s)"


def cached(name: str, scope: Scope, seconds: int, compute: Callable[[], Any]) -> Any:
    """The result of `compute`, at most `seconds` old. Without Redis it is computed each time."""
    whose = "all" if scope is None else hashlib.sha256(",".join(sorted(scope)).encode()).hexdigest()
    key = f"first-page:{name}:{whose}"
    try:
        if (value := cache.get(key)) is not None:
            return value
    except Exception as error:  # any error of the client library
        log.warning("console.cache_unavailable", error=type(error).__name__)
        return compute()
    value = compute()
    try:
        cache.set(key, value, seconds)
    except Exception as error:
        log.warning("console.cache_unavailable", error=type(error).__name__)
    return value


def limit_to_scope(rows: QuerySet[Any], scope: Scope) -> QuerySet[Any]:
    return rows if scope is None else rows.filter(merchant__in=sorted(scope))


def collected_today(scope: Scope, now: datetime) -> list[dict[str, Any]]:
    """By currency: paid since midnight, and yesterday until the same time. Pesos first."""
    midnight = days.start_of(days.day_of(now))
    yesterday, same_time = midnight - days.ONE_DAY, now - days.ONE_DAY
    today, before = Q(paid_at__gte=midnight), Q(paid_at__lte=same_time)
    paid = limit_to_scope(Order.objects.filter(paid_at__gte=yesterday), scope)
    rows = paid.values("currency").annotate(
        # A column of the covering index, which the key is not.
        count=Count("paid_at", filter=today),
        sum=Sum("amount", filter=today, default=Decimal(0)),
        count_before=Count("paid_at", filter=before),
        sum_before=Sum("amount", filter=before, default=Decimal(0)),
    )
    nothing = {"count": 0, "sum": Decimal(0), "count_before": 0, "sum_before": Decimal(0)}
    by_currency = {row["currency"]: row for row in rows}
    by_currency.setdefault("COP", {"currency": "COP", **nothing})
    return sorted(by_currency.values(), key=lambda row: (row["currency"] != "COP", row["currency"]))


def success_rates(scope: Scope, now: datetime) -> list[dict[str, Any]]:
    """By method: completed orders among the final ones of RATE_DAYS that had a charge."""
    since = now - timedelta(days=RATE_DAYS)
    tried = _created_since(Order, "col", since, scope).filter(selected_method__isnull=False)
    ended = Q(status__in=(Order.Status.COMPLETED, Order.Status.FAILED, Order.Status.EXPIRED))
    by_method = tried.values("selected_method").annotate(
        ended=Count("pk", filter=ended),
        completed=Count("pk", filter=Q(status=Order.Status.COMPLETED)),
    )
    rows = [
        {"method": row["selected_method"], **row, "percent": 100 * row["completed"] / row["ended"]}
        for row in by_method
        if row["ended"]
    ]
    return sorted(rows, key=lambda row: (-row["ended"], row["method"]))


def payouts_today(scope: Scope, now: datetime) -> dict[str, Any]:
    """Today's payouts. `doubt`: those with an unknown outcome, of all days."""
    midnight = days.start_of(days.day_of(now))
    rows = _created_since(Payout, "po", midnight, scope)
    doubt = limit_to_scope(Payout.objects.filter(needs_operator=True), scope)
    sent = Q(sent_at__isnull=False)
    failed = Q(status__in=(Payout.Status.FAILED, Payout.Status.REFUNDED))
    return {
        **rows.aggregate(
            sent=Count("pk", filter=sent),
            sum=Sum("amount", filter=sent & ~failed, default=Decimal(0)),
            completed=Count("pk", filter=Q(status=Payout.Status.COMPLETED)),
            failed=Count("pk", filter=failed),
        ),
        "doubt": doubt.count(),
    }


def webhooks_last_day(scope: Scope, now: datetime) -> dict[str, Any]:
    """Deliveries of 24 hours, those pending now, and when the oldest of these was created."""
    since = now - days.ONE_DAY
    failed = Delivery.objects.filter(
        status=Status.FAILED, created_at__gte=schedule.failed_since(now, days.ONE_DAY)
    )
    recent = _created_since(Delivery, "del", since, scope).filter(status=Status.DELIVERED)
    values: dict[str, Any] = {"all": scope is None, "merchants": sorted(scope or ())}
    with connection.cursor() as cursor:
        cursor.execute(_PENDING_SQL, values)
        pending, oldest = cursor.fetchone()
    return {
        "delivered": recent.count(),
        "failed": limit_to_scope(failed, scope).count(),
        "pending": pending,
        "oldest": oldest,
    }


def overdue_days(now: datetime) -> list[day_closing.Due]:
    """Merchant, currency and day of settlements that are an hour late."""
    return day_closing.due_days(now - OVERDUE)


def collected_by_day(scope: Scope, now: datetime) -> dict[date, dict[str, tuple[int, Decimal]]]:
    """{day: {currency: (number of paid orders, their sum)}}"""
    period = chart_days(now)
    values: dict[str, Any] = {
        "days": period,
        "starts": [days.start_of(day) for day in period],
        "ends": [days.start_of(day + days.ONE_DAY) for day in period],
        "all": scope is None,
        "merchants": sorted(scope or ()),
    }
    by_day: dict[date, dict[str, tuple[int, Decimal]]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_PAID_SQL, values)
        for day, currency, count, total in cursor:
            by_day.setdefault(day, {})[currency] = (count, total)
    return by_day


def orders_by_day(scope: Scope, now: datetime) -> dict[date, dict[str, int]]:
    """{day of creation: {status: number of orders}}, from the tally except for the evenings."""
    period = chart_days(now)
    utc_days = [*period, period[-1] + days.ONE_DAY]
    values: dict[str, Any] = {
        "days": utc_days,
        "first": period[0],
        "last": period[-1],
        "all": scope is None,
        "merchants": sorted(scope or ()),
    }
    for number, day in enumerate(utc_days):
        values |= {f"{name}_{number}": value for name, value in _evening_before(day).items()}
    whose = _ALL_MERCHANTS if scope is None else _SOME_MERCHANTS
    each = _EVENING_SQL.replace("{whose}", whose)
    evenings = " UNION ALL ".join(each.replace("{n}", str(n)) for n in range(len(utc_days)))
    by_day: dict[date, dict[str, int]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_ORDERS_SQL.replace("{evenings}", evenings), values)
        for day, status, count in cursor:
            by_day.setdefault(day, {})[status] = int(count)
    return by_day


def _evening_before(day: date) -> dict[str, Any]:
    """The hours of this UTC day that belong to the previous day in Bogotá."""
    start, end = datetime.combine(day, time.min, tzinfo=UTC), days.start_of(day)
    return {
        "day": day,
        "start": start,
        "end": end,
        "first_id": ids.first_of("col", start - _CLOCK_MARGIN),
        "last_id": ids.first_of("col", end + _CLOCK_MARGIN),
    }


def payouts_by_day(scope: Scope, now: datetime) -> dict[date, dict[str, int]]:
    """{day of creation: {status: number of payouts}}"""
    rows = _created_since(Payout, "po", days.start_of(_first_day(now)), scope)
    dated = rows.annotate(day=TruncDate("created_at", tzinfo=days.BOGOTA))
    return _by_day(dated.values("day", "status").annotate(count=Count("*")))


def chart_days(now: datetime) -> list[date]:
    """Today is the last one."""
    first = _first_day(now)
    return [first + timedelta(days=number) for number in range(CHART_DAYS)]


def _first_day(now: datetime) -> date:
    return days.day_of(now) - timedelta(days=CHART_DAYS - 1)


def _by_day(rows: Any) -> dict[date, dict[str, int]]:
    by_day: dict[date, dict[str, int]] = {}
    for row in rows:
        by_day.setdefault(row["day"], {})[row["status"]] = row["count"]
    return by_day


def _created_since(model: Any, prefix: str, since: datetime, scope: Scope) -> QuerySet[Any]:
    """Rows created since then, by the primary key or by the merchant's index."""
    rows = model.objects.filter(created_at__gte=since)
    if scope is None:
        rows = rows.filter(pk__gte=ids.first_of(prefix, since - _CLOCK_MARGIN))
    return limit_to_scope(rows, scope)
