"""Makes exports in turns: some thousand rows of one export, then of the next.

Each piece is committed with its position, so that after a crash another worker continues there.
Only one turn runs at a time in all workers, so that exports do not take the threads for money.
"""

import time
import uuid
import zlib
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import psycopg.errors
import structlog
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import OperationalError, connection, transaction
from django.db.models import Model, QuerySet
from django.utils.translation import override

from payments.console.csvtext import Cell
from payments.console.exports import column_names, permissions
from payments.console.exports.files import ROWS_OF_A_SHEET, Csv, Xlsx
from payments.console.exports.permissions import ExportedPage
from payments.console.models import Export, ExportPart
from payments.core import clock, replica

log = structlog.get_logger(__name__)
Status, Failure = Export.Status, Export.Failure
KINDS: dict[str, type[Csv | Xlsx]] = {Export.Format.CSV: Csv, Export.Format.XLSX: Xlsx}
CHUNK_ROWS = 1000
Reader = Callable[[Model], list[Cell]]
# Longer than the longest query of an export.
LEASE = timedelta(seconds=60)
LOST_MAX = 3
# Key of the advisory lock that serializes claims. No other code uses this key.
_CLAIMS = 6_201_947


class LeaseLost(Exception):
    """The export was cancelled, or another worker took it over."""


class TooLarge(Exception):
    """More rows or bytes than one file may have."""


def run_turn(*, seconds: float | None = None) -> bool:
    """Makes due exports until the time is over. Returns whether some are left."""
    deadline = time.monotonic() + (settings.EXPORT_TURN_SECONDS if seconds is None else seconds)
    while (export := claim(now=clock.now())) is not None:
        make(export, deadline)
        if time.monotonic() >= deadline:
            return Export.objects.filter(due_at__lte=clock.now()).exists()
    return False


def claim(*, now: datetime, only: Export | None = None) -> Export | None:
    """Claims the export that has waited longest, unless another one is being made now.

    `only` is always claimed, because its few rows are made inside the request.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_CLAIMS])
        due = Export.objects.filter(due_at__lte=now)
        if only is not None:
            due = due.filter(pk=only.pk)
        elif Export.objects.filter(lease_token__isnull=False, due_at__gt=now).exists():
            return None
        export = due.order_by("due_at", "id").select_for_update(of=["self"]).first()
        if export is None:
            return None
        export.lost += export.lease_token is not None  # the worker that held the lease has died
        export.status, export.lease_token = Status.RUNNING, uuid.uuid4()
        export.due_at = now + LEASE
        export.save(update_fields=["lost", "status", "lease_token", "due_at"])
    return export


def make(export: Export, deadline: float | None = None) -> None:
    """Writes pieces until the list or the time ends. An error ends the export with its reason.

    If the database is unavailable, the export does not end: the lease expires and another turn
    begins.
    """
    try:
        if export.lost > LOST_MAX:
            end(export, Status.FAILED, failure=Failure.LOST, now=clock.now())
        elif _write(export, deadline):
            end(export, Status.READY, now=clock.now())
        else:
            _release(export)
    except LeaseLost:
        log.info("export.lease_lost", export=export.pk)
    except PermissionDenied:
        end(export, Status.FAILED, failure=Failure.NOT_ALLOWED, now=clock.now())
    except TooLarge:
        end(export, Status.FAILED, failure=Failure.TOO_LARGE, now=clock.now())
    except OperationalError as error:
        if not isinstance(error.__cause__, psycopg.errors.QueryCanceled):
            raise
        end(export, Status.FAILED, failure=Failure.TOO_SLOW, now=clock.now())
    except Exception:
        log.exception("export.failed", export=export.pk)
        end(export, Status.FAILED, failure=Failure.BROKEN, now=clock.now())


def _write(export: Export, deadline: float | None) -> bool:
    page, request = permissions.enter(export)
    rows = permissions.rows_of(page, request)
    if export.rows_total is None:
        limit = min(settings.EXPORT_MAX_ROWS, ROWS_OF_A_SHEET)
        export.rows_total = _count(rows.order_by()[: limit + 1])
        if export.rows_total > limit:
            raise TooLarge
        _keep(export, rows_total=export.rows_total)
    with override(_language(export)):
        cells, file = _cells(export, page), kind_of(export, page)
        while _next_piece(export, rows, cells, file):
            if deadline is not None and time.monotonic() >= deadline:
                return False
    return True


def _next_piece(export: Export, rows: QuerySet[Model], cells: Reader, file: Csv | Xlsx) -> bool:
    """Writes one piece. Returns False when no rows were left.

    It uses short queries instead of one long query. Keys sort by time, so newer rows are left
    out.
    """
    older = rows.filter(pk__lt=export.last_key) if export.last_key else rows
    chunk, text = _read_piece(export, older[:CHUNK_ROWS], cells, file)
    if not chunk:
        return False
    content = zlib.compress(text, 6)
    number = export.rows_done
    export.rows_done += len(chunk)
    export.stored_bytes += len(content)
    export.last_key = str(chunk[-1].pk)
    if export.stored_bytes > settings.EXPORT_MAX_BYTES:
        raise TooLarge
    with transaction.atomic():
        _keep(
            export,
            rows_done=export.rows_done,
            stored_bytes=export.stored_bytes,
            last_key=export.last_key,
            # The worker makes progress, so earlier deaths no longer count.
            lost=0,
        )
        ExportPart.objects.create(export=export, number=number, content=content)
    return len(chunk) == CHUNK_ROWS


@replica.may_lag
def _count(rows: QuerySet[Model]) -> int:
    return rows.count()


@replica.may_lag
def _read_piece(
    export: Export, rows: QuerySet[Model], cells: Reader, file: Csv | Xlsx
) -> tuple[list[Model], bytes]:
    """The rows as they stand in the file. A cell may read the relations of its row."""
    chunk = list(rows.all())
    return chunk, file.piece((cells(row) for row in chunk), export.rows_done)


def _cells(export: Export, page: ExportedPage) -> Reader:
    """What reads the cells of a row: codes in words for people, as in the API for programs."""
    whole = export.is_revealed
    if not KINDS[export.format].is_for_people:
        return lambda row: [column.cell(row, whole=whole) for column in page.export_columns]
    columns = [
        (column, column_names.words(page.model, column) or (lambda value: value))
        for column in page.export_columns
    ]
    return lambda row: [words(column.cell(row, whole=whole)) for column, words in columns]


def _language(export: Export) -> str:
    """That of the person who asked: a worker has none. Empty on exports from before it was kept."""
    return export.language or settings.LANGUAGE_CODE


def _keep(export: Export, **changes: object) -> None:
    """Writes the row if the lease is still held, and renews the lease. Raises LeaseLost."""
    mine = Export.objects.filter(pk=export.pk, lease_token=export.lease_token)
    if not mine.update(due_at=clock.now() + LEASE, **changes):
        raise LeaseLost


def _release(export: Export) -> None:
    """Puts the export at the end of the queue."""
    mine = Export.objects.filter(pk=export.pk, lease_token=export.lease_token)
    mine.update(due_at=clock.now(), lease_token=None)


def end(export: Export, status: str, *, now: datetime, failure: str = "") -> bool:
    """Ends the export. Returns whether it was still open. Only a READY export keeps its pieces.

    A caller that makes the export must hold its lease.
    """
    with transaction.atomic():
        mine = Export.objects.filter(pk=export.pk, status__in=Export.OPEN)
        if status != Status.CANCELLED:
            mine = mine.filter(lease_token=export.lease_token)
        ended = mine.update(
            status=status, failure=failure, finished_at=now, due_at=None, lease_token=None
        )
        if ended and status != Status.READY:
            ExportPart.objects.filter(export=export).delete()
            Export.objects.filter(pk=export.pk).update(query="", stored_bytes=0)
    return bool(ended)


def kind_of(export: Export, page: ExportedPage) -> Csv | Xlsx:
    kind, columns = KINDS[export.format], page.export_columns
    if not kind.is_for_people:
        return kind([column.header for column in columns])
    with override(_language(export)):
        return kind(column_names.headings(page.model, columns))


def file_of(export: Export, page: ExportedPage) -> Iterator[bytes]:
    """The file, with one short query for each piece."""
    return kind_of(export, page).file(_pieces(export))


def _pieces(export: Export) -> Iterator[bytes]:
    numbers = list(export.parts.order_by("number").values_list("number", flat=True))
    for number in numbers:
        part = ExportPart.objects.get(export=export, number=number)
        yield zlib.decompress(bytes(part.content))
