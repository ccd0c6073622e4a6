"""The end of a line. Its batch is locked first, then the line: every service keeps this order."""

from dataclasses import dataclass
from datetime import datetime

from payments.core import states
from payments.payment_files.models import BatchLine, PaymentBatch

Status = BatchLine.Status
UNDECIDED = (
    PaymentBatch.Status.CLOSED,
    PaymentBatch.Status.APPROVED,
    PaymentBatch.Status.SENT,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """
    reason  an OutgoingReason, for FAILED and RETURNED.
    note    what a person or the bank wrote of it. Merchants do not see it.
    """

    status: str
    actor: str
    reason: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Who decides, and why."""

    actor: str
    reason: str


def lock_batch(batch_id: str) -> PaymentBatch:
    return PaymentBatch.objects.select_for_update(no_key=True).get(pk=batch_id)


def lock_line(line_id: str) -> BatchLine:
    """The line, with its batch locked, too."""
    batch_id = BatchLine.objects.values_list("batch_id", flat=True).get(pk=line_id)
    lock_batch(batch_id)
    rows = BatchLine.objects.select_related("batch")
    return rows.select_for_update(no_key=True, of=("self",)).get(pk=line_id)


def decide(line: BatchLine, decision: Decision, now: datetime, **changes: object) -> None:
    """Moves the line, which is locked. Its payment hears of it at the next report."""
    states.move(
        line,
        decision.status,
        now=now,
        actor=decision.actor,
        reason=decision.note or decision.reason,
    )
    changes |= {
        "reason": decision.reason,
        "note": decision.note[:500],
        "decided_by": decision.actor,
        "decided_at": now,
        "report_at": now,
        **NOTHING_DECLARED,
    }
    save(line, **changes)
    _finish(line.batch_id, decision.actor, now)


NOTHING_DECLARED: dict[str, object] = {
    "declared_status": "",
    "declared_reason": "",
    "declared_note": "",
    "declared_by": "",
    "declared_at": None,
}


def save(line: BatchLine, **changes: object) -> None:
    for name, value in changes.items():
        setattr(line, name, value)
    line.save(update_fields=[*changes, "updated_at"])


def _finish(batch_id: str, actor: str, now: datetime) -> None:
    """A batch without open lines is done. An open one still takes lines."""
    batch = lock_batch(batch_id)
    is_open = batch.lines.filter(status=Status.PENDING).exists()
    if batch.status in UNDECIDED and not is_open:
        states.move(batch, PaymentBatch.Status.DONE, now=now, actor=actor, done_at=now)
