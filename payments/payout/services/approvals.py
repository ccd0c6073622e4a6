"""Approvals of payouts: of the merchant's team, and of an operator for large payouts.

Both may be needed, in any order. `needed` and `check` are for a batch as a whole, too
(payments.payout.services.team_approvals has the rest).
"""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext_noop as _

from payments.console import four_eyes
from payments.core import audit
from payments.core.errors import NotAllowed
from payments.core.reasons import MoveReason, ReasonCode
from payments.outgoing import completion, creation
from payments.payout.models import Payout, TeamApproval
from payments.payout.services import keys, team, team_approvals
from payments.payout.services.engine import PRODUCT, engine
from payments.payout.services.team_approvals import check, needed
from payments.rails.services import key_checks

__all__ = [
    "approve",
    "approve_for_team",
    "check",
    "end_held_back",
    "may_withdraw",
    "needed",
    "reject",
    "reject_for_team",
    "waits_for_operator",
    "withdraw",
]


def waits_for_operator(payout: Payout) -> bool:
    """By the operators' rule, or because no approver of the team is left."""
    if payout.status != Payout.Status.PENDING:
        return False
    return payout.needs_approval or (payout.needs_team_approval and _is_stuck(payout))


@transaction.atomic
def approve(*, payout: Payout, actor: str, reason: str, now: datetime) -> None:
    """An operator approves. Raises NotAllowed, also if the actor is behind the request."""
    locked = _waiting_for_operator(payout, actor)
    locked.needs_approval = False
    if locked.needs_team_approval and _is_stuck(locked):
        locked.needs_team_approval = False
        status = TeamApproval.Status.APPROVED
        team_approvals.end_by_operator(subject_id=locked.pk, status=status, actor=actor, now=now)
    _record_approval(locked, actor, "payout.approved", reason)
    _release(locked, now)


@transaction.atomic
def reject(*, payout: Payout, actor: str, reason: str, now: datetime) -> None:
    """Ends a waiting payout as FAILED and releases its hold. Raises NotAllowed."""
    locked = _waiting_for_operator(payout, actor)
    audit.record(actor=actor, action="payout.rejected", subject=locked, reason=reason)
    status = TeamApproval.Status.REJECTED
    team_approvals.end_by_operator(subject_id=locked.pk, status=status, actor=actor, now=now)
    _fail(locked, actor, MoveReason(ReasonCode.REJECTED, reason), now)


@transaction.atomic
def approve_for_team(*, payout: Payout, user: User, reason: str, now: datetime) -> bool:
    """Whether no other approval of the team is missing. Raises NotAllowed."""
    locked = _waiting_for_team(payout)
    if not locked.merchant.is_active:
        # By an operator, perhaps because of fraud. The team may still reject or withdraw it.
        raise NotAllowed(_("The account may not make payouts now."))
    is_last = team_approvals.approve(subject_id=locked.pk, user=user, reason=reason, now=now)
    _record_approval(locked, user.get_username(), "payout.team_approved", reason)
    if is_last:
        locked.needs_team_approval = False
        _release(locked, now)
    return is_last


@transaction.atomic
def reject_for_team(*, payout: Payout, user: User, reason: str, now: datetime) -> None:
    """Ends it as FAILED and releases its hold. Raises NotAllowed."""
    locked = _waiting_for_team(payout)
    team_approvals.reject(subject_id=locked.pk, user=user, reason=reason, now=now)
    _end_for_team(locked, user, "payout.team_rejected", reason, now)


@transaction.atomic
def withdraw(*, payout: Payout, user: User, reason: str, now: datetime) -> None:
    """Takes the request back before it is sent (see may_withdraw). Raises NotAllowed."""
    locked = engine.lock(payout.pk)
    if locked.status != Payout.Status.PENDING or not locked.is_held_back:
        raise NotAllowed(_("The payout does not wait for approval."))
    if locked.needs_team_approval:
        team_approvals.withdraw(subject_id=locked.pk, user=user, reason=reason, now=now)
    elif not may_withdraw(locked, user):
        raise NotAllowed(_("Only the person who asked for it, or an approver, may withdraw it."))
    _end_for_team(locked, user, "payout.withdrawn", reason, now)


def may_withdraw(payout: Payout, user: User) -> bool:
    """The person who asked for it. An approver of the merchant, too, while only an operator's
    decision is missing: no person asked for a payout of the API.
    """
    if payout.status != Payout.Status.PENDING or not payout.is_held_back:
        return False
    if payout.requested_by == user.get_username():
        return True
    if payout.needs_team_approval:
        return False  # approvers reject it
    return team.with_right(payout.merchant_id).filter(pk=user.pk).exists()


@transaction.atomic
def end_held_back(
    *, payout_id: str, actor: str, reason: str, now: datetime, why: MoveReason | None = None
) -> bool:
    """For apps above whose payout may not be sent any more. Whether it still waited.

    `why` is what people read of the payout. None: it was rejected, with the reason.
    """
    locked = engine.lock(payout_id)
    if locked.status != Payout.Status.PENDING or not locked.is_held_back:
        return False
    audit.record(actor=actor, action="payout.rejected", subject=locked, reason=reason)
    status = TeamApproval.Status.REJECTED
    team_approvals.end_by_operator(subject_id=locked.pk, status=status, actor=actor, now=now)
    _fail(locked, actor, why or MoveReason(ReasonCode.REJECTED, reason), now)
    return True


def _waiting_for_operator(payout: Payout, actor: str) -> Payout:
    locked = engine.lock(payout.pk)
    if not waits_for_operator(locked):
        raise NotAllowed(_("The payout does not wait for approval."))
    four_eyes.check(
        actor=actor,
        asked_by=locked.requested_by,
        rule_set_by=locked.merchant.payout_approval_set_by,
    )
    return locked


def _waiting_for_team(payout: Payout) -> Payout:
    locked = engine.lock(payout.pk)
    if locked.status != Payout.Status.PENDING or not locked.needs_team_approval:
        raise NotAllowed(_("The payout does not wait for approval."))
    return locked


def _is_stuck(payout: Payout) -> bool:
    approval = team_approvals.find(payout.pk)
    return approval is not None and team_approvals.is_stuck(approval)


def _record_approval(payout: Payout, actor: str, action: str, reason: str) -> None:
    seen = key_checks.as_seen(keys.last_check(payout))
    audit.record(actor=actor, action=action, subject=payout, reason=reason, **seen)


def _release(payout: Payout, now: datetime) -> None:
    """Sends it, unless another approval is missing."""
    payout.next_action_at = None if payout.is_held_back else now
    payout.save(
        update_fields=["needs_approval", "needs_team_approval", "next_action_at", "updated_at"]
    )
    if not payout.is_held_back:
        creation.notify_worker(PRODUCT, payout)


def _end_for_team(payout: Payout, user: User, action: str, reason: str, now: datetime) -> None:
    actor = user.get_username()
    audit.record(actor=actor, action=action, subject=payout, reason=reason)
    _fail(payout, actor, MoveReason(ReasonCode.REJECTED, reason), now)


def _fail(payout: Payout, actor: str, why: MoveReason, now: datetime) -> None:
    flags = {"needs_approval": False, "needs_team_approval": False}
    completion.fail(PRODUCT, payout, now=now, actor=actor, reason=why, **flags)
