"""The first page: today's figures in Bogotá, what waits for people, 30 days, workers."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.console import figures, queue
from config.console.charts import Series, chart
from merchants.models import Method
from payments.collect.models import Order
from payments.console import saved_filters, tenancy
from payments.console.formatting import amount
from payments.core import clock
from payments.core.models import Heartbeat
from payments.payout.models import Payout
from payments.settlement.days import day_of

GROUPS: list[tuple[Any, str, tuple[str, ...]]] = [
    (_("Paid"), "good", (Order.Status.COMPLETED,)),
    (
        _("Open"),
        "open",
        (Order.Status.PENDING, Order.Status.PROCESSING, Order.Status.WAITING_TRANSFER),
    ),
    (_("Failed"), "bad", (Order.Status.FAILED,)),
    (_("Expired"), "idle", (Order.Status.EXPIRED,)),
]
PAYOUT_GROUPS: list[tuple[Any, str, tuple[str, ...]]] = [
    (_("Completed"), "good", (Payout.Status.COMPLETED,)),
    (_("On their way"), "open", (Payout.Status.PENDING, Payout.Status.PROCESSING)),
    (_("Failed or returned"), "bad", (Payout.Status.FAILED, Payout.Status.REFUNDED)),
]


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Each part only for who may see what it is made of, and of their own merchants only."""
    now, scope = clock.now(), tenancy.scope(request)
    may = request.user.has_perm
    found: dict[str, Any] = {
        "cards": queue.cards(request),
        "charts": [],
        "moment": now,
        "saved_filters": saved_filters.everywhere(request),
    }

    def kept(name: str, seconds: int, compute: Callable[..., Any]) -> Any:
        # What was counted before midnight says nothing of the day that has begun.
        name = f"{name}:{day_of(now)}"
        return figures.kept(name, scope, seconds, lambda: compute(scope, now))

    if may("collect.view_order"):
        found["collected"] = _collected(kept("collected", figures.NOW_SECONDS, figures.collected))
        found["success"] = _success(kept("success", figures.DAYS_SECONDS, figures.success))
        found["charts"] += _order_charts(now, kept)
    if may("payout.view_payout"):
        found["payouts"] = _payouts(kept("payouts", figures.NOW_SECONDS, figures.payouts))
        found["charts"].append(_payout_chart(now, kept))
    if may("webhooks.view_delivery"):
        found["webhooks"] = kept("webhooks", figures.NOW_SECONDS, figures.webhooks)
    if scope is None:
        found["workers"] = _workers(now)
        if may("settlement.view_settlement"):
            found["overdue"] = figures.kept(
                "overdue", None, figures.DAYS_SECONDS, lambda: figures.overdue_days(now)
            )
    return {**context, **found}


def _collected(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
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
    """`+12 %` against the same time yesterday; empty when there is nothing to compare with."""
    return f"{(today - before) / before * 100:+.0f} %" if before else ""


def _success(rows: list[dict[str, Any]]) -> dict[str, Any]:
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
        "days": figures.RATE_DAYS,
    }


def _payouts(found: dict[str, Any]) -> dict[str, Any]:
    return {**found, "sum": amount(found["sum"], "COP")}


def _order_charts(now: datetime, kept: Callable[..., Any]) -> list[dict[str, Any]]:
    days = figures.chart_days(now)
    paid = kept("paid-days", figures.DAYS_SECONDS, figures.collected_by_day)
    states = kept("order-days", figures.DAYS_SECONDS, figures.orders_by_day)
    currencies = sorted({name for day in paid.values() for name in day} - {"COP"})
    pesos = [paid.get(day, {}).get("COP", (0, Decimal(0))) for day in days]
    series = [
        Series("COP", "good", [total for _n, total in pesos], [amount(t, "COP") for _n, t in pesos])
    ]
    # Coins have no place on an axis of pesos: they stand in the table.
    for name in currencies:
        sums = [paid.get(day, {}).get(name, (0, Decimal(0)))[1] for day in days]
        series.append(Series(name, "", [0] * len(days), [amount(each, name) for each in sums]))
    return [
        chart(_("Collected by day"), gettext("Pesos, by day of payment in Bogotá"), days, series),
        chart(
            _("Orders by state"),
            gettext("By day of creation in Bogotá, in the state they have now"),
            days,
            _grouped(days, states, GROUPS),
        ),
    ]


def _payout_chart(now: datetime, kept: Callable[..., Any]) -> dict[str, Any]:
    days = figures.chart_days(now)
    states = kept("payout-days", figures.DAYS_SECONDS, figures.payouts_by_day)
    return chart(
        _("Payouts by day"),
        gettext("By day of creation in Bogotá, in the state they have now"),
        days,
        _grouped(days, states, PAYOUT_GROUPS),
    )


def _grouped(
    days: Sequence[date], states: Mapping[date, Mapping[str, int]], groups: Sequence[Any]
) -> list[Series]:
    series = []
    for label, colour, members in groups:
        values = [int(sum(states.get(day, {}).get(each, 0) for each in members)) for day in days]
        series.append(Series(label, colour, values, [f"{value}" for value in values]))
    return series


def _workers(now: datetime) -> list[dict[str, Any]]:
    """When each worker was last heard."""
    limit = timedelta(seconds=settings.HEARTBEAT_MAX_AGE_SECONDS)
    return [
        {"name": beat.name, "at": beat.at, "alive": now - beat.at < limit}
        for beat in Heartbeat.objects.order_by("name")
    ]
