"""What a person says became of a line whose file was downloaded.

That it was paid counts at once. That it was not, or came back, releases money that the bank may
have paid: then another person has to agree.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_noop as _

from payments.console import four_eyes
from payments.core import audit
from payments.core.errors import NotAllowed
from payments.payment_files.models import LINE_MOVES, BatchLine, LineStatus
from payments.payment_files.services.decisions import (
    NOTHING_DECLARED,
    Decision,
    Person,
    decide,
    lock_batch,
    lock_line,
    save,
)
from payments.providers.ports import OutgoingReason


@transaction.atomic
def declare(*, line_id: str, status: str, person: Person, now: datetime) -> BatchLine:
    """Raises NotAllowed."""
    line = lock_line(line_id)
    check_possible(line, status)
    reason = "" if status == LineStatus.COMPLETED else OutgoingReason.REFUSED_BY_BANK.value
    declare_locked(
        line,
        Decision(status=status, actor=person.actor, reason=reason, note=person.reason),
        now,
    )
    return line


def check_possible(line: BatchLine, status: str) -> None:
    """Raises NotAllowed."""
    if status not in outcomes(line):
        raise NotAllowed(
            _("A line that is %(now)s cannot become %(wanted)s."),
            values={"now": line.status, "wanted": status},
        )


def outcomes(line: BatchLine) -> frozenset[str]:
    """What may be declared of it. Nothing before a file with it was downloaded."""
    return LINE_MOVES.get(line.status, frozenset()) if line.handed_over_at else frozenset()


def declare_locked(line: BatchLine, decision: Decision, now: datetime) -> None:
    """The line and its batch are locked, and the outcome is possible."""
    if decision.status == LineStatus.COMPLETED:
        decide(line, decision, now)
    else:
        save(
            line,
            declared_status=decision.status,
            declared_reason=decision.reason,
            declared_note=decision.note[:500],
            declared_by=decision.actor,
            declared_at=now,
        )
    audit.record(
        actor=decision.actor,
        action="batch_line.declared",
        subject=line,
        reason=decision.note,
        outcome=decision.status,
    )


@transaction.atomic
def approve(*, line_id: str, person: Person, now: datetime) -> BatchLine:
    """Another person agrees. Raises NotAllowed."""
    line = lock_line(line_id)
    _approve_locked(line, person, now)
    return line


@transaction.atomic
def approve_all(*, batch_id: str, person: Person, now: datetime) -> int:
    """All that was declared of a batch's lines. All or none. Raises NotAllowed."""
    lock_batch(batch_id)
    found = _declared(batch_id)
    if not found:
        raise NotAllowed(_("Nothing was declared."))
    for line_id in found:
        _approve_locked(lock_line(line_id), person, now)
    return len(found)


@transaction.atomic
def reject(*, line_id: str, person: Person, now: datetime) -> BatchLine:
    """The line stays as it is. Raises NotAllowed."""
    line = lock_line(line_id)
    _require_declared(line)
    save(line, **NOTHING_DECLARED)
    _audit("rejected", line, person)
    return line


def _declared(batch_id: str) -> list[str]:
    rows: Iterable[str] = (
        BatchLine.objects.filter(batch=batch_id)
        .exclude(declared_status="")
        .order_by("id")
        .values_list("pk", flat=True)
    )
    return list(rows)


def _approve_locked(line: BatchLine, person: Person, now: datetime) -> None:
    _require_declared(line)
    check_possible(line, line.declared_status)
    four_eyes.check(actor=person.actor, asked_by=line.declared_by)
    decision = Decision(
        status=line.declared_status,
        actor=person.actor,
        reason=line.declared_reason,
        note=line.declared_note,
    )
    _audit("approved", line, person)
    decide(line, decision, now)


def _require_declared(line: BatchLine) -> None:
    if not line.declared_status:
        raise NotAllowed(_("Nothing was declared."))


def _audit(verb: str, line: BatchLine, person: Person) -> None:
    audit.record(
        actor=person.actor,
        action=f"batch_line.declaration_{verb}",
        subject=line,
        reason=person.reason,
        outcome=line.declared_status,
        declared_by=line.declared_by,
    )
