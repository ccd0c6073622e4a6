"""Tables below an order: its charges, and what came after the payment.

Brings the pages of refunds, disputes and unmatched funds.
"""

from typing import Any

from django.utils.translation import gettext_lazy as _

from payments.collect.admin import disputes, refunds, unmatched
from payments.collect.admin.timelines import unmatched_of
from payments.collect.models import Charge, Dispute, Order, Refund
from payments.console import tenancy
from payments.console.formatting import amount, badge, link, table, when

CHARGE_LABELS = {
    Charge.Status.STARTING: "info",
    Charge.Status.PENDING: "info",
    Charge.Status.RECEIVED: "warning",
    Charge.Status.SUCCEEDED: "success",
    Charge.Status.FAILED: "danger",
    Charge.Status.ABANDONED: "default",
}


def tables(order: Order) -> list[dict[str, Any]]:
    """Tries, refunds, disputes and unmatched funds, where there are any."""
    charges = list(order.charges.all())
    found = [_charges(charges)] if charges else []
    return [*found, *_refunds(order), *_disputes(order), *_unmatched(order)]


def _charges(charges: list[Charge]) -> dict[str, Any]:
    headers = [
        _("charge"),
        _("method"),
        _("status"),
        _("amount due"),
        _("received"),
        _("trace code"),
        _("reason"),
        _("created at"),
    ]
    rows = [
        [
            link(charge),
            charge.direct_method or charge.get_method_display(),
            badge(charge.get_status_display(), CHARGE_LABELS[Charge.Status(charge.status)]),
            amount(charge.amount, charge.currency),
            amount(charge.received, charge.currency),
            charge.trace_code or "-",
            # The rail's reason is for operators only.
            "-" if tenancy.current_user_is_merchant() else charge.failure_reason or "-",
            when(charge.created_at),
        ]
        for charge in charges
    ]
    return table(_("Charges"), headers, rows)


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
        for refund in order.refunds.all()
    ]
    headers = [
        _("refund"),
        _("status"),
        _("amount"),
        _("reason"),
        _("requested at"),
        _("completed at"),
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
        for dispute in order.disputes.all()
    ]
    headers = [
        _("dispute"),
        _("kind"),
        _("status"),
        _("disputed"),
        _("reason"),
        _("opened at"),
        _("closed at"),
    ]
    return [table(_("Disputes"), headers, rows)] if rows else []


def _unmatched(order: Order) -> list[dict[str, Any]]:
    rows = [
        [
            link(funds, funds.pk),
            unmatched.label(funds),
            amount(funds.amount, funds.currency),
            funds.get_reason_display(),
            when(funds.created_at),
            when(funds.decided_at),
        ]
        for funds in unmatched_of(order)
    ]
    headers = [
        _("id"),
        _("status"),
        _("amount"),
        _("reason"),
        _("created at"),
        _("decided at"),
    ]
    return [table(_("Unmatched funds"), headers, rows)] if rows else []
