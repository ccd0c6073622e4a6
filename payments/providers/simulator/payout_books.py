"""The simulator's books of payouts, in the same file as its charges (`books`).

Beside the state of each reference they keep an account of executions: one row each time money
leaves. Nothing makes those unique, so that whoever checks the service can count them.
"""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from payments.providers.ports import PayoutNetwork, PayoutState
from payments.providers.simulator import books

LEFT = (PayoutState.COMPLETED, PayoutState.RETURNED)


@dataclass(frozen=True, slots=True, kw_only=True)
class PayoutRecord:
    """One payout as the provider sees it. Changed only through `change`, which locks it.

    due_at  when time alone will change the state; None when it will not.
    """

    reference: str
    payout_id: str
    provider_id: str
    network: PayoutNetwork
    amount: Decimal
    recipient_name: str
    document: str
    destination: str
    description: str
    callback_url: str
    magic: str
    state: PayoutState
    started_at: datetime
    changed_at: datetime
    due_at: datetime | None = None
    reason: str = ""
    notices: int = 0
    notice_status: int = 0


COLUMNS = tuple(column.name for column in fields(PayoutRecord))
_SELECT = f"SELECT {', '.join(COLUMNS)} FROM payouts"  # noqa: S608  names of our own fields
_INSERT = (
    f"INSERT OR IGNORE INTO payouts ({', '.join(COLUMNS)})"  # noqa: S608
    f" VALUES ({', '.join('?' * len(COLUMNS))})"
)
_UPDATE = f"UPDATE payouts SET {', '.join(f'{name} = ?' for name in COLUMNS)} WHERE reference = ?"  # noqa: S608


def insert(record: PayoutRecord) -> tuple[PayoutRecord, bool]:
    """Writes the record, unless the reference is known: then the first record is returned.

    The second value says whether it was written.
    """
    with books.transaction() as connection:
        is_new = connection.execute(_INSERT, _row(record)).rowcount == 1
        if is_new and record.state in LEFT:
            _execute(connection, record)
        found = _find(connection, record.reference)
    assert found is not None  # noqa: S101  it is there, by this insert or by an earlier one
    return found, is_new


def change(
    reference: str, decide: Callable[[PayoutRecord], PayoutRecord]
) -> tuple[PayoutRecord, bool] | None:
    """Replaces the record by `decide(record)` while nobody else can write.

    Returns the record as it stands and whether it changed; None when there is none. What `decide`
    raises goes through and changes nothing.
    """
    with books.transaction() as connection:
        record = _find(connection, reference)
        if record is None:
            return None
        decided = decide(record)
        if decided != record:
            connection.execute(_UPDATE, [*_row(decided), reference])
        if decided.state in LEFT and record.state not in LEFT:
            _execute(connection, decided)
    return decided, decided != record


def by_reference(reference: str) -> PayoutRecord | None:
    """The record with our reference."""
    with books.connect() as connection:
        return _find(connection, reference)


def by_payout_id(payout_id: str) -> list[PayoutRecord]:
    """Every record of our payout, oldest first: more than one means that it was sent twice."""
    return _select("WHERE payout_id = ? ORDER BY rowid", payout_id)


def everything() -> list[PayoutRecord]:
    """Every record, oldest first."""
    return _select("ORDER BY rowid")


def due(now: datetime) -> list[str]:
    """References whose state time alone has changed by now."""
    with books.connect() as connection:
        rows = connection.execute(
            "SELECT reference FROM payouts WHERE due_at <= ? ORDER BY due_at", [_moment(now)]
        )
        return [row["reference"] for row in rows]


def executions(payout_id: str) -> int:
    """How many times money left for our payout, under whatever reference."""
    return executions_by_payout().get(payout_id, 0)


def executions_by_payout() -> dict[str, int]:
    """How many times money left, for each payout for which it did."""
    with books.connect() as connection:
        rows = connection.execute("SELECT payout_id, count(*) FROM executions GROUP BY payout_id")
        return {row[0]: row[1] for row in rows}


def _execute(connection: sqlite3.Connection, record: PayoutRecord) -> None:
    connection.execute(
        "INSERT INTO executions VALUES (?, ?, ?)",
        [record.reference, record.payout_id, _moment(record.changed_at)],
    )


def _find(connection: sqlite3.Connection, reference: str) -> PayoutRecord | None:
    row = connection.execute(f"{_SELECT} WHERE reference = ?", [reference]).fetchone()
    return None if row is None else _record(row)


def _select(condition: str, *values: str) -> list[PayoutRecord]:
    with books.connect() as connection:
        return [_record(row) for row in connection.execute(f"{_SELECT} {condition}", values)]


def _row(record: PayoutRecord) -> list[Any]:
    return [_WRITERS.get(name, lambda value: value)(getattr(record, name)) for name in COLUMNS]


def _record(row: sqlite3.Row) -> PayoutRecord:
    return PayoutRecord(
        **{name: _READERS.get(name, lambda text: text)(row[name]) for name in COLUMNS}
    )


def _moment(moment: datetime | None) -> str | None:
    """Always of the same length and zone, so that the text sorts as the moments do."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds") if moment else None


_MOMENTS = ("started_at", "changed_at", "due_at")
_WRITERS: dict[str, Callable[[Any], Any]] = {**dict.fromkeys(_MOMENTS, _moment), "amount": str}
_READERS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(_MOMENTS, lambda text: datetime.fromisoformat(text) if text else None),
    "amount": Decimal,
    "network": PayoutNetwork,
    "state": PayoutState,
}
