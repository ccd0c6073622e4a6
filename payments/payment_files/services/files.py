"""The file of a batch: made from its open lines, kept to the byte, and downloaded once."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from string import ascii_uppercase

from django.db import transaction
from django.utils.translation import gettext_noop as _

from payments.core import audit, days, states
from payments.core.errors import NotAllowed
from payments.payment_files import pab
from payments.payment_files.header import header_of
from payments.payment_files.lines import detail_of
from payments.payment_files.models import BatchFile, BatchLine, LineStatus, PaymentBatch
from payments.payment_files.services.decisions import lock_batch
from payments.payment_files.services.payments import open_references
from payments.rails.services import accounts, routing

Status = PaymentBatch.Status
# Of the codes in one message.
SHOWN = 10


def make_file(batch: PaymentBatch, *, actor: str, now: datetime) -> BatchFile:
    """The next version, of a batch that is locked. Raises NotAllowed."""
    lines = list(batch.lines.filter(status=LineStatus.PENDING).order_by("id"))
    _check_lines(batch, lines)
    made_on = days.day_of(now)
    sequence = _next_letter(batch, now)
    content = _encode(batch, lines, sequence, now)
    file = BatchFile.objects.create(
        batch=batch,
        account=batch.account,
        version=batch.files.count() + 1,
        made_on=made_on,
        sequence=sequence,
        content=content,
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        lines=len(lines),
        total=sum((line.amount for line in lines), Decimal(0)),
        made_by=actor,
        made_at=now,
    )
    batch.lines.filter(pk__in=[line.pk for line in lines]).update(file=file)
    return file


def replace_file(batch: PaymentBatch, *, actor: str, reason: str, now: datetime) -> BatchFile:
    """The file does not count any more. The batch is locked."""
    file = batch.files.get(replaced_at=None)
    file.replaced_at, file.replaced_by, file.replace_reason = now, actor, reason[:500]
    file.save(update_fields=["replaced_at", "replaced_by", "replace_reason"])
    return file


@transaction.atomic
def download(*, batch_id: str, actor: str, reason: str, now: datetime) -> BatchFile:
    """The newest file, whose `content` goes to the person. Raises NotAllowed.

    From now on the bank may have its lines. A file that was paid in part is not handed over: the
    earlier version was at the bank after all.
    """
    batch = lock_batch(batch_id)
    if batch.status != Status.APPROVED:
        raise NotAllowed(_("Each version is downloaded once. Ask for another version."))
    if batch.pay_on is None or batch.pay_on < days.day_of(now):
        raise NotAllowed(_("The day on which the bank pays has passed."))
    file = batch.files.get(replaced_at=None)
    lines = list(BatchLine.objects.select_for_update(no_key=True).filter(file=file).order_by("id"))
    _check_lines(batch, lines)
    BatchLine.objects.filter(file=file, handed_over_at=None).update(handed_over_at=now)
    file.downloaded_at, file.downloaded_by = now, actor
    file.save(update_fields=["downloaded_at", "downloaded_by"])
    states.move(batch, Status.SENT, now=now, actor=actor, reason=reason)
    audit.record(
        actor=actor,
        action="payment_batch.downloaded",
        subject=batch,
        reason=reason,
        version=file.version,
        sha256=file.sha256,
        bytes=file.size,
        lines=file.lines,
        total=file.total,
    )
    return file


def _check_lines(batch: PaymentBatch, lines: Sequence[BatchLine]) -> None:
    """Each is open here and at its payment, and no person has to look at it first."""
    if not lines:
        raise NotAllowed(_("No line of it waits to be paid."))
    _refuse(
        [one for one in lines if one.status != LineStatus.PENDING],
        _("Lines of the file are decided already: %(codes)s. Ask for another version."),
    )
    _refuse(
        [one for one in lines if one.needs_operator or one.declared_status],
        _("Lines wait for a decision: %(codes)s. Decide them first."),
    )
    references = [one.reference for one in lines]
    wanted = open_references(account=batch.account, references=references)
    _refuse(
        [one for one in lines if one.reference not in wanted],
        _("The payments of lines are not open any more: %(codes)s. Take them out first."),
    )


def _refuse(lines: Sequence[BatchLine], message: str) -> None:
    if lines:
        codes = ", ".join(one.code for one in lines[:SHOWN])
        raise NotAllowed(message, values={"codes": codes})


def _encode(batch: PaymentBatch, lines: Sequence[BatchLine], sequence: str, now: datetime) -> bytes:
    if routing.is_off(batch.account):
        raise NotAllowed(_("The account is switched off."))
    if batch.pay_on is None or batch.pay_on < days.day_of(now):
        raise NotAllowed(_("The day on which the bank pays has passed."))
    credentials = accounts.to_rail_account(accounts.lock(batch.account), now).credentials
    header = header_of(credentials, days.day_of(now), batch.pay_on, sequence)
    try:
        return pab.encode(header, [detail_of(line, line.code) for line in lines])
    except pab.NotEncodable as error:
        problem = {"problem": str(error)}
        raise NotAllowed(_("The file cannot be made: %(problem)s"), values=problem) from error


def _next_letter(batch: PaymentBatch, now: datetime) -> str:
    """The bank tells files of one day apart by it. The account is locked until the end."""
    accounts.lock(batch.account)
    used = BatchFile.objects.filter(account=batch.account, made_on=days.day_of(now)).count()
    if used >= len(ascii_uppercase):
        raise NotAllowed(_("This day's 26 files are made. Approve it tomorrow."))
    return ascii_uppercase[used]
