"""Collections on the first page of the console: today, success rates, charts of 30 days."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Count, Q, Sum
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from merchants.models import Method
from payments.collect.models import Order, OrderTally, PaidTally
from payments.collect.services.orders.order_days import count_days
from payments.console.charts import Series, chart
from payments.console.formatting import amount
from payments.console.overview import (
    DAYS_SECONDS,
    NOW_SECONDS,
    Group,
    Overview,
    chart_days,
    created_since,
    first_chart_day,
    grouped,
    limit_to_scope,
)
from payments.console.tenancy import Scope
from payments.core import days

RATE_DAYS = 7
ORDER_GROUPS: list[Group] = [
    (pgettext_lazy("orders", "Paid"), "good", (Order.Status.COMPLETED,)),
    (
        pgettext_lazy("orders", "Open"),
        "open",
        (Order.Status.PENDING, Order.Status.PROCESSING, Order.Status.WAITING_TRANSFER),
    ),
    (pgettext_lazy("orders", "Failed"), "bad", (Order.Status.FAILED,)),
    (pgettext_lazy("orders", "Expired"), "idle", (Order.Status.EXPIRED,)),
]


def parts(overview: Overview) -> dict[str, Any]:
    if not overview.may("collect.view_order"):
        return {}
    state = _state(overview)
    today = overview.cached("collected", NOW_SECONDS, collected_today, state=state)
    rates = overview.cached("success", DAYS_SECONDS, success_rates, state=state)
    return {
        "collected": _collected(today),
        "success": _success(rates),
        "charts": _order_charts(overview, state),
    }


def _state(overview: Overview) -> str:
    """Of the orders of a merchant: another one as soon as an order is made, paid or refused.

    Empty for all merchants together: there it would never be the same twice.
    """
    if overview.scope is None:
        return ""
    first = first_chart_day(overview.now)
    rows = OrderTally.objects.filter(merchant__in=sorted(overview.scope), day__gte=first)
    counts = rows.values_list("status").annotate(orders=Sum("orders")).order_by("status")
    return "-".join(f"{status}{orders}" for status, orders in counts)


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


def _order_charts(overview: Overview, state: str) -> list[dict[str, object]]:
    period = chart_days(overview.now)
    paid = overview.cached("paid-days", NOW_SECONDS, collected_by_day, state=state)
    states = overview.cached("order-days", DAYS_SECONDS, orders_by_day, state=state)
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
    rows = PaidTally.objects.filter(day__gte=period[0], day__lte=period[-1], orders__gt=0)
    sums = limit_to_scope(rows, scope).values_list("day", "currency")
    by_day: dict[date, dict[str, tuple[int, Decimal]]] = {}
    for day, currency, count, total in sums.annotate(Sum("orders"), Sum("amount")):
        by_day.setdefault(day, {})[currency] = (int(count), total)
    return by_day


def orders_by_day(scope: Scope, now: datetime) -> dict[date, dict[str, int]]:
    """{day of creation: {status: number of orders}}"""
    by_day: dict[date, dict[str, int]] = {}
    for each in count_days(merchants=scope, period=chart_days(now)):
        states = by_day.setdefault(each.day, {})
        states[each.status] = states.get(each.status, 0) + each.orders
    return by_day
