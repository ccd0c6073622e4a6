"""A second person approves large payouts, where the account asks for it."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_noop as _

from payments.core import audit
from payments.core.reasons import MoveReason, ReasonCode
from payments.outgoing import completion, creation, four_eyes
from payments.outgoing.errors import NotAllowed
from payments.payout.models import Payout
from payments.payout.services.engine import PRODUCT, engine


@transaction.atomic
def approve(*, payout: Payout, actor: str, reason: str, now: datetime) -> None:
    """Raises NotAllowed, also where the actor is behind the request."""
    locked = _waiting(payout, actor)
    locked.needs_approval = False
    locked.next_action_at = now
    locked.save(update_fields=["needs_approval", "next_action_at", "updated_at"])
    audit.record(actor=actor, action="payout.approved", subject=locked, reason=reason)
    creation.notify_worker(PRODUCT, locked)


@transaction.atomic
def reject(*, payout: Payout, actor: str, reason: str, now: datetime) -> None:
    """Ends a waiting payout as FAILED and releases its hold. Raises NotAllowed."""
    locked = _waiting(payout, actor)
    audit.record(actor=actor, action="payout.rejected", subject=locked, reason=reason)
    completion.fail(
        PRODUCT,
        locked,
        now=now,
        actor=actor,
        reason=MoveReason(ReasonCode.REJECTED, reason),
        needs_approval=False,
    )


def _waiting(payout: Payout, actor: str) -> Payout:
    locked = engine.lock(payout.pk)
    if locked.status != Payout.Status.PENDING or not locked.needs_approval:
        raise NotAllowed(_("The payout does not wait for approval."))
    four_eyes.check(
        actor=actor,
        asked_by=locked.requested_by,
        rule_set_by=locked.merchant.payout_approval_set_by,
    )
    return locked
