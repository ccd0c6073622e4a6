"""The decision of an operator about each refund, before anything goes back."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_noop as _

from payments.collect.models import Dispute, Order, Refund
from payments.collect.services.orders import order_events
from payments.collect.services.orders.lookup import lock_order
from payments.collect.services.refunds.refund_engine import PRODUCT, engine
from payments.collect.services.resolution import refundable_amounts
from payments.core import audit
from payments.core.reasons import MoveReason, ReasonCode
from payments.outgoing import completion, creation, four_eyes
from payments.outgoing.errors import NotAllowed


@transaction.atomic
def approve(*, refund: Refund, actor: str, reason: str, now: datetime) -> None:
    """Lets a waiting refund go.

    Raises NotAllowed, also for the operator behind the request (payments.outgoing.four_eyes), and
    while the payer's bank may take the same money.
    """
    locked = _waiting(refund)
    four_eyes.check(actor=actor, asked_by=locked.requested_by)
    order = lock_order(locked.order_id)
    _check_not_paid_twice(order, locked)
    locked.needs_approval = False
    locked.approved_at, locked.decided_by = now, actor
    locked.next_action_at = now
    locked.save(
        update_fields=[
            "needs_approval",
            "approved_at",
            "decided_by",
            "next_action_at",
            "updated_at",
        ]
    )
    audit.record(actor=actor, action="refund.approved", subject=locked, reason=reason)
    order_events.publish("refund.approved", order=order, of=locked, now=now)
    creation.notify_worker(PRODUCT, locked)


@transaction.atomic
def reject(*, refund: Refund, actor: str, reason: str, now: datetime) -> None:
    """Ends a waiting refund as FAILED; its hold goes back. Raises NotAllowed."""
    locked = _waiting(refund)
    audit.record(actor=actor, action="refund.rejected", subject=locked, reason=reason)
    completion.fail(
        PRODUCT,
        locked,
        now=now,
        actor=actor,
        reason=MoveReason(ReasonCode.REJECTED, reason),
        needs_approval=False,
        rejected_at=now,
        decided_by=actor,
    )


def _check_not_paid_twice(order: Order, refund: Refund) -> None:
    """The order is locked: no dispute is opened or decided in between."""
    root = refund.charge.root_id
    found = Dispute.objects.filter(order=order, status=Dispute.Status.OPEN)
    if found.filter(Q(charge=root) | Q(charge=None)).exists():
        raise NotAllowed(_("The payment is contested. The refund waits for the bank's decision."))
    known = refundable_amounts.for_order(order)
    part = known.parts.get(root, refundable_amounts.ChargeShare())
    # Both count the refund itself.
    if part.refunded + part.claimed + known.unnamed.claimed > part.paid:
        raise NotAllowed(
            _("The payer has this money from the bank, or it did not come by this try.")
        )


def _waiting(refund: Refund) -> Refund:
    locked = engine.lock(refund.pk)
    if locked.status != Refund.Status.PENDING or not locked.needs_approval:
        raise NotAllowed(_("The refund does not wait for a decision."))
    return locked
