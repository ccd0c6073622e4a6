"""Work queues of the first page: records that wait for an operator, with counts and links."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from payments.bills.models import BillPayment
from payments.collect.models import Charge, Dispute, Refund, UnmatchedFunds
from payments.console import tenancy
from payments.console.changelist import COUNT_CAP
from payments.core import clock
from payments.payout.models import Payout
from payments.settlement import days
from payments.topup.models import TopUp
from webhooks import schedule
from webhooks.models import Delivery, Status

ALL_ROWS = Q()


@dataclass(frozen=True, slots=True)
class WorkQueue:
    """`query` selects the same rows in the list of the model."""

    label: str | Promise
    rows: Callable[[datetime], QuerySet[Any]]
    query: str
    for_operators_only: bool = False
    # Which of the rows users of merchants see in the list.
    merchant_filter: Q = ALL_ROWS


# Each has an index of its own.
WORK_QUEUES = (
    WorkQueue(
        _("Unmatched funds to decide"),
        lambda now: UnmatchedFunds.objects.filter(status=UnmatchedFunds.Status.OPEN),
        "status__exact=OPEN",
    ),
    WorkQueue(
        _("Webhooks that failed for good, last 24 hours"),
        lambda now: Delivery.objects.filter(
            status=Status.FAILED, created_at__gte=schedule.failed_since(now, days.ONE_DAY)
        ),
        "status__exact=FAILED",
    ),
    WorkQueue(
        _("Charges whose outcome the rail is being asked for"),
        lambda now: Charge.objects.filter(reconcile_at__isnull=False),
        "exceptions=asked",
        for_operators_only=True,
    ),
    WorkQueue(
        _("Refunds that wait for a decision"),
        lambda now: Refund.objects.filter(needs_approval=True),
        "exceptions=approval",
    ),
    WorkQueue(
        _("Refunds in doubt that wait for an operator"),
        lambda now: Refund.objects.filter(needs_operator=True),
        "exceptions=operator",
        for_operators_only=True,
    ),
    WorkQueue(
        _("Disputes that are open or in doubt"),
        lambda now: Dispute.objects.waiting(),
        "exceptions=waiting",
        merchant_filter=Q(status=Dispute.Status.OPEN),
    ),
    WorkQueue(
        _("Payouts that wait for approval"),
        lambda now: Payout.objects.filter(needs_approval=True),
        "exceptions=approval",
    ),
    WorkQueue(
        _("Payouts in doubt that wait for an operator"),
        lambda now: Payout.objects.filter(needs_operator=True),
        "exceptions=operator",
        for_operators_only=True,
    ),
    WorkQueue(
        _("Top-ups in doubt that wait for an operator"),
        lambda now: TopUp.objects.filter(needs_operator=True),
        "exceptions=operator",
        for_operators_only=True,
    ),
    WorkQueue(
        _("Bill payments in doubt that wait for an operator"),
        lambda now: BillPayment.objects.filter(needs_operator=True),
        "exceptions=operator",
        for_operators_only=True,
    ),
)


def queue_cards(request: HttpRequest) -> list[dict[str, object]]:
    """Limited by the user's permissions and tenant scope; queues with work come first."""
    cards: list[dict[str, object]] = []
    now = clock.now()
    for queue in WORK_QUEUES:
        rows = queue.rows(now)
        page: Any = admin.site._registry[rows.model]
        if not page.has_view_permission(request) or (
            queue.for_operators_only and tenancy.is_merchant_user(request)
        ):
            continue
        if tenancy.is_merchant_user(request):
            rows = rows.filter(queue.merchant_filter)
        own = tenancy.limit(request, rows, getattr(page, "merchant_path", None))
        opts = rows.model._meta
        url = reverse(f"admin:{opts.app_label}_{opts.model_name}_changelist")
        cards.append(
            {
                "label": queue.label,
                "value": own.order_by()[:COUNT_CAP].count(),
                "link": f"{url}?{queue.query}",
            }
        )
    return sorted(cards, key=lambda card: not card["value"])
