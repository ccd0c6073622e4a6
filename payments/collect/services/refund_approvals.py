"""An operator decides about each refund before anything goes back."""

from datetime import datetime

from django.db import transaction

from payments.collect.models import Refund
from payments.collect.services import refund_events
from payments.collect.services.orders import lock_order
from payments.collect.services.refund_engine import PRODUCT, engine
from payments.core import audit
from payments.outgoing import creation, endings
from payments.outgoing.errors import NotAllowed


@transaction.atomic
def approve(*, refund: Refund, actor: str, reason: str, now: datetime) -> None:
    """Lets a waiting refund go. Raises NotAllowed, also to whoever asked for it in the console."""
    locked = _waiting(refund)
    if actor == locked.requested_by:
        raise NotAllowed("Whoever asked for the refund cannot approve it.")
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
    refund_events.publish_approved(order=lock_order(locked.order_id), refund=locked, now=now)
    creation.ring(PRODUCT, locked)


@transaction.atomic
def reject(*, refund: Refund, actor: str, reason: str, now: datetime) -> None:
    """Ends a waiting refund as FAILED; its hold goes back. Raises NotAllowed."""
    locked = _waiting(refund)
    audit.record(actor=actor, action="refund.rejected", subject=locked, reason=reason)
    endings.fail(
        PRODUCT,
        locked,
        now=now,
        actor=actor,
        reason=f"rejected: {reason}",
        needs_approval=False,
        rejected_at=now,
        decided_by=actor,
    )


def _waiting(refund: Refund) -> Refund:
    locked = engine.lock(refund.pk)
    if locked.status != Refund.Status.PENDING or not locked.needs_approval:
        raise NotAllowed("The refund does not wait for a decision.")
    return locked
