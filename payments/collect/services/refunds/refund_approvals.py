"""An operator approves or rejects each refund before the rail is called."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_noop as _

from payments.collect.models import Refund
from payments.collect.services.orders import order_events
from payments.collect.services.orders.lookup import lock_order
from payments.collect.services.refunds import coin_refunds, contested, refund_keys
from payments.collect.services.refunds.destination_checks import APPROVED, fingerprint
from payments.collect.services.refunds.refund_engine import PRODUCT, engine
from payments.console import four_eyes
from payments.core import audit, money
from payments.core.errors import NotAllowed
from payments.core.reasons import MoveReason, ReasonCode
from payments.outgoing import completion, creation
from payments.rails.services import key_checks


@transaction.atomic
def approve(*, refund: Refund, actor: str, reason: str, now: datetime) -> None:
    """Approves the refund. Raises NotAllowed for the person who requested it (console.four_eyes).

    Also raises NotAllowed while the payer has named no account for a refund by payout, while the
    payer's bank may take the same money, and for coins that have no current price.
    """
    locked = _waiting(refund)
    if locked.needs_destination:
        raise NotAllowed(
            _("The payer has not named an account yet. Approve when you can see where it goes.")
        )
    four_eyes.check(actor=actor, asked_by=locked.requested_by)
    order = lock_order(locked.order_id)
    if problem := contested.problem(order, locked):
        raise NotAllowed(problem)
    if locked.coin:
        coin_refunds.fix_amount(locked, now)
    locked.needs_approval = False
    locked.approved_at, locked.decided_by = now, actor
    locked.next_action_at = now
    changed = ["needs_approval", "approved_at", "decided_by", "next_action_at", "updated_at"]
    locked.save(update_fields=[*changed, "coin_amount", "coin_rate"])
    seen = {"destination": fingerprint(locked)} if locked.destination else {}
    if locked.coin_amount is not None:
        seen |= {"coin": locked.coin, "coin_amount": money.text(locked.coin_amount)}
    seen |= key_checks.as_seen(refund_keys.last_check(locked))
    audit.record(actor=actor, action=APPROVED, subject=locked, reason=reason, **seen)
    order_events.publish("refund.approved", order=order, of=locked, now=now)
    creation.notify_worker(PRODUCT, locked)


@transaction.atomic
def reject(*, refund: Refund, actor: str, reason: str, now: datetime) -> None:
    """Ends a waiting refund as FAILED and releases its hold. Raises NotAllowed."""
    locked = _waiting(refund)
    audit.record(actor=actor, action="refund.rejected", subject=locked, reason=reason)
    why = MoveReason(ReasonCode.REJECTED, reason)
    decision = {"needs_approval": False, "rejected_at": now, "decided_by": actor}
    completion.fail(PRODUCT, locked, now=now, actor=actor, reason=why, **decision)


def _waiting(refund: Refund) -> Refund:
    locked = engine.lock(refund.pk)
    if locked.status != Refund.Status.PENDING or not locked.needs_approval:
        raise NotAllowed(_("The refund does not wait for a decision."))
    return locked
