"""What waits for people: exceptions with their counts, each a link to the list of just those."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
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

EVERY = Q()


@dataclass(frozen=True, slots=True)
class Queue:
    """Rows of one table that wait, and the query of the list that shows them."""

    label: Any
    rows: Callable[[datetime], QuerySet[Any]]
    query: str
    # Work of operators, and no news for people of merchants.
    is_ours: bool = False
    # Which of them the list shows to people of merchants.
    theirs: Q = EVERY


# Each is one query on an index of its own.
QUEUES = (
    Queue(
        _("Unmatched funds to decide"),
        lambda now: UnmatchedFunds.objects.filter(status=UnmatchedFunds.Status.OPEN),
        "status__exact=OPEN",
    ),
    Queue(
        _("Webhooks that failed for good, last 24 hours"),
        lambda now: Delivery.objects.filter(
            status=Status.FAILED, created_at__gte=schedule.failed_since(now, days.ONE_DAY)
        ),
        "status__exact=FAILED",
    ),
    Queue(
        _("Charges whose outcome the rail is being asked for"),
        lambda now: Charge.objects.filter(reconcile_at__isnull=False),
        "exceptions=asked",
        is_ours=True,
    ),
    Queue(
        _("Refunds that wait for a decision"),
        lambda now: Refund.objects.filter(needs_approval=True),
        "exceptions=approval",
    ),
    Queue(
        _("Refunds in doubt that wait for an operator"),
        lambda now: Refund.objects.filter(needs_operator=True),
        "exceptions=operator",
        is_ours=True,
    ),
    Queue(
        _("Disputes that are open or in doubt"),
        lambda now: Dispute.objects.waiting(),
        "exceptions=waiting",
        theirs=Q(status=Dispute.Status.OPEN),
    ),
    Queue(
        _("Payouts that wait for approval"),
        lambda now: Payout.objects.filter(needs_approval=True),
        "exceptions=approval",
    ),
    Queue(
        _("Payouts in doubt that wait for an operator"),
        lambda now: Payout.objects.filter(needs_operator=True),
        "exceptions=operator",
        is_ours=True,
    ),
    Queue(
        _("Top-ups in doubt that wait for an operator"),
        lambda now: TopUp.objects.filter(needs_operator=True),
        "exceptions=operator",
        is_ours=True,
    ),
    Queue(
        _("Bill payments in doubt that wait for an operator"),
        lambda now: BillPayment.objects.filter(needs_operator=True),
        "exceptions=operator",
        is_ours=True,
    ),
)


def cards(request: HttpRequest) -> list[dict[str, Any]]:
    """Only what this person may see, and only the rows of their merchants."""
    found, now = [], clock.now()
    for queue in QUEUES:
        rows = queue.rows(now)
        page: Any = admin.site._registry[rows.model]
        if not page.has_view_permission(request) or (
            queue.is_ours and tenancy.is_merchant_user(request)
        ):
            continue
        if tenancy.is_merchant_user(request):
            rows = rows.filter(queue.theirs)
        own = tenancy.limit(request, rows, getattr(page, "merchant_path", None))
        opts = rows.model._meta
        address = reverse(f"admin:{opts.app_label}_{opts.model_name}_changelist")
        found.append(
            {
                "label": queue.label,
                "value": own.order_by()[:COUNT_CAP].count(),
                "link": f"{address}?{queue.query}",
            }
        )
    # What waits stands first.
    return sorted(found, key=lambda card: not card["value"])
