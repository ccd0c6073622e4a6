"""The simulator's SQLite file, which processes and threads share.

Every operation opens and closes its own connection, because a connection must not cross a fork, and
a test may change SIMULATOR_STATE at any time.
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
# One statement on two small indexes, so that an idle clock costs little.
_IS_ANYTHING_DUE = """
SELECT EXISTS (SELECT 1 FROM charges WHERE due_at <= :now AND status = 'PENDING')
    OR EXISTS (SELECT 1 FROM outgoing WHERE due_at <= :now)
"""
R = TypeVar("R", ChargeRecord, OutgoingRecord)


class UnknownReference(LookupError):
    """No record has this reference or id: it was never sent, or it was refused."""


class Table(Generic[R]):
    """A table with one column for each field of the record type."""

    def __init__(self, name: str, record_type: type[R], due_condition: str) -> None:
        self.record_type: type[R] = record_type
        self.due_condition = due_condition
        self.codecs = {
            field.name: _codec(get_type_hints(record_type)[field.name])
            for field in fields(record_type)
        }
        columns, holes = ", ".join(self.codecs), ", ".join("?" * len(self.codecs))
        changes = ", ".join(f"{column} = ?" for column in self.codecs)
        # The names are constants of this package, so this SQL is safe.
        self.select_sql = f"SELECT {columns} FROM {name}"  # noqa: S608
        self.insert_sql = f"INSERT INTO {name} ({columns}) VALUES ({holes})"  # noqa: S608
        self.update_sql = f"UPDATE {name} SET {changes} WHERE reference = ?"  # noqa: S608

    def insert(
        self, record: R, check: Callable[[sqlite3.Connection], None] | None = None
    ) -> tuple[R, bool]:
        """Returns the record, or the first one with its reference, and whether it was written.

        `check` runs while no other process can write. If it raises, nothing is written.
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

    def change(self, reference: str, decide: Callable[[R], R]) -> tuple[R, bool]:
        """Replaces the record by `decide(record)` while no other process can write.

        Returns the record and whether it changed. Raises UnknownReference. If `decide` raises,
        nothing changes.
        """
        with transaction() as connection:
            record = self._find(connection, "reference", reference)
            if record is None:
                raise UnknownReference(reference)
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
        """References of the records that are due, the oldest first."""
        sql = f"{self.select_sql} WHERE {self.due_condition} ORDER BY due_at"
        with connect() as connection:
            rows = connection.execute(sql, [_write_time(now)])
            return [row["reference"] for row in rows]

    def on_write(self, connection: sqlite3.Connection, before: R | None, after: R) -> None:
        """Called in the transaction of each write."""

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


class OutgoingTable(Table[OutgoingRecord]):
    """Adds a row to `executions` each time money leaves, so that tests can count them."""

    def on_write(
        self, connection: sqlite3.Connection, before: OutgoingRecord | None, after: OutgoingRecord
    ) -> None:
        if after.state in LEFT and (before is None or before.state not in LEFT):
            connection.execute(
                "INSERT INTO executions (reference, payment_id, executed_at) VALUES (?, ?, ?)",
                [after.reference, after.payment_id, _write_time(after.changed_at)],
            )

    def by_payment_id(self, payment_id: str) -> list[OutgoingRecord]:
        """Every record of our payment, oldest first. Two mean that it was sent twice."""
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
    """Counts one call. Returns how many there are now."""
    with transaction() as connection:
        connection.execute(
            "INSERT INTO calls VALUES (?, ?, 1)"
            " ON CONFLICT (reference, kind) DO UPDATE SET count = count + 1",
            [reference, kind],
        )
        return _calls(connection, reference, kind)


def calls(reference: str, kind: str) -> int:
    """How many calls of the kind (start, send, query, check) were counted."""
    with connect() as connection:
        return _calls(connection, reference, kind)


def is_anything_due(connection: sqlite3.Connection, now: datetime) -> bool:
    row = connection.execute(_IS_ANYTHING_DUE, {"now": _write_time(now)}).fetchone()
    return bool(row[0])


@contextmanager
def connect() -> Iterator[sqlite3.Connection]:
    """A connection for reading."""
    path = Path(settings.SIMULATOR_STATE)
    if not path.exists():
        _create(path)
    # Autocommit: this module begins and ends its transactions itself.
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None)
    try:
        # A killed process loses nothing; a power cut may lose play money.
        connection.execute("PRAGMA synchronous = OFF")
        connection.row_factory = sqlite3.Row
        if _version(connection) < len(schema.SCHEMAS):
            _upgrade(connection)
        yield connection
    finally:
        connection.close()


@contextmanager
def transaction() -> Iterator[sqlite3.Connection]:
    """The only connection that may write until the end of the block."""
    with connect() as connection:
        # IMMEDIATE takes the write lock at once. A lock that is taken later fails without waiting.
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")


def _create(path: Path) -> None:
    # The file gets its name when it is complete, so that no process sees half a schema. The lock is
    # needed because SQLite does not wait for its own lock when it switches a file to WAL.
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
        connection.close()  # the last connection that closes writes the log back into the file
        draft.rename(path)
    finally:
        os.close(lock)


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _upgrade(connection: sqlite3.Connection) -> None:
    """Applies the changes that a file of an earlier release lacks."""
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
    """In one length and time zone, so that the text sorts as the times do."""
    return time.astimezone(UTC).isoformat(timespec="microseconds") if time else None


def _codec(hint: Any) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """The functions that write and read a field of this type."""
    if hint in (datetime, datetime | None):
        return _write_time, lambda text: datetime.fromisoformat(text) if text else None
    if hint == dict[str, str]:
        return jsontext.dumps, lambda text: jsontext.loads(text.encode())
    if hint is Decimal:
        return str, Decimal
    if issubclass(hint, StrEnum):
        return str, hint
    return hint, hint


charges = Table("charges", ChargeRecord, "due_at <= ? AND status = 'PENDING'")
outgoing = OutgoingTable("outgoing", OutgoingRecord, "due_at <= ?")
