"""The console's first page: figures of today in Bogotá, work queues, charts of 30 days, workers."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.console import dashboard_queries as queries
from config.console import work_queues
from config.console.charts import Series, chart
from merchants.models import Method
from payments.collect.models import Order
from payments.console import saved_filters, tenancy
from payments.console.formatting import amount
from payments.console.tenancy import Scope
from payments.core import clock
from payments.core.models import Heartbeat
from payments.payout.models import Payout
from payments.settlement.days import day_of

Cached = Callable[[str, int, Callable[[Scope, datetime], Any]], Any]
# Label, colour, statuses.
Group = tuple[str | Promise, str, tuple[str, ...]]
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
PAYOUT_GROUPS: list[Group] = [
    (_("Completed"), "good", (Payout.Status.COMPLETED,)),
    (_("On their way"), "open", (Payout.Status.PENDING, Payout.Status.PROCESSING)),
    (_("Failed or returned"), "bad", (Payout.Status.FAILED, Payout.Status.REFUNDED)),
]


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Each part needs the permission to view its records; users see their merchants only."""
    now, scope = clock.now(), tenancy.scope(request)
    may = request.user.has_perm
    parts: dict[str, Any] = {
        "cards": work_queues.queue_cards(request),
        "charts": [],
        "moment": now,
        "saved_filters": saved_filters.everywhere(request),
    }

    def cached(name: str, seconds: int, compute: Callable[[Scope, datetime], Any]) -> Any:
        # Yesterday's figures must not appear after midnight.
        name = f"{name}:{day_of(now)}"
        return queries.cached(name, scope, seconds, lambda: compute(scope, now))

    if may("collect.view_order"):
        parts["collected"] = _collected(
            cached("collected", queries.NOW_SECONDS, queries.collected_today)
        )
        parts["success"] = _success(cached("success", queries.DAYS_SECONDS, queries.success_rates))
        parts["charts"] += _order_charts(now, cached)
    if may("payout.view_payout"):
        parts["payouts"] = _payouts(cached("payouts", queries.NOW_SECONDS, queries.payouts_today))
        parts["charts"].append(_payout_chart(now, cached))
    if may("webhooks.view_delivery"):
        parts["webhooks"] = cached("webhooks", queries.NOW_SECONDS, queries.webhooks_last_day)
    if scope is None:
        parts["workers"] = _workers(now)
        if may("settlement.view_settlement"):
            parts["overdue"] = queries.cached(
                "overdue",
                None,
                queries.DAYS_SECONDS,
                lambda: queries.overdue_days(now),
            )
    return {**context, **parts}


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
    """`+12 %` against yesterday at the same time; empty without a figure of yesterday."""
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
        "days": queries.RATE_DAYS,
    }


def _payouts(today: dict[str, Any]) -> dict[str, Any]:
    return {**today, "sum": amount(today["sum"], "COP")}


def _order_charts(now: datetime, cached: Cached) -> list[dict[str, object]]:
    days = queries.chart_days(now)
    paid = cached("paid-days", queries.DAYS_SECONDS, queries.collected_by_day)
    states = cached("order-days", queries.DAYS_SECONDS, queries.orders_by_day)
    currencies = sorted({name for day in paid.values() for name in day} - {"COP"})
    pesos = [paid.get(day, {}).get("COP", (0, Decimal(0))) for day in days]
    series = [
        Series("COP", "good", [total for _n, total in pesos], [amount(t, "COP") for _n, t in pesos])
    ]
    # Other currencies do not fit an axis of pesos: only the table has them.
    for name in currencies:
        sums = [paid.get(day, {}).get(name, (0, Decimal(0)))[1] for day in days]
        series.append(Series(name, "", [0] * len(days), [amount(each, name) for each in sums]))
    return [
        chart(_("Collected by day"), gettext("Pesos, by day of payment in Bogotá"), days, series),
        chart(
            _("Orders by state"),
            gettext("By day of creation in Bogotá, in the state they have now"),
            days,
            _grouped(days, states, ORDER_GROUPS),
        ),
    ]


def _payout_chart(now: datetime, cached: Cached) -> dict[str, object]:
    days = queries.chart_days(now)
    states = cached("payout-days", queries.DAYS_SECONDS, queries.payouts_by_day)
    return chart(
        _("Payouts by day"),
        gettext("By day of creation in Bogotá, in the state they have now"),
        days,
        _grouped(days, states, PAYOUT_GROUPS),
    )


def _grouped(
    days: Sequence[date], states: Mapping[date, Mapping[str, int]], groups: Sequence[Group]
) -> list[Series]:
    series = []
    for label, colour, members in groups:
        values = [int(sum(states.get(day, {}).get(each, 0) for each in members)) for day in days]
        series.append(Series(label, colour, values, [f"{value}" for value in values]))
    return series


def _workers(now: datetime) -> list[dict[str, object]]:
    limit = timedelta(seconds=settings.HEARTBEAT_MAX_AGE_SECONDS)
    return [
        {"name": beat.name, "at": beat.at, "alive": now - beat.at < limit}
        for beat in Heartbeat.objects.order_by("name")
    ]
