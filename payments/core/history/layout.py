"""Partitions as PostgreSQL's catalogue has them, and the locks that change them."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from payments.core.history.tables import HistoryTable

# A statement that alters a busy table waits for the longest transaction on it, and all others wait
# behind it. Give up soon, and try again later.
LOCK_TIMEOUT = "2s"
_TO = re.compile(r"TO \('?([^')]+)'?\)")


@dataclass(frozen=True, slots=True)
class Partition:
    """`below` is the upper bound of its ids."""

    name: str
    below: str | int


@contextmanager
def alteration() -> Iterator[CursorWrapper]:
    """A short transaction without a limit on statements."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
        cursor.execute("SET LOCAL statement_timeout = 0")
        yield cursor


@contextmanager
def without_triggers(cursor: CursorWrapper, name: str) -> Iterator[None]:
    """Inside an alteration, whose end enables them again also after an error."""
    cursor.execute(f"ALTER TABLE {name} DISABLE TRIGGER USER")
    yield
    cursor.execute(f"ALTER TABLE {name} ENABLE TRIGGER USER")


def rows(sql: str, params: Any = None) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return list(cursor.fetchall())


def exists(name: str) -> bool:
    return bool(rows("SELECT 1 WHERE to_regclass(%s) IS NOT NULL", [name]))


def is_partitioned(name: str) -> bool:
    found = rows("SELECT relkind = 'p' FROM pg_class WHERE oid = to_regclass(%s)", [name])
    return bool(found and found[0][0])


def partitions(table: HistoryTable) -> list[Partition]:
    """The oldest first. Without the default partition."""
    found = rows(
        "SELECT c.relname, pg_get_expr(c.relpartbound, c.oid) FROM pg_inherits i"
        " JOIN pg_class c ON c.oid = i.inhrelid"
        " WHERE i.inhparent = to_regclass(%s) ORDER BY c.relname",
        [table.table],
    )
    listed = []
    for name, expression in found:
        if (match := _TO.search(expression)) is not None:
            below = match.group(1) if table.prefix else int(match.group(1))
            listed.append(Partition(name, below))
    return sorted(listed, key=lambda each: each.below)


def attach(cursor: CursorWrapper, table: HistoryTable, name: str, bounds: str) -> None:
    """`bounds`: `FOR VALUES FROM (...) TO (...)` or `DEFAULT`."""
    cursor.execute(f"ALTER TABLE {table.table} ATTACH PARTITION {name} {bounds}")
    _protect(cursor, table.table, name)


def create_partition(cursor: CursorWrapper, table: HistoryTable, name: str) -> None:
    """A table of its own until it is attached."""
    cursor.execute(f"CREATE TABLE {name} (LIKE {table.table} INCLUDING ALL)")


def _protect(cursor: CursorWrapper, parent: str, name: str) -> None:
    """PostgreSQL repeats triggers of rows for partitions, and not those of statements."""
    cursor.execute(
        "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger"
        " WHERE tgrelid = %s::regclass AND NOT tgisinternal AND tgtype & 1 = 0"
        " AND tgname NOT IN (SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass)",
        [parent, name],
    )
    for _name, definition in cursor.fetchall():
        cursor.execute(re.sub(r" ON (\S+) ", f" ON {name} ", definition, count=1))
