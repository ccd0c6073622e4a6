"""What people decide about a batch. Each step locks it, and leaves an audit row."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext_noop as _

from payments.console import four_eyes
from payments.core import audit, jobs, money, states
from payments.core.errors import NotAllowed
from payments.payout.models import TeamApproval
from payments.payout.services import team, team_approvals
from payments.payout.services.team_approvals import Asked, Need
from payments.payout_batches.models import (
    DRAFTS,
    UNEXPECTED,
    BatchFile,
    BatchStatus,
    LineStatus,
    PayoutBatch,
)
from payments.payout_batches.services import batch_events, duplicates, terms
from payments.payout_batches.services.uploads import TASK


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    actor: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """
    leaves_out    the wrong lines are not paid.
    acknowledges  the person has read the warnings.
    """

    leaves_out: bool = False
    acknowledges: bool = False


def submit(*, batch_id: str, person: Person, submission: Submission, now: datetime) -> None:
    """The right lines go to a second person by the team's rules for their sum. Raises NotAllowed.

    If the rules ask for no second person, the batch runs at once. Nothing is sent if some of its
    payments were made, or sent in another batch, since the check: the new warnings are stored.
    """
    if not _submit(batch_id, person, submission, now):
        raise NotAllowed(
            _(
                "Some of these payments were made, or sent in another file, after this file was "
                "checked. Read the new warnings, and send it again."
            )
        )


@transaction.atomic
def _submit(batch_id: str, person: Person, submission: Submission, now: datetime) -> bool:
    batch = _lock(batch_id, BatchStatus.CHECKED)
    _check_submission(batch, submission)
    if terms.fees_changed(batch):
        raise NotAllowed(
            _("The fees have changed since the file was checked. Upload it again to see them.")
        )
    if duplicates.mark_since_check(batch, now):
        return False
    batch.lines.filter(status=LineStatus.WAITING).update(cells=None)
    need = _begin_approval(batch, person, now)
    changes: dict[str, Any] = {"submitted_by": person.actor, "submitted_at": now}
    changes["needs_operator"] = need.operator
    states.move(batch, BatchStatus.WAITING, now=now, actor=person.actor, **changes)
    _record(batch, person, "submitted")
    if not need.people and not need.operator:
        _run(batch, person, now)
    return True


def _check_submission(batch: PayoutBatch, submission: Submission) -> None:
    if not batch.line_count:
        raise NotAllowed(_("The file has no line that can be paid."))
    if batch.wrong_count and not submission.leaves_out:
        raise NotAllowed(_("The file has wrong lines. Mend them, or leave them out."))
    if batch.warning_count and not submission.acknowledges:
        raise NotAllowed(_("Confirm that you have read the warnings."))


def _begin_approval(batch: PayoutBatch, person: Person, now: datetime) -> Need:
    need = team_approvals.needed(
        merchant=batch.merchant,
        amount=batch.amount,
        requested_by=person.actor,
        prepared_by=batch.created_by,
    )
    asked = Asked(
        subject_id=batch.pk,
        merchant=batch.merchant,
        amount=batch.amount,
        requested_by=person.actor,
    )
    team_approvals.begin(asked=asked, need=need, now=now)
    return need


@transaction.atomic
def approve(*, batch_id: str, user: User, reason: str, now: datetime) -> bool:
    """By a person of the team who neither uploaded the file nor sent it. Raises NotAllowed.

    Returns whether the batch runs: another approval may be missing.
    """
    batch = _lock(batch_id, BatchStatus.WAITING)
    team.check_second(user=user, asked_by=batch.created_by)
    person = Person(actor=user.get_username(), reason=reason)
    is_last = team_approvals.approve(subject_id=batch.pk, user=user, reason=reason, now=now)
    _record(batch, person, "approved")
    if is_last and not batch.needs_operator:
        _run(batch, person, now)
    return batch.status == BatchStatus.RUNNING


def may_approve(batch: PayoutBatch, user: User) -> bool:
    """Whether `approve` would take this person of the team now, by the rules of the batch."""
    approval = team_approvals.find(batch.pk)
    if approval is None or not team.is_second(user, batch.created_by):
        return False
    return team_approvals.may_approve(approval, user)


@transaction.atomic
def approve_as_operator(*, batch_id: str, person: Person, now: datetime) -> bool:
    """For a sum above the operators' limit, and for a team with too few approvers.

    The approval is for each of its payouts. Raises NotAllowed. Returns whether the batch runs.
    """
    batch = _lock(batch_id, BatchStatus.WAITING)
    if not waits_for_operator(batch):
        raise NotAllowed(_("People of the merchant decide about it."))
    rule_set_by = batch.merchant.payout_approval_set_by
    for first in {batch.submitted_by, batch.created_by}:
        four_eyes.check(actor=person.actor, asked_by=first, rule_set_by=rule_set_by)
    approval = team_approvals.find(batch.pk)
    if approval is not None and team_approvals.is_stuck(approval, batch.created_by):
        _end_team(batch, TeamApproval.Status.APPROVED, person, now)
        approval = None
    _record(batch, person, "approved")
    batch.needs_operator, batch.operator_approved = False, True
    batch.save(update_fields=["needs_operator", "operator_approved", "updated_at"])
    if approval is None or approval.status != TeamApproval.Status.WAITING:
        _run(batch, person, now)
    return batch.status == BatchStatus.RUNNING


def waits_for_operator(batch: PayoutBatch) -> bool:
    if batch.status != BatchStatus.WAITING:
        return False
    approval = team_approvals.find(batch.pk)
    is_stuck = (
        approval is not None
        and approval.status == TeamApproval.Status.WAITING
        and team_approvals.is_stuck(approval, batch.created_by)
    )
    return batch.needs_operator or is_stuck


def waits_for_team(batch: PayoutBatch) -> bool:
    approval = team_approvals.find(batch.pk) if batch.status == BatchStatus.WAITING else None
    return approval is not None and approval.status == TeamApproval.Status.WAITING


@transaction.atomic
def reject(*, batch_id: str, person: Person, now: datetime) -> None:
    """By a person who may approve; also by the first person. Raises NotAllowed."""
    batch = _lock(batch_id, BatchStatus.WAITING)
    _end_team(batch, TeamApproval.Status.REJECTED, person, now)
    _end(batch, BatchStatus.REJECTED, person, now)
    _record(batch, person, "rejected")


@transaction.atomic
def discard(*, batch_id: str, person: Person, now: datetime) -> None:
    """Before anything was paid. Raises NotAllowed."""
    batch = _lock(batch_id, *DRAFTS)
    BatchFile.objects.filter(batch=batch).delete()
    _end_team(batch, TeamApproval.Status.WITHDRAWN, person, now)
    _end(batch, BatchStatus.DISCARDED, person, now)
    _record(batch, person, "discarded")


@transaction.atomic
def pause(*, batch_id: str, person: Person, now: datetime) -> None:
    """Payouts that exist go on. Raises NotAllowed."""
    batch = _lock(batch_id, BatchStatus.RUNNING)
    batch_events.move(batch, BatchStatus.PAUSED, now=now, actor=person.actor, due_at=None)
    _record(batch, person, "paused")


@transaction.atomic
def resume(*, batch_id: str, person: Person, now: datetime) -> None:
    """By the merchant's people. Raises NotAllowed."""
    _go_on(_lock(batch_id, BatchStatus.PAUSED), person, now)


@transaction.atomic
def restart(*, batch_id: str, person: Person, now: datetime) -> None:
    """By an operator, after an error of the service has been mended. Raises NotAllowed.

    What the merchant's people have paused is theirs to resume.
    """
    batch = _lock(batch_id, BatchStatus.PAUSED)
    if batch.cause != UNEXPECTED:
        raise NotAllowed(_("No error of the service has stopped it: its merchant resumes it."))
    _go_on(batch, person, now)


def _go_on(batch: PayoutBatch, person: Person, now: datetime) -> None:
    changes: dict[str, Any] = {"due_at": now, "cause": "", "cause_values": {}, "attempts": 0}
    batch_events.move(batch, BatchStatus.RUNNING, now=now, actor=person.actor, **changes)
    _record(batch, person, "resumed")
    jobs.enqueue(TASK)


@transaction.atomic
def cancel(*, batch_id: str, person: Person, now: datetime) -> None:
    """The lines without a payout never get one. Payouts that exist go on. Raises NotAllowed."""
    batch = _lock(batch_id, BatchStatus.RUNNING, BatchStatus.PAUSED)
    batch.lines.filter(status=LineStatus.WAITING).update(status=LineStatus.CANCELLED)
    _end(batch, BatchStatus.CANCELLED, person, now)
    _record(batch, person, "cancelled")


def _lock(batch_id: str, *statuses: str) -> PayoutBatch:
    """Until the transaction ends; a worker that creates payouts has ended its chunk."""
    rows = PayoutBatch.objects.select_related("merchant").defer("merchant__webhook_secret")
    batch = rows.select_for_update(no_key=True, of=("self",)).get(pk=batch_id)
    if batch.status not in statuses:
        raise NotAllowed(_("The batch is in another state now. Look at it again."))
    return batch


def _run(batch: PayoutBatch, person: Person, now: datetime) -> None:
    changes: dict[str, Any] = {"approved_by": person.actor, "approved_at": now, "due_at": now}
    changes["needs_operator"] = False
    batch_events.move(batch, BatchStatus.RUNNING, now=now, actor=person.actor, **changes)
    jobs.enqueue(TASK)


def _end_team(batch: PayoutBatch, status: str, person: Person, now: datetime) -> None:
    team_approvals.end_by_operator(subject_id=batch.pk, status=status, actor=person.actor, now=now)


def _end(batch: PayoutBatch, status: BatchStatus, person: Person, now: datetime) -> None:
    changes: dict[str, Any] = {"finished_at": now, "due_at": None, "cause": "", "cause_values": {}}
    batch_events.move(batch, status, now=now, actor=person.actor, reason=person.reason, **changes)


def _record(batch: PayoutBatch, person: Person, step: str) -> None:
    audit.record(
        actor=person.actor,
        action=f"payout_batch.{step}",
        subject=batch,
        reason=person.reason,
        lines=batch.line_count,
        amount=money.text(batch.amount),
    )
