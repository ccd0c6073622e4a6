"""Payouts on the first page of the console."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.db.models import Count, Q, Sum
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from payments.console.charts import chart
from payments.console.formatting import amount
from payments.console.overview import (
    DAYS_SECONDS,
    NOW_SECONDS,
    Group,
    Overview,
    chart_days,
    count_by_day,
    created_since,
    first_chart_day,
    grouped,
    limit_to_scope,
)
from payments.console.tenancy import Scope
from payments.core import days
from payments.payout.models import Payout

Status = Payout.Status
PAYOUT_GROUPS: list[Group] = [
    (pgettext_lazy("payouts", "Completed"), "good", (Status.COMPLETED,)),
    (pgettext_lazy("payouts", "In progress"), "open", (Status.PENDING, Status.PROCESSING)),
    (pgettext_lazy("payouts", "Failed or returned"), "bad", (Status.FAILED, Status.REFUNDED)),
]


def parts(overview: Overview) -> dict[str, Any]:
    if not overview.may("payout.view_payout"):
        return {}
    today = _today(overview)
    return {
        "payouts": {
            **today,
            "sum": amount(today["sum"], "COP"),
            "made": amount(today["made"], "COP"),
        },
        "charts": [_chart(overview, _state(overview, today))],
    }


def _today(overview: Overview) -> dict[str, Any]:
    """At once for a merchant: it reads what it has just paid."""
    if overview.scope is not None:
        return payouts_today(overview.scope, overview.now)
    return overview.cached("payouts", NOW_SECONDS, payouts_today)


def _state(overview: Overview, today: dict[str, Any]) -> str:
    return "" if overview.scope is None else "-".join(f"{value}" for value in today.values())


def _chart(overview: Overview, state: str) -> dict[str, object]:
    period = chart_days(overview.now)
    states = overview.cached("payout-days", DAYS_SECONDS, payouts_by_day, state=state)
    return chart(
        _("Payouts by day"),
        gettext("By day of creation in Bogotá, in the state they have now"),
        period,
        grouped(period, states, PAYOUT_GROUPS),
    )


def payouts_today(scope: Scope, now: datetime) -> dict[str, Any]:
    """Today's payouts. `doubt` counts the payouts of all days with an unknown outcome."""
    midnight = days.start_of(days.day_of(now))
    rows = created_since(Payout, "po", midnight, scope)
    doubt = limit_to_scope(Payout.objects.filter(needs_operator=True), scope)
    sent = Q(sent_at__isnull=False)
    failed = Q(status__in=(Payout.Status.FAILED, Payout.Status.REFUNDED))
    return {
        **rows.aggregate(
            sent=Count("pk", filter=sent),
            sum=Sum("amount", filter=sent & ~failed, default=Decimal(0)),
            completed=Count("pk", filter=Q(status=Payout.Status.COMPLETED)),
            failed=Count("pk", filter=failed),
            made=Sum("amount", filter=~failed, default=Decimal(0)),
            open=Count("pk", filter=Q(status__in=(Status.PENDING, Status.PROCESSING))),
        ),
        "doubt": doubt.count(),
    }


def payouts_by_day(scope: Scope, now: datetime) -> dict[date, dict[str, int]]:
    return count_by_day(created_since(Payout, "po", days.start_of(first_chart_day(now)), scope))
