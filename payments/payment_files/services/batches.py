"""The way of a batch: one person closes it, another one approves it, and a file is handed over."""

from datetime import date, datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import Count, Sum
from django.utils.translation import gettext_noop as _

from payments.console import four_eyes
from payments.core import audit, days, states
from payments.core.errors import NotAllowed
from payments.payment_files.models import BatchFile, BatchLine, LineStatus, PaymentBatch
from payments.payment_files.services import files
from payments.payment_files.services.decisions import (
    Decision,
    Person,
    decide,
    lock_batch,
    lock_line,
)
from payments.providers.ports import OutgoingReason

Status = PaymentBatch.Status


@transaction.atomic
def close(*, batch_id: str, pay_on: date, person: Person, now: datetime) -> PaymentBatch:
    """It takes no more lines; the next payment opens another batch. Raises NotAllowed.

    Again, with another day, for one that is not approved yet: its day may have passed.
    """
    batch = lock_batch(batch_id)
    _require(batch, Status.OPEN, *([Status.CLOSED] if batch.pay_on != pay_on else []))
    _check_day(pay_on, now)
    count, total = waiting(batch)
    if not count:
        raise NotAllowed(_("No line of it waits to be paid."))
    _to_closed(batch, pay_on, person, now)
    audit.record(
        actor=person.actor,
        action="payment_batch.closed",
        subject=batch,
        reason=person.reason,
        lines=count,
        total=total,
        pay_on=pay_on.isoformat(),
    )
    return batch


@transaction.atomic
def approve(*, batch_id: str, person: Person, now: datetime) -> BatchFile:
    """Makes the file: what was approved is what the bank gets, to the byte. Raises NotAllowed."""
    batch = lock_batch(batch_id)
    _require(batch, Status.CLOSED)
    four_eyes.check(actor=person.actor, asked_by=batch.closed_by)
    file = files.make_file(batch, actor=person.actor, now=now)
    states.move(
        batch,
        Status.APPROVED,
        now=now,
        actor=person.actor,
        reason=person.reason,
        approved_by=person.actor,
        approved_at=now,
    )
    audit.record(
        actor=person.actor,
        action="payment_batch.approved",
        subject=batch,
        reason=person.reason,
        version=file.version,
        sha256=file.sha256,
        lines=file.lines,
        total=file.total,
    )
    return file


@transaction.atomic
def request_version(*, batch_id: str, pay_on: date, person: Person, now: datetime) -> PaymentBatch:
    """The file does not count any more, and another one waits for approval.

    It has only lines that are still open. If the file was downloaded, the person declares that the
    bank has not taken it: else the bank may pay twice. Raises NotAllowed.
    """
    batch = lock_batch(batch_id)
    _require(batch, Status.APPROVED, Status.SENT)
    _check_day(pay_on, now)
    count, total = waiting(batch)
    if not count:
        raise NotAllowed(_("No line of it waits to be paid."))
    old = files.replace_file(batch, actor=person.actor, reason=person.reason, now=now)
    _to_closed(batch, pay_on, person, now)
    audit.record(
        actor=person.actor,
        action="payment_batch.version_requested",
        subject=batch,
        reason=person.reason,
        replaced=old.version,
        was_downloaded=old.downloaded_at is not None,
        lines=count,
        total=total,
        pay_on=pay_on.isoformat(),
    )
    return batch


@transaction.atomic
def take_out(*, line_id: str, person: Person, now: datetime) -> BatchLine:
    """The payment ends unsent, and its money is released. Raises NotAllowed.

    Only before a file with it was downloaded. One person is enough: the bank cannot have it.
    """
    line = lock_line(line_id)
    if line.status != LineStatus.PENDING:
        raise NotAllowed(_("The line is decided already."))
    if line.handed_over_at is not None:
        raise NotAllowed(_("A file with it was downloaded: the bank may have paid. Declare it."))
    if line.batch.status == Status.APPROVED:
        raise NotAllowed(_("The file is made. Ask for another version first."))
    decide(
        line,
        Decision(
            status=LineStatus.FAILED,
            actor=person.actor,
            reason=OutgoingReason.REFUSED_BY_PROVIDER,
            note=person.reason,
        ),
        now,
    )
    audit.record(
        actor=person.actor, action="batch_line.taken_out", subject=line, reason=person.reason
    )
    return line


def waiting(batch: PaymentBatch) -> tuple[int, Decimal]:
    """How many of its lines are open, and their sum."""
    rows = batch.lines.filter(status=LineStatus.PENDING)
    found = rows.aggregate(count=Count("pk"), total=Sum("amount", default=Decimal(0)))
    return found["count"], found["total"]


def _to_closed(batch: PaymentBatch, pay_on: date, person: Person, now: datetime) -> None:
    if batch.status == Status.CLOSED:
        batch.pay_on, batch.closed_by, batch.closed_at = pay_on, person.actor, now
        batch.save(update_fields=["pay_on", "closed_by", "closed_at", "updated_at"])
        return
    states.move(
        batch,
        Status.CLOSED,
        now=now,
        actor=person.actor,
        reason=person.reason,
        pay_on=pay_on,
        closed_by=person.actor,
        closed_at=now,
        approved_by="",
        approved_at=None,
    )


def _require(batch: PaymentBatch, *statuses: str) -> None:
    if batch.status not in statuses:
        raise NotAllowed(_("The batch has moved on. Look at it again."))


def _check_day(pay_on: date, now: datetime) -> None:
    if pay_on < days.day_of(now):
        raise NotAllowed(_("The day on which the bank pays has passed."))
