"""Checks a file as a whole, before anything moves."""

import zlib
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from payments.core import states
from payments.payout_batches.files.headings import Columns, recognise
from payments.payout_batches.files.reading import read_sheet
from payments.payout_batches.files.sheets import FileRefused, Sheet
from payments.payout_batches.models import (
    BatchFile,
    BatchLine,
    BatchStatus,
    PayoutBatch,
)
from payments.payout_batches.services import duplicates, totals
from payments.payout_batches.services.line_reading import LineReader
from payments.payout_batches.services.terms import Terms

WORKER = "worker"


def check(*, batch: PayoutBatch, now: datetime) -> None:
    """Reads the file and stores its lines, all or none. Keys are asked for after it."""
    try:
        sheet = read_sheet(zlib.decompress(bytes(batch.file.content)))
        columns = recognise(sheet.rows[0].cells)
        lines = _lines(batch, sheet, columns, now)
    except FileRefused as refused:
        refuse(batch=batch, code=refused.code, values=refused.values, now=now)
        return
    _store(batch, sheet, columns, lines)


def _lines(batch: PayoutBatch, sheet: Sheet, columns: Columns, now: datetime) -> list[BatchLine]:
    if len(sheet.rows) < 2:
        raise FileRefused("empty")
    reader = LineReader(columns, Terms(batch.merchant))
    lines = [reader.read(row) for row in sheet.rows[1:]]
    mark_duplicates(batch, lines, now)
    return lines


def mark_duplicates(batch: PayoutBatch, lines: Sequence[BatchLine], now: datetime) -> None:
    duplicates.mark_inside(lines)
    duplicates.mark_recent(batch, lines, now)


@transaction.atomic
def refuse(*, batch: PayoutBatch, code: str, values: dict[str, object], now: datetime) -> None:
    if not _is_being_checked(batch):
        return
    states.move(
        batch,
        BatchStatus.REFUSED,
        now=now,
        actor=WORKER,
        cause=code,
        cause_values=values,
        due_at=None,
    )
    BatchFile.objects.filter(batch=batch).delete()


@transaction.atomic
def _store(batch: PayoutBatch, sheet: Sheet, columns: Columns, lines: Sequence[BatchLine]) -> None:
    """Does nothing if the batch was discarded, or another worker has stored them."""
    if not _is_being_checked(batch):
        return
    batch.format = sheet.format
    batch.headings = [str(cell) for cell in sheet.rows[0].cells]
    batch.ignored = list(columns.ignored)
    totals.store_lines(batch, lines)
    totals.count(batch)
    batch.save(update_fields=["format", "headings", "ignored", *totals.FIELDS, "updated_at"])
    BatchFile.objects.filter(batch=batch).delete()


def _is_being_checked(batch: PayoutBatch) -> bool:
    """Locks the batch until the transaction ends."""
    rows = PayoutBatch.objects.select_for_update(no_key=True)
    is_open = rows.get(pk=batch.pk).status == BatchStatus.CHECKING
    return is_open and BatchFile.objects.filter(batch=batch).exists()
