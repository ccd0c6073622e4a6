"""Files that people download: the template, the file with its errors, and the result."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext

from payments.console.csvtext import Cell
from payments.console.exports.files import Csv, Xlsx
from payments.console.state_words import state_word
from payments.core import masking
from payments.payout_batches.files import faults
from payments.payout_batches.files.headings import COLUMNS
from payments.payout_batches.models import BatchLine, LineStatus, PayoutBatch

KINDS: dict[str, type[Csv] | type[Xlsx]] = {"csv": Csv, "xlsx": Xlsx}
_CHUNK = 500


def result_file(*, batch: PayoutBatch, kind: str) -> Iterator[bytes]:
    """Every line with the state, the reason and the trace code of its payout, as they are now."""
    return _file(batch, kind, [str(name) for name in _result_headings()], _result)


def errors_file(*, batch: PayoutBatch, kind: str) -> Iterator[bytes]:
    """The wrong lines as they were uploaded, with one column more."""
    headings = [*batch.headings, gettext("Errors")]
    wrong = batch.lines.filter(status=LineStatus.WRONG, cells__isnull=False)

    def row(line: BatchLine) -> list[Cell]:
        cells = list(line.cells or [])[: len(batch.headings)]
        cells += [""] * (len(batch.headings) - len(cells))
        return [*cells, faults.sentences(line.faults)]

    return _file(batch, kind, headings, row, wrong)


def _result_headings() -> list[str]:
    return [
        gettext("Line"),
        str(COLUMNS["reference"]),
        str(COLUMNS["recipient_name"]),
        gettext("Destination"),
        str(COLUMNS["amount"]),
        gettext("Fee"),
        gettext("State"),
        gettext("Reason"),
        gettext("Trace code"),
        gettext("Payout"),
        gettext("Created"),
        gettext("Completed"),
    ]


def state_of(line: BatchLine) -> str:
    """The payout's, once there is one. As in the API."""
    return str(line.payout.status if line.payout else line.status)


def state_label(line: BatchLine) -> str:
    return str(state_word(line.payout) if line.payout else line.get_status_display())


def reason_of(line: BatchLine) -> str:
    if line.payout is not None:
        return line.payout.public_reason or ""
    return gettext(line.refusal) if line.refusal else faults.sentences(line.faults)


def destination_of(line: BatchLine) -> str:
    """Masked."""
    if line.key_value:
        return f"Bre-B {masking.contact(line.key_value)}"
    bank = line.bank.name if line.bank else ""
    return f"{bank} {masking.tail(line.account_number)}".strip()


def _result(line: BatchLine) -> list[Cell]:
    payout = line.payout
    return [
        line.number,
        line.reference,
        line.recipient_name,
        destination_of(line),
        line.amount,
        payout.fee_amount if payout else line.fee_amount,
        state_label(line),
        reason_of(line),
        payout.provider_id if payout else "",
        payout.pk if payout else "",
        payout.created_at if payout else None,
        payout.completed_at if payout else None,
    ]


def _file(
    batch: PayoutBatch, kind: str, headings: list[str], row: Any, lines: Any = None
) -> Iterator[bytes]:
    file = KINDS[kind](headings)
    rows = batch.lines.all() if lines is None else lines
    rows = rows.select_related("payout", "bank").order_by("number")

    def pieces() -> Iterator[bytes]:
        last, done = -1, 0
        while chunk := list(rows.filter(number__gt=last)[:_CHUNK]):
            yield file.piece((row(line) for line in chunk), done)
            last, done = chunk[-1].number, done + len(chunk)

    return file.file(pieces())
