"""The payer gets money once: by a refund, or from the bank that took it back."""

import structlog
from django.db.models import Q
from django.utils.translation import gettext_noop as _

from payments.collect.models import Dispute, Order, Refund
from payments.collect.services.orders.lookup import lock_order
from payments.collect.services.resolution import refundable_amounts

log = structlog.get_logger(__name__)


def problem(order: Order, refund: Refund) -> str:
    """Why the payer could get the money twice. Empty if that cannot happen.

    It is exact if the order is locked: then no dispute is opened or decided in between.
    """
    root = refund.charge.root_id
    found = Dispute.objects.filter(order=order, status=Dispute.Status.OPEN)
    if found.filter(Q(charge=root) | Q(charge=None)).exists():
        return _("The payment is contested. The refund waits for the bank's decision.")
    known = refundable_amounts.for_order(order)
    part = known.parts.get(root, refundable_amounts.ChargeShare())
    # `refunded` includes this refund.
    if part.refunded + part.claimed + known.unnamed.claimed > part.paid:
        return _("The payer has this money from the bank, or it did not come by this try.")
    return ""


def stop_if_contested(refund: Refund) -> bool:
    """Whether a dispute was opened since the approval. Then an operator decides; if the dispute is
    won, the refund goes on by itself.

    The refund is locked.
    """
    if not problem(lock_order(refund.order_id), refund):
        return False
    if not refund.needs_operator:
        log.error("refund.contested", refund=refund.pk, order=refund.order_id)
        refund.needs_operator = True
        refund.save(update_fields=["needs_operator", "updated_at"])
    return True
