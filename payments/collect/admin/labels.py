"""The colours of states."""

from django.db import models
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from unfold.decorators import display

from payments.collect.models import Charge, Dispute, Order, Refund, UnmatchedFunds
from payments.collect.services.refunds.coin_transactions import is_on_desk
from payments.console.formatting import badge
from payments.console.state_words import add_state_colours, add_state_words, state_badge
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
add_state_colours("order", ORDER_LABELS)
for _model, _colours in LABELS.items():
    add_state_colours(str(_model._meta.model_name), _colours)
add_state_words(
    "refund",
    {
        Refund.Status.PROCESSING: _("On the way"),
        Refund.Status.COMPLETED: pgettext_lazy("refund", "Completed"),
        Refund.Status.FAILED: pgettext_lazy("refund", "Failed"),
    },
)
add_state_words("charge", {Charge.Status.FAILED: pgettext_lazy("attempt", "Failed")})


def status_badge(row: Charge | Refund | Dispute | UnmatchedFunds) -> SafeString:
    """Coins that an operator has not sent yet are not on the way."""
    if isinstance(row, Refund) and is_on_desk(row) and not row.transaction:
        return badge(_("To be paid"), "warning")
    return state_badge(row, LABELS[type(row)])


@display(description=_("status"), ordering="status")
def status_label(_page: object, row: Charge | Refund | Dispute | UnmatchedFunds) -> SafeString:
    return status_badge(row)
