"""The first page of the console: what waits for an operator, and whether the workers are alive."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from payments.bills.models import BillPayment
from payments.collect.models import Charge, Dispute, Refund, UnmatchedFunds
from payments.core import clock
from payments.core.console import COUNT_CAP, walls
from payments.core.models import Heartbeat
from payments.payout.models import Payout
from payments.topup.models import TopUp
from webhooks.models import Delivery, Status


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """The first page: what waits for an operator, and whether the workers are alive."""
    if walls.is_walled(request):
        return {**context, "cards": [], "workers": []}
    return {**context, "cards": _cards(request), "workers": _workers()}


def _cards(request: HttpRequest) -> list[dict[str, Any]]:
    """Each is one query on an index; only what this operator may see."""
    day_ago = clock.now() - timedelta(days=1)
    cards = [
        (
            "collect.view_unmatchedfunds",
            _("Unmatched funds to decide"),
            lambda: UnmatchedFunds.objects.filter(status=UnmatchedFunds.Status.OPEN),
            "admin:collect_unmatchedfunds_changelist",
            "status__exact=OPEN",
        ),
        (
            "webhooks.view_delivery",
            _("Webhooks that failed for good, last 24 hours"),
            lambda: Delivery.objects.filter(status=Status.FAILED, created_at__gte=day_ago),
            "admin:webhooks_delivery_changelist",
            "status__exact=FAILED",
        ),
        (
            "collect.view_charge",
            _("Charges whose outcome the rail is being asked for"),
            lambda: Charge.objects.filter(reconcile_at__isnull=False),
            "admin:collect_charge_changelist",
            "",
        ),
        (
            "collect.view_refund",
            _("Refunds that wait for a decision"),
            lambda: Refund.objects.filter(needs_approval=True),
            "admin:collect_refund_changelist",
            "exceptions=approval",
        ),
        (
            "collect.view_refund",
            _("Refunds in doubt that wait for an operator"),
            lambda: Refund.objects.filter(needs_operator=True),
            "admin:collect_refund_changelist",
            "exceptions=operator",
        ),
        (
            "collect.view_dispute",
            _("Disputes that are open"),
            lambda: Dispute.objects.filter(status=Dispute.Status.OPEN),
            "admin:collect_dispute_changelist",
            "status__exact=OPEN",
        ),
        (
            "payout.view_payout",
            _("Payouts that wait for approval"),
            lambda: Payout.objects.filter(needs_approval=True),
            "admin:payout_payout_changelist",
            "exceptions=approval",
        ),
        (
            "payout.view_payout",
            _("Payouts in doubt that wait for an operator"),
            lambda: Payout.objects.filter(needs_operator=True),
            "admin:payout_payout_changelist",
            "exceptions=operator",
        ),
        (
            "topup.view_topup",
            _("Top-ups in doubt that wait for an operator"),
            lambda: TopUp.objects.filter(needs_operator=True),
            "admin:topup_topup_changelist",
            "exceptions=operator",
        ),
        (
            "bills.view_billpayment",
            _("Bill payments in doubt that wait for an operator"),
            lambda: BillPayment.objects.filter(needs_operator=True),
            "admin:bills_billpayment_changelist",
            "exceptions=operator",
        ),
    ]
    return [
        {
            "label": label,
            "value": rows().order_by()[:COUNT_CAP].count(),
            "link": f"{reverse(page)}?{query}",
        }
        for permission, label, rows, page, query in cards
        if request.user.has_perm(permission)
    ]


def _workers() -> list[dict[str, Any]]:
    """When each worker was last heard."""
    limit = timedelta(seconds=settings.HEARTBEAT_MAX_AGE_SECONDS)
    return [
        {"name": beat.name, "at": beat.at, "alive": clock.now() - beat.at < limit}
        for beat in Heartbeat.objects.order_by("name")
    ]
