"""The simulator's own SQLite file.

Several processes and threads share it. Every operation opens and closes a connection of its own:
a fork cannot share one, and a test may point SIMULATOR_STATE elsewhere at any time.
"""

import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Any, Generic, TypeVar, get_type_hints

from django.conf import settings

from payments.core import jsontext
from payments.simulator import schema
from payments.simulator.magic import OutgoingProduct
from payments.simulator.records import LEFT, ChargeRecord, OutgoingRecord

BUSY_TIMEOUT_SECONDS = 10
# One statement on two small indexes: what an idle clock costs.
_IS_ANYTHING_DUE = """
SELECT EXISTS (SELECT 1 FROM charges WHERE due_at <= :now AND status = 'PENDING')
    OR EXISTS (SELECT 1 FROM outgoing WHERE due_at <= :now)
"""
R = TypeVar("R", ChargeRecord, OutgoingRecord)


class Table(Generic[R]):
    """The rows of one kind of record. A record has a column for each of its fields."""

    due_condition = "due_at <= ?"

    def __init__(self, name: str, record_type: type[R]) -> None:
        self.record_type: type[R] = record_type
        self.codecs = {
            field.name: _codec(get_type_hints(record_type)[field.name])
            for field in fields(record_type)
        }
        columns, holes = ", ".join(self.codecs), ", ".join("?" * len(self.codecs))
        changes = ", ".join(f"{column} = ?" for column in self.codecs)
        # Table and columns are names of our own.
        self.select_sql = f"SELECT {columns} FROM {name}"  # noqa: S608
        self.insert_sql = f"INSERT INTO {name} ({columns}) VALUES ({holes})"  # noqa: S608
        self.update_sql = f"UPDATE {name} SET {changes} WHERE reference = ?"  # noqa: S608

    def insert(
        self, record: R, check: Callable[[sqlite3.Connection], None] | None = None
    ) -> tuple[R, bool]:
        """Writes the record, unless the reference is known: then the first record is returned.

        The second value: whether it was written. `check` runs while no other process can
        write; what it raises goes through, and then nothing was written.
        """
        with transaction() as connection:
            known = self._find(connection, "reference", record.reference)
            if known is not None:
                return known, False
            if check is not None:
                check(connection)
            connection.execute(self.insert_sql, self._row(record))
            self.on_write(connection, None, record)
        return record, True

    def change(self, reference: str, decide: Callable[[R], R]) -> tuple[R, bool] | None:
        """Replaces the record by `decide(record)` while no other process can write.

        Returns the record as it stands and whether it changed; None when there is none. What
        `decide` raises goes through and changes nothing.
        """
        with transaction() as connection:
            record = self._find(connection, "reference", reference)
            if record is None:
                return None
            decided: R = decide(record)
            if decided != record:
                connection.execute(self.update_sql, [*self._row(decided), reference])
                self.on_write(connection, record, decided)
        return decided, decided != record

    def by_reference(self, reference: str) -> R | None:
        with connect() as connection:
            return self._find(connection, "reference", reference)

    def by_provider_id(self, provider_id: str) -> R | None:
        with connect() as connection:
            return self._find(connection, "provider_id", provider_id)

    def due(self, now: datetime) -> list[str]:
        """References of records that time alone has changed by now, longest due first."""
        sql = f"{self.select_sql} WHERE {self.due_condition} ORDER BY due_at"
        with connect() as connection:
            rows = connection.execute(sql, [_write_time(now)])
            return [row["reference"] for row in rows]

    def on_write(self, connection: sqlite3.Connection, before: R | None, after: R) -> None:
        """In the transaction of each write."""

    def _find(self, connection: sqlite3.Connection, column: str, value: str) -> R | None:
        return next(iter(self._select(connection, f"WHERE {column} = ?", [value])), None)

    def _select(self, connection: sqlite3.Connection, condition: str, values: list[str]) -> list[R]:
        rows = connection.execute(f"{self.select_sql} {condition}", values)
        return [
            self.record_type(**{name: read(row[name]) for name, (_, read) in self.codecs.items()})
            for row in rows
        ]

    def _row(self, record: R) -> list[str | int | None]:
        return [write(getattr(record, name)) for name, (write, _) in self.codecs.items()]


class ChargeTable(Table[ChargeRecord]):
    due_condition = "due_at <= ? AND status = 'PENDING'"


class OutgoingTable(Table[OutgoingRecord]):
    """Outgoing payments, with a row in `executions` each time money leaves.

    Executions are not unique, so that a test of the service can count them.
    """

    def on_write(
        self, connection: sqlite3.Connection, before: OutgoingRecord | None, after: OutgoingRecord
    ) -> None:
        if after.state in LEFT and (before is None or before.state not in LEFT):
            connection.execute(
                "INSERT INTO executions (reference, payment_id, executed_at) VALUES (?, ?, ?)",
                [after.reference, after.payment_id, _write_time(after.changed_at)],
            )

    def by_payment_id(self, payment_id: str) -> list[OutgoingRecord]:
        """Every record of our payment, oldest first: more than one means that it was sent twice."""
        return self._read("WHERE payment_id = ? ORDER BY rowid", payment_id)

    def at(
        self,
        product: OutgoingProduct,
        rail: str,
        destination: str,
        connection: sqlite3.Connection | None = None,
    ) -> list[OutgoingRecord]:
        """Payments to this destination, oldest first."""
        condition = "WHERE product = ? AND rail = ? AND destination = ? ORDER BY rowid"
        if connection is not None:
            return self._select(connection, condition, [product, rail, destination])
        return self._read(condition, product, rail, destination)

    def all(self) -> list[OutgoingRecord]:
        """Oldest first."""
        return self._read("ORDER BY rowid")

    def _read(self, condition: str, *values: str) -> list[OutgoingRecord]:
        with connect() as connection:
            return self._select(connection, condition, [*values])


def executions(payment_id: str) -> int:
    """How many times money left for our payment, under any reference."""
    return executions_by_payment().get(payment_id, 0)


def executions_by_payment() -> dict[str, int]:
    with connect() as connection:
        rows = connection.execute("SELECT payment_id, count(*) FROM executions GROUP BY payment_id")
        return {row[0]: row[1] for row in rows}


def count_call(reference: str, kind: str) -> int:
    """Counts one call and returns the number so far, this one included."""
    with transaction() as connection:
        connection.execute(
            "INSERT INTO calls VALUES (?, ?, 1)"
            " ON CONFLICT (reference, kind) DO UPDATE SET count = count + 1",
            [reference, kind],
        )
        return _calls(connection, reference, kind)


def calls(reference: str, kind: str) -> int:
    """How many calls of this kind (start, send, query, check) were counted."""
    with connect() as connection:
        return _calls(connection, reference, kind)


def is_anything_due(connection: sqlite3.Connection, now: datetime) -> bool:
    row = connection.execute(_IS_ANYTHING_DUE, {"now": _write_time(now)}).fetchone()
    return bool(row[0])


@contextmanager
def connect() -> Iterator[sqlite3.Connection]:
    """A new connection, for reading."""
    path = Path(settings.SIMULATOR_STATE)
    if not path.exists():
        _create(path)
    # Autocommit: transactions begin and end by statements of this module.
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None)
    try:
        # A killed process loses nothing. Only a power cut could, and this is play money.
        connection.execute("PRAGMA synchronous = OFF")
        connection.row_factory = sqlite3.Row
        if _version(connection) < len(schema.SCHEMAS):
            _upgrade(connection)
        yield connection
    finally:
        connection.close()


@contextmanager
def transaction() -> Iterator[sqlite3.Connection]:
    """A connection that alone may write, until the end of the block."""
    with connect() as connection:
        # IMMEDIATE takes the write lock at once: a lock taken later could not wait for its turn.
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")


def _create(path: Path) -> None:
    # The file gets its name when it is complete, so that no process sees half a schema. The lock
    # is needed because SQLite does not wait in line to switch a file to WAL.
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if path.exists():
            return
        draft = Path(f"{path}.new")
        draft.unlink(missing_ok=True)
        draft.touch(mode=0o600)
        connection = sqlite3.connect(draft, isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        _upgrade(connection)
        connection.close()  # the last one to close writes the log back into the file
        draft.rename(path)
    finally:
        os.close(lock)


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _upgrade(connection: sqlite3.Connection) -> None:
    """Adds what the file lacks: an earlier release may have written it."""
    connection.execute("BEGIN IMMEDIATE")
    # The version is read again under the lock: another process may upgrade at the same time.
    for statements in schema.SCHEMAS[_version(connection) :]:
        for statement in statements:
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {len(schema.SCHEMAS)}")
    connection.execute("COMMIT")


def _calls(connection: sqlite3.Connection, reference: str, kind: str) -> int:
    sql = "SELECT count FROM calls WHERE reference = ? AND kind = ?"
    row = connection.execute(sql, [reference, kind]).fetchone()
    return int(row[0]) if row else 0


def _write_time(time: datetime | None) -> str | None:
    """Always of the same length and zone, so that the text sorts as the times do."""
    return time.astimezone(UTC).isoformat(timespec="microseconds") if time else None


def _codec(hint: Any) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """How a field of this type is written and read."""
    if hint in (datetime, datetime | None):
        return _write_time, lambda text: datetime.fromisoformat(text) if text else None
    if hint == dict[str, str]:
        return jsontext.dumps, lambda text: jsontext.loads(text.encode())
    if hint is Decimal:
        return str, Decimal
    if issubclass(hint, StrEnum):
        return str, hint
    return hint, hint


charges = ChargeTable("charges", ChargeRecord)
outgoing = OutgoingTable("outgoing", OutgoingRecord)
