"""The figures of the first page: each from an index or a tally, none from a whole table.

Days are days in Bogotá. Only numbers: they are kept in the cache for whoever has the same scope.
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
# Ids and `created_at` are from two readings of the clock, on machines that differ a little.
_MARGIN = timedelta(hours=1)
NOW_SECONDS, DAYS_SECONDS = 30, 300

# No further than the cap: what is pending is few rows, or something is very wrong.
_PENDING_SQL = """
SELECT count(*), min(created_at) FROM (
    SELECT created_at FROM webhooks_delivery
    WHERE status = 'PENDING' AND (%(all)s OR merchant_id = ANY(%(merchants)s))
    LIMIT 10000
) AS pending
"""

# A range of the covering index for each day: neither the rows themselves are read, nor is the
# day of each payment computed, which took longer than all the rest.
_PAID_SQL = """
SELECT period.day, paid.currency, count(*), sum(paid.amount)
FROM unnest(%(days)s::date[], %(starts)s::timestamptz[], %(ends)s::timestamptz[])
        AS period (day, start_at, end_at)
    JOIN collect_order AS paid
        ON paid.paid_at >= period.start_at AND paid.paid_at < period.end_at
            AND (%(all)s OR paid.merchant_id = ANY(%(merchants)s))
GROUP BY period.day, paid.currency
"""


# The tally has UTC days (docs/decisions/0002), and each begins with the evening of the day before
# in Bogotá: those hours are counted, and go back to their day. In one statement, so that no order
# changes its state between the two. Of all merchants along the primary key, else along their index.
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
# Each with its own limits in it: joined to a list of them, the planner cannot tell how few rows
# lie between two, and reads a whole index for each day.
_EVENING_SQL = """
SELECT %(day_{n})s::date AS day, status, count(*) AS orders FROM collect_order AS placed
WHERE created_at >= %(start_{n})s AND created_at < %(end_{n})s AND {whose}
GROUP BY status
"""
_OF_ALL = "id >= %(first_id_{n})s AND id < %(last_id_{n})s"
_OF_SOME = "merchant_id = ANY(%(merchants)s)"


def kept(name: str, scope: Scope, seconds: int, compute: Callable[[], Any]) -> Any:
    """What `compute` says, or said less than `seconds` ago. Without Redis it is asked each time."""
    whose = "all" if scope is None else hashlib.sha256(",".join(sorted(scope)).encode()).hexdigest()
    key = f"first-page:{name}:{whose}"
    try:
        if (known := cache.get(key)) is not None:
            return known
    except Exception as error:
        log.warning("console.cache_silent", error=type(error).__name__)
        return compute()
    value = compute()
    try:
        cache.set(key, value, seconds)
    except Exception as error:
        log.warning("console.cache_silent", error=type(error).__name__)
    return value


def of(rows: QuerySet[Any], scope: Scope) -> QuerySet[Any]:
    """The rows of these merchants."""
    return rows if scope is None else rows.filter(merchant__in=sorted(scope))


def collected(scope: Scope, now: datetime) -> list[dict[str, Any]]:
    """By currency: paid since midnight, and until the same time yesterday. Pesos first."""
    midnight = days.start_of(days.day_of(now))
    yesterday, same_time = midnight - days.ONE_DAY, now - days.ONE_DAY
    today, before = Q(paid_at__gte=midnight), Q(paid_at__lte=same_time)
    found = of(Order.objects.filter(paid_at__gte=yesterday), scope).values("currency")
    rows = found.annotate(
        # A column of the covering index, not the key.
        count=Count("paid_at", filter=today),
        sum=Sum("amount", filter=today, default=Decimal(0)),
        count_before=Count("paid_at", filter=before),
        sum_before=Sum("amount", filter=before, default=Decimal(0)),
    )
    nothing = {"count": 0, "sum": Decimal(0), "count_before": 0, "sum_before": Decimal(0)}
    known = {row["currency"]: row for row in rows}
    known.setdefault("COP", {"currency": "COP", **nothing})
    return sorted(known.values(), key=lambda row: (row["currency"] != "COP", row["currency"]))


def success(scope: Scope, now: datetime) -> list[dict[str, Any]]:
    """By method, of the orders of RATE_DAYS: completed, of those that ended after a try."""
    since = now - timedelta(days=RATE_DAYS)
    tried = _newer(Order, "col", since, scope).filter(selected_method__isnull=False)
    ended = Q(status__in=(Order.Status.COMPLETED, Order.Status.FAILED, Order.Status.EXPIRED))
    rows = tried.values("selected_method").annotate(
        ended=Count("pk", filter=ended),
        completed=Count("pk", filter=Q(status=Order.Status.COMPLETED)),
    )
    found = [
        {"method": row["selected_method"], **row, "percent": 100 * row["completed"] / row["ended"]}
        for row in rows
        if row["ended"]
    ]
    return sorted(found, key=lambda row: (-row["ended"], row["method"]))


def payouts(scope: Scope, now: datetime) -> dict[str, Any]:
    """Of today: how many and how much left us, arrived, failed. In doubt: of all days."""
    midnight = days.start_of(days.day_of(now))
    found = _newer(Payout, "po", midnight, scope)
    doubt = of(Payout.objects.filter(needs_operator=True), scope)
    sent = Q(sent_at__isnull=False)
    failed = Q(status__in=(Payout.Status.FAILED, Payout.Status.REFUNDED))
    return {
        **found.aggregate(
            sent=Count("pk", filter=sent),
            sum=Sum("amount", filter=sent & ~failed, default=Decimal(0)),
            completed=Count("pk", filter=Q(status=Payout.Status.COMPLETED)),
            failed=Count("pk", filter=failed),
        ),
        "doubt": doubt.count(),
    }


def webhooks(scope: Scope, now: datetime) -> dict[str, Any]:
    """Of 24 hours: delivered and failed; and what waits now, with the moment of the oldest."""
    since = now - days.ONE_DAY
    failed = Delivery.objects.filter(
        status=Status.FAILED, created_at__gte=schedule.failed_since(now, days.ONE_DAY)
    )
    recent = _newer(Delivery, "del", since, scope).filter(status=Status.DELIVERED)
    values: dict[str, Any] = {"all": scope is None, "merchants": sorted(scope or ())}
    with connection.cursor() as cursor:
        cursor.execute(_PENDING_SQL, values)
        pending, oldest = cursor.fetchone()
    return {
        "delivered": recent.count(),
        "failed": of(failed, scope).count(),
        "pending": pending,
        "oldest": oldest,
    }


def overdue_days(now: datetime) -> list[tuple[str, str, date]]:
    """Merchant, currency and day of what should have been closed an hour ago and is not."""
    return day_closing.due_days(now - OVERDUE)


def collected_by_day(scope: Scope, now: datetime) -> dict[date, dict[str, tuple[int, Decimal]]]:
    """By day and currency: how many orders were paid, and their sum."""
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
    """By day of their creation and state: how many orders. Off the tally, but for the evenings."""
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
    whose = _OF_ALL if scope is None else _OF_SOME
    each = _EVENING_SQL.replace("{whose}", whose)
    evenings = " UNION ALL ".join(each.replace("{n}", str(n)) for n in range(len(utc_days)))
    by_day: dict[date, dict[str, int]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_ORDERS_SQL.replace("{evenings}", evenings), values)
        for day, status, count in cursor:
            by_day.setdefault(day, {})[status] = int(count)
    return by_day


def _evening_before(day: date) -> dict[str, Any]:
    """The hours of this UTC day that are the evening of the day before in Bogotá."""
    start, end = datetime.combine(day, time.min, tzinfo=UTC), days.start_of(day)
    return {
        "day": day,
        "start": start,
        "end": end,
        "first_id": ids.first_of("col", start - _MARGIN),
        "last_id": ids.first_of("col", end + _MARGIN),
    }


def payouts_by_day(scope: Scope, now: datetime) -> dict[date, dict[str, int]]:
    """By day of their creation and state: how many payouts."""
    found = _newer(Payout, "po", days.start_of(_first_day(now)), scope)
    dated = found.annotate(day=TruncDate("created_at", tzinfo=days.BOGOTA))
    return _by_day(dated.values("day", "status").annotate(count=Count("*")))


def chart_days(now: datetime) -> list[date]:
    """The days of the charts, today last."""
    first = _first_day(now)
    return [first + timedelta(days=number) for number in range(CHART_DAYS)]


def _first_day(now: datetime) -> date:
    return days.day_of(now) - timedelta(days=CHART_DAYS - 1)


def _by_day(rows: Any) -> dict[date, dict[str, int]]:
    by_day: dict[date, dict[str, int]] = {}
    for row in rows:
        by_day.setdefault(row["day"], {})[row["status"]] = row["count"]
    return by_day


def _newer(model: Any, prefix: str, since: datetime, scope: Scope) -> QuerySet[Any]:
    """Rows made since then: along the primary key, or along the merchant's own index."""
    rows = model.objects.filter(created_at__gte=since)
    if scope is None:
        rows = rows.filter(pk__gte=ids.first_of(prefix, since - _MARGIN))
    return of(rows, scope)
