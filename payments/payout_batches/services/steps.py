"""What people decide about a batch. Each step locks it, and leaves an audit row."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_noop as _

from payments.console import four_eyes
from payments.core import audit, jobs, money, states
from payments.core.errors import NotAllowed
from payments.payout_batches.models import (
    DRAFTS,
    BatchFile,
    BatchStatus,
    LineStatus,
    PayoutBatch,
)
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


@transaction.atomic
def submit(*, batch_id: str, person: Person, submission: Submission, now: datetime) -> None:
    """The right lines go to a second person. Raises NotAllowed."""
    batch = _lock(batch_id, BatchStatus.CHECKED)
    if not batch.line_count:
        raise NotAllowed(_("The file has no line that can be paid."))
    if batch.wrong_count and not submission.leaves_out:
        raise NotAllowed(_("The file has wrong lines. Mend them, or leave them out."))
    if batch.warning_count and not submission.acknowledges:
        raise NotAllowed(_("Confirm that you have read the warnings."))
    batch.lines.filter(status=LineStatus.WAITING).update(cells=None)
    changes: dict[str, Any] = {"submitted_by": person.actor, "submitted_at": now}
    states.move(batch, BatchStatus.WAITING, now=now, actor=person.actor, **changes)
    _record(batch, person, "submitted")


@transaction.atomic
def approve(*, batch_id: str, person: Person, now: datetime) -> None:
    """The second person: neither who uploaded the file nor who sent it. Raises NotAllowed."""
    batch = _lock(batch_id, BatchStatus.WAITING)
    for first in {batch.submitted_by, batch.created_by}:
        four_eyes.check(
            actor=person.actor,
            asked_by=first,
            rule_set_by=batch.merchant.payout_approval_set_by,
        )
    changes: dict[str, Any] = {"approved_by": person.actor, "approved_at": now, "due_at": now}
    states.move(batch, BatchStatus.RUNNING, now=now, actor=person.actor, **changes)
    _record(batch, person, "approved")
    jobs.enqueue(TASK)


@transaction.atomic
def reject(*, batch_id: str, person: Person, now: datetime) -> None:
    """Raises NotAllowed."""
    batch = _lock(batch_id, BatchStatus.WAITING)
    _end(batch, BatchStatus.REJECTED, person, now)
    _record(batch, person, "rejected")


@transaction.atomic
def discard(*, batch_id: str, person: Person, now: datetime) -> None:
    """Before anything was paid. Raises NotAllowed."""
    batch = _lock(batch_id, *DRAFTS)
    BatchFile.objects.filter(batch=batch).delete()
    _end(batch, BatchStatus.DISCARDED, person, now)
    _record(batch, person, "discarded")


@transaction.atomic
def pause(*, batch_id: str, person: Person, now: datetime) -> None:
    """Payouts that exist go on. Raises NotAllowed."""
    batch = _lock(batch_id, BatchStatus.RUNNING)
    states.move(batch, BatchStatus.PAUSED, now=now, actor=person.actor, due_at=None)
    _record(batch, person, "paused")


@transaction.atomic
def resume(*, batch_id: str, person: Person, now: datetime) -> None:
    """Raises NotAllowed."""
    batch = _lock(batch_id, BatchStatus.PAUSED)
    states.move(batch, BatchStatus.RUNNING, now=now, actor=person.actor, due_at=now)
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


def _end(batch: PayoutBatch, status: BatchStatus, person: Person, now: datetime) -> None:
    changes: dict[str, Any] = {"finished_at": now, "due_at": None, "cause": "", "cause_values": {}}
    states.move(batch, status, now=now, actor=person.actor, reason=person.reason, **changes)


def _record(batch: PayoutBatch, person: Person, step: str) -> None:
    audit.record(
        actor=person.actor,
        action=f"payout_batch.{step}",
        subject=batch,
        reason=person.reason,
        lines=batch.line_count,
        amount=money.text(batch.amount),
    )
