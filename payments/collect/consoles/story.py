"""What came after a payment, on the page of its order.

Brings the pages of refunds, disputes and unmatched funds.
"""

from typing import Any

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from payments.collect.consoles import disputes, refunds, unmatched
from payments.collect.models import Dispute, Order, Refund, UnmatchedFunds
from payments.core.console import amount, badge, link, table, when


def after_payment(order: Order) -> list[dict[str, Any]]:
    """Tables of refunds, disputes and unmatched funds, where there are any."""
    return [*_refunds(order), *_disputes(order), *_unmatched(order)]


def _refunds(order: Order) -> list[dict[str, Any]]:
    rows = [
        [
            link(refund),
            badge(refund.get_status_display(), refunds.LABELS[Refund.Status(refund.status)]),
            amount(refund.amount, order.currency),
            refund.reason,
            when(refund.created_at),
            when(refund.completed_at),
        ]
        for refund in order.refunds.order_by("id")
    ]
    headers = [
        *(_("refund"), _("status"), _("amount"), _("reason")),
        *(_("requested at"), _("completed at")),
    ]
    return [table(_("Refunds"), headers, rows)] if rows else []


def _disputes(order: Order) -> list[dict[str, Any]]:
    rows = [
        [
            link(dispute),
            dispute.get_kind_display(),
            badge(dispute.get_status_display(), disputes.LABELS[Dispute.Status(dispute.status)]),
            amount(dispute.amount, order.currency),
            dispute.reason,
            when(dispute.opened_at),
            when(dispute.closed_at),
        ]
        for dispute in order.disputes.order_by("id")
    ]
    headers = [
        *(_("dispute"), _("kind"), _("status"), _("disputed"), _("reason")),
        *(_("opened at"), _("closed at")),
    ]
    return [table(_("Disputes"), headers, rows)] if rows else []


def _unmatched(order: Order) -> list[dict[str, Any]]:
    related = UnmatchedFunds.objects.filter(Q(order=order) | Q(applied_charge__order=order))
    rows = [
        [
            link(funds, funds.pk),
            unmatched.label(funds),
            amount(funds.amount, funds.currency),
            funds.get_reason_display(),
            when(funds.created_at),
            when(funds.decided_at),
        ]
        for funds in related.order_by("id")
    ]
    headers = [
        *(_("id"), _("status"), _("amount"), _("reason")),
        *(_("created at"), _("decided at")),
    ]
    return [table(_("Unmatched funds"), headers, rows)] if rows else []
