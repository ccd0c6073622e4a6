"""The bank's answer to a file, as an operator writes it down: a CSV of `code,status,reason`.

Taken whole or refused whole. Lines that were paid are COMPLETED at once; those that were not wait
until another person agrees, because their money would be released.
"""

import csv
import hashlib
import io
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from payments.core import audit
from payments.core.errors import NotAllowed, ServiceError
from payments.payment_files.models import BankAnswer, BatchLine, LineStatus, PaymentBatch
from payments.payment_files.services import declarations
from payments.payment_files.services.decisions import Decision, lock_batch
from payments.providers.ports import OutgoingReason

SIZE_MAX = 2 * 1024 * 1024
COLUMNS = ["code", "status", "reason"]
STATUSES = (LineStatus.COMPLETED, LineStatus.FAILED, LineStatus.RETURNED)
# What a line may be already without contradicting the answer.
AGREEING = {
    LineStatus.COMPLETED: (LineStatus.COMPLETED, LineStatus.RETURNED),
    LineStatus.FAILED: (LineStatus.FAILED,),
    LineStatus.RETURNED: (LineStatus.RETURNED,),
}


class AnswerRefused(ServiceError):
    """400: nothing of the file was taken. The message has the line of the file and the reason."""

    code = "ANSWER_REFUSED"

    def __init__(self, why: str, line: int = 0) -> None:
        self.why, self.line = why, line
        super().__init__(f"Line {line}: {why}" if line else why)

    def shown(self) -> str:
        why = gettext(self.why)
        if not self.line:
            return why
        return gettext("Line %(line)s: %(why)s") % {"line": self.line, "why": why}


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    name: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    number: int
    code: str
    status: LineStatus
    reason: str


@transaction.atomic
def take_answer(*, batch_id: str, upload: Upload, actor: str, now: datetime) -> BankAnswer:
    """The same file twice changes nothing. Raises AnswerRefused and NotAllowed."""
    batch = lock_batch(batch_id)
    sha256 = hashlib.sha256(upload.data).hexdigest()
    if (known := batch.answers.filter(sha256=sha256).first()) is not None:
        return known
    if not batch.lines.filter(handed_over_at__isnull=False).exists():
        raise NotAllowed(_("No file of the batch was downloaded yet."))
    rows = list(_read(upload.data))
    decided = [(row, line) for row, line in _match(batch, rows) if line.status != row.status]
    for row, line in decided:
        if line.status not in AGREEING[row.status]:
            declarations.declare_locked(line, _decision(row, actor), now)
    answer = BankAnswer.objects.create(
        batch=batch,
        name=upload.name[:200],
        sha256=sha256,
        rows=len(rows),
        uploaded_by=actor,
        uploaded_at=now,
    )
    audit.record(
        actor=actor,
        action="payment_batch.answer_taken",
        subject=batch,
        file=answer.name,
        sha256=sha256,
        rows=len(rows),
    )
    return answer


def _decision(row: Row, actor: str) -> Decision:
    known = row.reason in set(OutgoingReason)
    reason = row.reason if known else OutgoingReason.REFUSED_BY_BANK.value
    is_paid = row.status == LineStatus.COMPLETED
    return Decision(
        status=row.status, actor=actor, reason="" if is_paid else reason, note=row.reason
    )


def _match(batch: PaymentBatch, rows: list[Row]) -> Iterator[tuple[Row, BatchLine]]:
    """Each row with its line, locked. Raises AnswerRefused for the first that does not fit."""
    locked = batch.lines.select_for_update(no_key=True).order_by("id")
    lines = {line.code: line for line in locked.filter(code__in=[row.code for row in rows])}
    for row in rows:
        line = lines.get(row.code)
        if line is None:
            raise _refused(row.number, _("no line of this batch has the code"))
        if line.handed_over_at is None:
            raise _refused(row.number, _("no file with this line was downloaded"))
        is_known = line.status in AGREEING[row.status]
        if not is_known and row.status not in declarations.outcomes(line):
            raise _refused(row.number, _("the line has ended in another way already"))
        yield row, line


def _read(data: bytes) -> Iterator[Row]:
    """Raises AnswerRefused."""
    if len(data) > SIZE_MAX:
        raise AnswerRefused(_("The file is larger than 2 MB."))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise AnswerRefused(_("The file is not UTF-8 text.")) from error
    delimiter = ";" if ";" in text.partition("\n")[0] else ","
    table = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        yield from _rows(table)
    except csv.Error as error:
        raise _refused(table.line_num, _("it cannot be read")) from error


def _rows(table: Iterator[list[str]]) -> Iterator[Row]:
    header = [name.strip().lower() for name in next(table, [])]
    if header != COLUMNS:
        raise _refused(1, _("the columns are code, status, reason"))
    seen: set[str] = set()
    for number, cells in enumerate(table, start=2):
        if not any(cell.strip() for cell in cells):
            continue
        row = _row(number, [cell.strip() for cell in cells])
        if row.code in seen:
            raise _refused(number, _("the code is there twice"))
        seen.add(row.code)
        yield row
    if not seen:
        raise AnswerRefused(_("The file has no rows."))


def _row(number: int, cells: list[str]) -> Row:
    if len(cells) != len(COLUMNS):
        raise _refused(number, _("it has three values"))
    code, status, reason = cells
    if status.upper() not in STATUSES:
        raise _refused(number, _("the status is COMPLETED, FAILED or RETURNED"))
    found = LineStatus(status.upper())
    if found != LineStatus.COMPLETED and not reason:
        raise _refused(number, _("a payment that was not made has a reason"))
    if "\x00" in reason or len(reason) > 500:
        raise _refused(number, _("the reason has at most 500 characters"))
    return Row(number=number, code=code.lstrip("0"), status=found, reason=reason)


def _refused(number: int, why: str) -> AnswerRefused:
    return AnswerRefused(why, number)
