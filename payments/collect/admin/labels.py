"""The colours of states."""

from django.db import models
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.collect.models import Charge, Dispute, Order, Refund, UnmatchedFunds
from payments.console.formatting import badge
from payments.outgoing.admin.payments import OutgoingAdmin

ORDER_LABELS: dict[str, str] = {
    Order.Status.PENDING: "info",
    Order.Status.PROCESSING: "warning",
    Order.Status.WAITING_TRANSFER: "warning",
    Order.Status.COMPLETED: "success",
    Order.Status.FAILED: "danger",
    Order.Status.EXPIRED: "default",
}
LABELS: dict[type[models.Model], dict[str, str]] = {
    Charge: {
        Charge.Status.STARTING: "info",
        Charge.Status.PENDING: "info",
        Charge.Status.RECEIVED: "warning",
        Charge.Status.SUCCEEDED: "success",
        Charge.Status.FAILED: "danger",
        Charge.Status.ABANDONED: "default",
    },
    Refund: OutgoingAdmin.labels,
    Dispute: {
        Dispute.Status.OPEN: "warning",
        Dispute.Status.WON: "success",
        Dispute.Status.LOST: "danger",
    },
    UnmatchedFunds: {
        UnmatchedFunds.Status.OPEN: "warning",
        UnmatchedFunds.Status.CREDITED: "success",
        UnmatchedFunds.Status.APPLIED: "success",
        UnmatchedFunds.Status.RETURNED: "default",
    },
}


def status_badge(row: Charge | Refund | Dispute | UnmatchedFunds) -> SafeString:
    return badge(row.get_status_display(), LABELS[type(row)][row.status])


@display(description=_("status"), ordering="status")
def status_label(_page: object, row: Charge | Refund | Dispute | UnmatchedFunds) -> SafeString:
    return status_badge(row)
