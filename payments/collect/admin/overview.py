"""Collections on the first page of the console: today, success rates, charts of 30 days."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from django.db import connection
from django.db.models import Count, Q, Sum
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from merchants.models import Method
from payments.collect.models import Order
from payments.console.charts import Series, chart
from payments.console.formatting import amount
from payments.console.overview import (
    CLOCK_MARGIN,
    DAYS_SECONDS,
    NOW_SECONDS,
    Group,
    Overview,
    chart_days,
    created_since,
    grouped,
    limit_to_scope,
)
from payments.console.tenancy import Scope
from payments.core import days, ids

RATE_DAYS = 7
ORDER_GROUPS: list[Group] = [
    (_("Paid"), "good", (Order.Status.COMPLETED,)),
    (
        _("Open"),
        "open",
        (Order.Status.PENDING, Order.Status.PROCESSING, Order.Status.WAITING_TRANSFER),
    ),
    (_("Failed"), "bad", (Order.Status.FAILED,)),
    (_("Expired"), "idle", (Order.Status.EXPIRED,)),
]

# Each day is a range of the covering index, so no rows are read. Computing the day of each payment
# took longer than the whole page otherwise.
_PAID_SQL = """
SELECT period.day, paid.currency, count(*), sum(paid.amount)
FROM unnest(%(days)s::date[], %(starts)s::timestamptz[], %(ends)s::timestamptz[])
        AS period (day, start_at, end_at)
    JOIN collect_order AS paid
        ON paid.paid_at >= period.start_at AND paid.paid_at < period.end_at
            AND (%(all)s OR paid.merchant_id = ANY(%(merchants)s))
GROUP BY period.day, paid.currency
"""


# The tally has UTC days (docs/decisions/0002). A UTC day begins in the evening of the previous day
# in Bogotá. The query counts the orders of those evening hours and moves them to the previous day.
# It is one statement, so that no order changes its status in between. It reads the primary key for
# all merchants, and the merchant's index for one merchant.
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
# Each evening has its own limits. If they were joined as a list, the planner would overestimate the
# rows of an evening and read a whole index for each day.
_EVENING_SQL = """
SELECT %(day_{n})s::date AS day, status, count(*) AS orders FROM collect_order AS placed
WHERE created_at >= %(start_{n})s AND created_at < %(end_{n})s AND {whose}
GROUP BY status
"""
_ALL_MERCHANTS = "id >= %(first_id_{n})s AND id < %(last_id_{n})s"
_SOME_MERCHANTS = "merchant_id = ANY(%(merchants)s)"


def parts(overview: Overview) -> dict[str, Any]:
    if not overview.may("collect.view_order"):
        return {}
    return {
        "collected": _collected(overview.cached("collected", NOW_SECONDS, collected_today)),
        "success": _success(overview.cached("success", DAYS_SECONDS, success_rates)),
        "charts": _order_charts(overview),
    }


def _collected(rows: list[dict[str, Any]]) -> list[dict[str, object]]:
    return [
        {
            "currency": row["currency"],
            "sum": amount(row["sum"], row["currency"]),
            "count": row["count"],
            "before": amount(row["sum_before"], row["currency"]),
            "count_before": row["count_before"],
            "change": _change(row["sum"], row["sum_before"]),
        }
        for row in rows
    ]


def _change(today: Decimal, before: Decimal) -> str:
    """`+12 %` against yesterday at the same time. Empty if yesterday has no figure."""
    return f"{(today - before) / before * 100:+.0f} %" if before else ""


def _success(rows: list[dict[str, Any]]) -> dict[str, object]:
    labels = dict(Method.choices)
    ended, completed = (sum(row[name] for row in rows) for name in ("ended", "completed"))
    return {
        "rows": [
            {
                **row,
                "label": labels.get(row["method"], row["method"]),
                "width": f"{row['percent']:.0f}",
            }
            for row in rows
        ],
        "ended": ended,
        "percent": f"{100 * completed / ended:.0f} %" if ended else "",
        "days": RATE_DAYS,
    }


def _order_charts(overview: Overview) -> list[dict[str, object]]:
    period = chart_days(overview.now)
    paid = overview.cached("paid-days", DAYS_SECONDS, collected_by_day)
    states = overview.cached("order-days", DAYS_SECONDS, orders_by_day)
    currencies = sorted({name for day in paid.values() for name in day} - {"COP"})
    pesos = [paid.get(day, {}).get("COP", (0, Decimal(0))) for day in period]
    series = [
        Series("COP", "good", [total for _n, total in pesos], [amount(t, "COP") for _n, t in pesos])
    ]
    # Other currencies do not fit an axis of pesos, so only the table shows them.
    for name in currencies:
        sums = [paid.get(day, {}).get(name, (0, Decimal(0)))[1] for day in period]
        series.append(Series(name, "", [0] * len(period), [amount(each, name) for each in sums]))
    return [
        chart(_("Collected by day"), gettext("Pesos, by day of payment in Bogotá"), period, series),
        chart(
            _("Orders by state"),
            gettext("By day of creation in Bogotá, in the state they have now"),
            period,
            grouped(period, states, ORDER_GROUPS),
        ),
    ]


def collected_today(scope: Scope, now: datetime) -> list[dict[str, Any]]:
    """For each currency, the sum since midnight, and yesterday's until the same time.

    Pesos first.
    """
    midnight = days.start_of(days.day_of(now))
    yesterday, same_time = midnight - days.ONE_DAY, now - days.ONE_DAY
    today, before = Q(paid_at__gte=midnight), Q(paid_at__lte=same_time)
    paid = limit_to_scope(Order.objects.filter(paid_at__gte=yesterday), scope)
    rows = paid.values("currency").annotate(
        # Counts a column of the covering index. The key is not in that index.
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
    """For each method, the share of completed orders.

    It counts final orders with a charge, in RATE_DAYS.
    """
    since = now - timedelta(days=RATE_DAYS)
    tried = created_since(Order, "col", since, scope).filter(selected_method__isnull=False)
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
    """{day of creation: {status: number of orders}}.

    The days come from the tally, the evenings from the orders.
    """
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
        "first_id": ids.first_of("col", start - CLOCK_MARGIN),
        "last_id": ids.first_of("col", end + CLOCK_MARGIN),
    }
