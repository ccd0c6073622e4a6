"""Writes movements with COPY, because a statement may have a hundred thousand of them."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from django.db import connection

from payments.reconciliation.formats.values import ParsedLine
from payments.reconciliation.models import LineSource, LineStatus, StatementFile, StatementLine
from payments.reconciliation.services.merging import TEXTS, Known, New, StoredLine

# Each batch is a statement of its own, so that the database's time limit counts for one batch.
BATCH = 5_000
UNDECIDED = (LineStatus.NEW, LineStatus.AMBIGUOUS, LineStatus.UNMATCHED)
Progress = Callable[[int], None]


def stored_lines(file: StatementFile) -> Iterator[StoredLine]:
    """The movements of the file's days, in the order in which they were counted."""
    lines = StatementLine.objects.filter(
        account=file.account_id, booked_on__range=(file.first_day, file.last_day)
    )
    # The files first: with old statistics, a join of three tables compares each row with each.
    files = StatementFile.objects.filter(
        account=file.account_id,
        format=file.format,
        first_day__lte=file.last_day,
        last_day__gte=file.first_day,
    )
    same = LineSource.objects.filter(
        file__in=list(files.values_list("pk", flat=True)),
        line__booked_on__range=(file.first_day, file.last_day),
    )
    of_format = {
        line: (operation, reference)
        for line, operation, reference in same.order_by("id").values_list(
            "line_id", "operation_id", "reference"
        )
    }
    rows = lines.order_by("booked_on", "amount", "number")
    for pk, day, amount, *texts in rows.values_list("pk", "booked_on", "amount", *TEXTS).iterator():
        yield StoredLine(
            id=pk,
            booked_on=day,
            amount=amount,
            texts=tuple(texts),
            same_format=of_format.get(pk),
        )


def insert_lines(
    file: StatementFile, new: Sequence[New], *, now: datetime, progress: Progress
) -> None:
    for start in range(0, len(new), BATCH):
        batch = new[start : start + BATCH]
        ids = _next_ids(len(batch))
        _copy(
            StatementLine,
            ("id", "account_id", "booked_on", "amount", "number", *TEXTS, *_OF_NEW),
            (
                (
                    pk,
                    file.account_id,
                    one.line.booked_on,
                    one.line.amount,
                    one.number,
                    *(getattr(one.line, name) for name in TEXTS),
                    *(file.pk, one.line.line, LineStatus.NEW.value, now, now),
                )
                for pk, one in zip(ids, batch, strict=True)
            ),
        )
        _copy_sources(file, zip(ids, (one.line for one in batch), strict=True))
        progress(start + len(batch))


_OF_NEW = ("file_id", "file_line", "status", "match_at", "created_at")


def _next_ids(count: int) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)",
            [StatementLine._meta.db_table, count],
        )
        return [pk for (pk,) in cursor.fetchall()]


def _copy(
    model: type[StatementLine | LineSource],
    columns: Sequence[str],
    rows: Iterator[Sequence[object]],
) -> None:
    statement = f"COPY {model._meta.db_table} ({', '.join(columns)}) FROM STDIN"
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)


def _copy_sources(file: StatementFile, lines: Iterator[tuple[int, ParsedLine]]) -> None:
    _copy(
        LineSource,
        ("line_id", "file_id", "file_line", "operation_id", "reference"),
        ((pk, file.pk, line.line, line.operation_id, line.reference) for pk, line in lines),
    )


def add_source(
    file: StatementFile, known: Sequence[Known], *, now: datetime, progress: Progress
) -> None:
    """The file is a further source of known movements, and fills their empty texts."""
    for start in range(0, len(known), BATCH):
        batch = known[start : start + BATCH]
        _copy_sources(file, ((one.stored.id, one.line) for one in batch))
        _fill([one for one in batch if one.fills], now)
        progress(start + len(batch))


def _fill(known: Sequence[Known], now: datetime) -> None:
    """An undecided movement is matched again, because there is more to go by."""
    if not known:
        return
    ids = sorted(one.stored.id for one in known)
    # Locked in one order, because the matcher decides these lines, too.
    locked = StatementLine.objects.filter(pk__in=ids).order_by("pk").select_for_update(no_key=True)
    lines = {line.pk: line for line in locked}
    for one in known:
        for name, text in one.fills.items():
            setattr(lines[one.stored.id], name, text)
    StatementLine.objects.bulk_update(lines.values(), TEXTS, batch_size=500)
    StatementLine.objects.filter(pk__in=ids, status__in=UNDECIDED).update(match_at=now)
