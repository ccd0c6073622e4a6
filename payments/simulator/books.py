"""The other side's own records: a SQLite file that our database knows nothing about.

Several processes and threads share it. Every operation opens and closes a connection of its own:
none can be shared by a fork, and a test that points SIMULATOR_STATE elsewhere is obeyed at once.
"""

import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.conf import settings

from payments.core import jsontext
from payments.providers.ports import ZERO, ChargeStatus, Flow, Rail

BUSY_TIMEOUT_SECONDS = 10
_CHARGES = (
    """CREATE TABLE charges (
        reference TEXT PRIMARY KEY, provider_id TEXT NOT NULL UNIQUE, rail TEXT NOT NULL,
        amount TEXT NOT NULL, currency TEXT NOT NULL, description TEXT NOT NULL,
        merchant_name TEXT NOT NULL, bank_code TEXT NOT NULL, return_url TEXT NOT NULL,
        callback_url TEXT NOT NULL, instructions TEXT NOT NULL, magic TEXT NOT NULL,
        status TEXT NOT NULL, received TEXT NOT NULL, unconfirmed TEXT NOT NULL,
        trace_code TEXT NOT NULL, reason TEXT NOT NULL, started_at TEXT NOT NULL,
        open_until TEXT, opened_at TEXT, expires_at TEXT NOT NULL, changed_at TEXT NOT NULL,
        notices INTEGER NOT NULL, notice_status INTEGER NOT NULL
    )""",
    """CREATE TABLE calls (
        reference TEXT NOT NULL, kind TEXT NOT NULL, count INTEGER NOT NULL,
        PRIMARY KEY (reference, kind)
    )""",
)
_PAYOUTS = (
    """CREATE TABLE payouts (
        reference TEXT PRIMARY KEY, payout_id TEXT NOT NULL, provider_id TEXT NOT NULL UNIQUE,
        network TEXT NOT NULL, amount TEXT NOT NULL, recipient_name TEXT NOT NULL,
        document TEXT NOT NULL, destination TEXT NOT NULL, description TEXT NOT NULL,
        callback_url TEXT NOT NULL, magic TEXT NOT NULL, state TEXT NOT NULL,
        reason TEXT NOT NULL, started_at TEXT NOT NULL, changed_at TEXT NOT NULL, due_at TEXT,
        notices INTEGER NOT NULL, notice_status INTEGER NOT NULL
    )""",
    "CREATE INDEX payouts_by_id ON payouts (payout_id)",
    "CREATE INDEX payouts_due ON payouts (due_at) WHERE due_at IS NOT NULL",
    # One row each time money leaves. Nothing here is unique: twice must be seen, not prevented.
    """CREATE TABLE executions (
        reference TEXT NOT NULL, payout_id TEXT NOT NULL, executed_at TEXT NOT NULL
    )""",
    "CREATE INDEX executions_by_id ON executions (payout_id)",
)
# Payouts became one product of three.
_OUTGOING = (
    "ALTER TABLE payouts RENAME TO outgoing",
    "ALTER TABLE outgoing RENAME COLUMN payout_id TO payment_id",
    "ALTER TABLE outgoing RENAME COLUMN network TO rail",
    "ALTER TABLE outgoing ADD COLUMN product TEXT NOT NULL DEFAULT 'payout'",
    "ALTER TABLE outgoing ADD COLUMN item TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE outgoing ADD COLUMN authorization TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE executions RENAME COLUMN payout_id TO payment_id",
    "CREATE INDEX outgoing_by_destination ON outgoing (product, rail, destination)",
)
_DIRECT_METHODS = (
    "ALTER TABLE charges ADD COLUMN direct_method TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE charges ADD COLUMN flow TEXT NOT NULL DEFAULT 'INSTRUCTIONS'",
    "UPDATE charges SET flow = 'REDIRECT' WHERE rail = 'PSE'",
)
# What time alone decides: the clock looks for it.
_CHARGES_DUE = (
    "ALTER TABLE charges ADD COLUMN due_at TEXT",
    "CREATE INDEX charges_due ON charges (due_at) WHERE due_at IS NOT NULL AND status = 'PENDING'",
)
# The file's user_version says how many of these it has; the code brings it up to date.
SCHEMAS = (_CHARGES, _PAYOUTS, _OUTGOING, _DIRECT_METHODS, _CHARGES_DUE)


PAGES = {Flow.REDIRECT: "bank", Flow.PUSH: "wallet", Flow.KEY: "key"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One charge as the provider sees it. Changed only through `change`, which locks it.

    due_at  when time alone decides it, if it is pending then; None when time does not.
    """

    reference: str
    provider_id: str
    rail: Rail
    flow: Flow
    amount: Decimal
    currency: str
    description: str
    merchant_name: str
    bank_code: str
    return_url: str
    callback_url: str
    instructions: dict[str, str]
    magic: str
    started_at: datetime
    expires_at: datetime
    changed_at: datetime
    direct_method: str = ""
    open_until: datetime | None = None
    opened_at: datetime | None = None
    due_at: datetime | None = None
    trace_code: str = ""
    status: ChargeStatus = ChargeStatus.PENDING
    received: Decimal = ZERO
    unconfirmed: Decimal = ZERO
    reason: str = ""
    notices: int = 0
    notice_status: int = 0

    @property
    def page(self) -> str:
        """The name of the simulator's page where this charge is paid."""
        if self.flow is Flow.INSTRUCTIONS:
            return "crypto" if self.rail is Rail.CRYPTO else "transfer"
        return PAGES[self.flow]

    @property
    def missing(self) -> Decimal:
        """What has not been seen yet; never negative."""
        return max(ZERO, self.amount - self.received - self.unconfirmed)


COLUMNS = tuple(column.name for column in fields(Record))
_INSERT = (
    f"INSERT OR IGNORE INTO charges ({', '.join(COLUMNS)})"  # noqa: S608  names of our own fields
    f" VALUES ({', '.join('?' * len(COLUMNS))})"
)
_UPDATE = f"UPDATE charges SET {', '.join(f'{name} = ?' for name in COLUMNS)} WHERE reference = ?"  # noqa: S608


def insert(record: Record) -> Record:
    """Writes the record, unless the reference is known: then the first record is returned."""
    with transaction() as connection:
        connection.execute(_INSERT, _row(record))
        found = _find(connection, "reference", record.reference)
    assert found is not None  # noqa: S101  it is there, by this insert or by an earlier one
    return found


def by_reference(reference: str) -> Record | None:
    """The record with our reference."""
    with connect() as connection:
        return _find(connection, "reference", reference)


def by_provider_id(provider_id: str) -> Record | None:
    """The record with the provider's id."""
    with connect() as connection:
        return _find(connection, "provider_id", provider_id)


def due(now: datetime) -> list[str]:
    """References of pending charges that time has decided by now."""
    with connect() as connection:
        rows = connection.execute(
            "SELECT reference FROM charges WHERE due_at <= ? AND status = 'PENDING'"
            " ORDER BY due_at",
            [write_moment(now)],
        )
        return [row["reference"] for row in rows]


def change(reference: str, decide: Callable[[Record], Record]) -> tuple[Record, bool] | None:
    """Replaces the record by `decide(record)` while nobody else can write.

    Returns the record as it stands and whether it changed; None when there is none. What `decide`
    raises goes through and changes nothing.
    """
    with transaction() as connection:
        record = _find(connection, "reference", reference)
        if record is None:
            return None
        decided = decide(record)
        if decided != record:
            connection.execute(_UPDATE, [*_row(decided), reference])
    return decided, decided != record


def count_call(reference: str, kind: str) -> int:
    """Counts one call and returns the number so far, this one included."""
    with transaction() as connection:
        connection.execute(
            "INSERT INTO calls VALUES (?, ?, 1)"
            " ON CONFLICT (reference, kind) DO UPDATE SET count = count + 1",
            [reference, kind],
        )
        row = connection.execute(
            "SELECT count FROM calls WHERE reference = ? AND kind = ?", [reference, kind]
        ).fetchone()
    return int(row[0])


def calls(reference: str, kind: str) -> int:
    """How many calls of this kind (start, send, query) were counted."""
    with connect() as connection:
        row = connection.execute(
            "SELECT count FROM calls WHERE reference = ? AND kind = ?", [reference, kind]
        ).fetchone()
    return int(row[0]) if row else 0


@contextmanager
def connect() -> Iterator[sqlite3.Connection]:
    """A connection of one's own, for reading."""
    path = Path(settings.SIMULATOR_STATE)
    if not path.exists():
        _create(path)
    # Autocommit: transactions begin and end where this module says so.
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None)
    try:
        # A killed process loses nothing; only a power cut could, and these are toy books.
        connection.execute("PRAGMA synchronous = OFF")
        connection.row_factory = sqlite3.Row
        if _version(connection) < len(SCHEMAS):
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
    # The file gets its name only when it is complete, so nobody meets half a schema; the lock is
    # needed because SQLite does not wait in line to switch a file to WAL.
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
    """Adds what the file lacks: it may have been written by an earlier release."""
    connection.execute("BEGIN IMMEDIATE")
    for schema in SCHEMAS[_version(connection) :]:  # asked again: others upgrade it, too
        for statement in schema:
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {len(SCHEMAS)}")
    connection.execute("COMMIT")


def _find(connection: sqlite3.Connection, column: str, value: str) -> Record | None:
    row = connection.execute(
        f"SELECT {', '.join(COLUMNS)} FROM charges WHERE {column} = ?",  # noqa: S608
        [value],
    ).fetchone()
    return None if row is None else _record(row)


def _row(record: Record) -> list[Any]:
    return [_WRITERS.get(name, lambda value: value)(getattr(record, name)) for name in COLUMNS]


def _record(row: sqlite3.Row) -> Record:
    return Record(**{name: _READERS.get(name, lambda text: text)(row[name]) for name in COLUMNS})


def write_moment(moment: datetime | None) -> str | None:
    """Always of the same length and zone, so that the text sorts as the moments do."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds") if moment else None


def _read_moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


_MOMENTS = ("started_at", "open_until", "opened_at", "expires_at", "changed_at", "due_at")
_AMOUNTS = ("amount", "received", "unconfirmed")
_WRITERS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(_MOMENTS, write_moment),
    **dict.fromkeys(_AMOUNTS, str),
    "instructions": jsontext.dumps,
}
_READERS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(_MOMENTS, _read_moment),
    **dict.fromkeys(_AMOUNTS, Decimal),
    "instructions": lambda text: jsontext.loads(text.encode()),
    "rail": Rail,
    "flow": Flow,
    "status": ChargeStatus,
}
