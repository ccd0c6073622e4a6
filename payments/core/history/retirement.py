"""Drops the months that are older than is kept, after their rows were written to files.

A month is written, the file is read back, and the partition is detached. What is never dropped
(`kept`) moves to the default partition. Then the detached table is compared with its file, and
dropped. An interrupted run is continued by the next one.
"""

import re
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import structlog
from django.db.backends.utils import CursorWrapper

from payments.core.history import archive, layout
from payments.core.history.tables import HistoryTable, month_of, open_subjects

log = structlog.get_logger(__name__)
BATCH_ROWS = 10_000


@dataclass(slots=True)
class Retired:
    """`rows` of batches, without those of `partitions`; `kept` rows moved out of partitions."""

    partitions: list[str] = field(default_factory=list)
    rows: int = 0
    kept: int = 0


def retire(table: HistoryTable, *, now: datetime, directory: Path | None) -> Retired:
    """Without `directory` the rows are dropped and not written. Raises OSError."""
    retired = Retired()
    since = table.first_kept(now)
    if since is None:
        return retired
    border = month_of(since)
    if table.in_batches:
        retired.rows = _retire_rows(table, table.table, border, directory)
        return retired
    if not layout.is_partitioned(table.table):
        return retired
    for name in _detached(table):
        _finish(table, name, directory)
        retired.partitions.append(name)
    for each in layout.partitions(table):
        if not table.is_within(border, each.below) or each.below == table.bound(border):
            if directory is not None:
                archive.write(_path(directory, table, each.name), each.name)
            retired.kept += _detach(table, each.name)
            _finish(table, each.name, directory)
            retired.partitions.append(each.name)
    retired.rows = _retire_rows(table, table.default, border, directory)
    if table.forget is not None:
        table.forget(str(table.bound(border)))
    log.info("history.retired", table=table.table, partitions=retired.partitions, rows=retired.rows)
    return retired


def _kept(table: HistoryTable) -> str:
    return table.kept.replace("%(open)s", f"({open_subjects()})")


def _path(directory: Path, table: HistoryTable, name: str) -> Path:
    return directory / table.table / f"{name}.csv.gz"


def _detached(table: HistoryTable) -> list[str]:
    """Tables that an interrupted run has detached and not dropped."""
    found = layout.rows(
        "SELECT relname FROM pg_class WHERE relkind = 'r' AND NOT relispartition"
        " AND relnamespace = current_schema()::regnamespace AND starts_with(relname, %s)"
        " ORDER BY relname",
        [table.table],
    )
    month = re.compile(rf"{table.table}_(until_)?\d{{4}}_\d\d")
    return [name for (name,) in found if month.fullmatch(name)]


def _detach(table: HistoryTable, name: str) -> int:
    """Rows that are kept are found before the lock, because that may take long."""
    kept = [key for (key,) in layout.rows(f"SELECT id FROM {name} h WHERE {_kept(table)}")]
    with layout.alteration() as cursor:
        cursor.execute(f"ALTER TABLE {table.table} DETACH PARTITION {name}")
        if kept:
            _move_back(cursor, table, name, "id = ANY(%s)", [kept])
    return len(kept)


def _move_back(
    cursor: CursorWrapper, table: HistoryTable, name: str, condition: str, params: Any
) -> None:
    copied = f"INSERT INTO {table.default} SELECT * FROM {name} h WHERE {condition}"
    with layout.without_triggers(cursor, table.default):
        cursor.execute(copied, params)
        # The foreign keys of the new rows are checked now: a table with checks to come cannot
        # change.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def _finish(table: HistoryTable, name: str, directory: Path | None) -> None:
    """Compares the detached table with its file, and drops it."""
    if table.kept != "false":
        # What was opened since the partition was read, such as a dispute.
        absent = f"NOT EXISTS (SELECT FROM {table.table} p WHERE p.id = h.id)"
        with layout.alteration() as cursor:
            _move_back(cursor, table, name, f"{absent} AND ({_kept(table)})", None)
    if directory is not None and not archive.is_complete(
        path := _path(directory, table, name), name
    ):
        archive.write(path, name)
    with layout.alteration() as cursor:
        cursor.execute(f"DROP TABLE {name}")


def _retire_rows(table: HistoryTable, source: str, border: datetime, directory: Path | None) -> int:
    """In batches, each with a file of its own, which a repetition replaces."""
    wanted = f"id < %s AND id > %s AND NOT ({_kept(table)})"
    lowest: str | int = "" if table.prefix else -1
    total = 0
    while True:
        query = f"SELECT id FROM {source} h WHERE {wanted} ORDER BY id LIMIT {BATCH_ROWS}"
        ids = [key for (key,) in layout.rows(query, [table.bound(border), lowest])]
        if not ids:
            return total
        if directory is not None:
            path = _path(directory, table, f"{table.table}_rows_{ids[0]}")
            archive.write(path, source, "id = ANY(%s)", [ids])
        _delete(source, ids, has_triggers=source == table.default)
        total, lowest = total + len(ids), ids[-1]


def _delete(source: str, ids: list[str | int], *, has_triggers: bool) -> None:
    with layout.alteration() as cursor:
        guard = layout.without_triggers(cursor, source) if has_triggers else nullcontext()
        with guard:
            cursor.execute(f"DELETE FROM {source} WHERE id = ANY(%s)", [ids])
