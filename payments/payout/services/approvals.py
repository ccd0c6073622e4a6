"""A second person approves large payouts, if the account requires it."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_noop as _

from payments.console import four_eyes
from payments.core import audit
from payments.core.errors import NotAllowed
from payments.core.reasons import MoveReason, ReasonCode
from payments.outgoing import completion, creation
from payments.payout.models import Payout
from payments.payout.services import keys
from payments.payout.services.engine import PRODUCT, engine
from payments.rails.services import key_checks


@transaction.atomic
def approve(*, payout: Payout, actor: str, reason: str, now: datetime) -> None:
    """Approves the payout. Raises NotAllowed, also if the actor is behind the request."""
    locked = _waiting(payout, actor)
    locked.needs_approval = False
    locked.next_action_at = now
    locked.save(update_fields=["needs_approval", "next_action_at", "updated_at"])
    seen = key_checks.as_seen(keys.last_check(locked))
    audit.record(actor=actor, action="payout.approved", subject=locked, reason=reason, **seen)
    creation.notify_worker(PRODUCT, locked)


@transaction.atomic
def reject(*, payout: Payout, actor: str, reason: str, now: datetime) -> None:
    """Ends a waiting payout as FAILED and releases its hold. Raises NotAllowed."""
    locked = _waiting(payout, actor)
    audit.record(actor=actor, action="payout.rejected", subject=locked, reason=reason)
    why = MoveReason(ReasonCode.REJECTED, reason)
    completion.fail(PRODUCT, locked, now=now, actor=actor, reason=why, needs_approval=False)


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
