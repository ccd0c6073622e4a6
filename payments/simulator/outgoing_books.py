"""The simulator's books of money on its way out, in the same file as its charges (`books`).

Beside the state of each reference they keep an account of executions: one row each time money
leaves. Nothing makes those unique, so that whoever checks the service can count them.
"""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import datetime
from decimal import Decimal
from typing import Any

from payments.providers.ports import OutgoingState
from payments.simulator import books
from payments.simulator.outgoing_magic import Product

LEFT = (OutgoingState.COMPLETED, OutgoingState.RETURNED)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingRecord:
    """One payment as the provider sees it. Changed only through `change`, which locks it.

    payment_id   our payout, top-up or bill payment.
    rail         the network of a payout, the operator of a top-up, the agreement of a bill: the
                 rail's own codes.
    destination  the account or key, the phone, or the reference of the bill.
    item         the bill's code record.
    due_at       when time alone will change the state; None when it will not.
    """

    reference: str
    product: Product
    payment_id: str
    provider_id: str
    rail: str
    destination: str
    amount: Decimal
    callback_url: str
    magic: str
    state: OutgoingState
    started_at: datetime
    changed_at: datetime
    due_at: datetime | None = None
    item: str = ""
    recipient_name: str = ""
    document: str = ""
    description: str = ""
    authorization: str = ""
    reason: str = ""
    notices: int = 0
    notice_status: int = 0


Refuse = Callable[[list[OutgoingRecord]], None]
COLUMNS = tuple(column.name for column in fields(OutgoingRecord))
_SELECT = f"SELECT {', '.join(COLUMNS)} FROM outgoing"  # noqa: S608  names of our own fields
_AT = "WHERE product = ? AND rail = ? AND destination = ? ORDER BY rowid"
_INSERT = (
    f"INSERT INTO outgoing ({', '.join(COLUMNS)})"  # noqa: S608
    f" VALUES ({', '.join('?' * len(COLUMNS))})"
)
_UPDATE = f"UPDATE outgoing SET {', '.join(f'{name} = ?' for name in COLUMNS)} WHERE reference = ?"  # noqa: S608


def insert(record: OutgoingRecord, refuse: Refuse) -> tuple[OutgoingRecord, bool]:
    """Writes the record, unless the reference is known: then the first record is returned.

    The second value says whether it was written. `refuse` is given the records of other references
    for the same destination, while nobody else can write; what it raises goes through, and then
    nothing was written.
    """
    with books.transaction() as connection:
        known = _find(connection, record.reference)
        if known is not None:
            return known, False
        rows = connection.execute(
            f"{_SELECT} {_AT}", [record.product, record.rail, record.destination]
        )
        refuse([_record(row) for row in rows])
        connection.execute(_INSERT, _row(record))
        if record.state in LEFT:
            _execute(connection, record)
    return record, True


def change(
    reference: str, decide: Callable[[OutgoingRecord], OutgoingRecord]
) -> tuple[OutgoingRecord, bool] | None:
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


def by_reference(reference: str) -> OutgoingRecord | None:
    """The record with our reference."""
    with books.connect() as connection:
        return _find(connection, reference)


def by_payment_id(payment_id: str) -> list[OutgoingRecord]:
    """Every record of our payment, oldest first: more than one means that it was sent twice."""
    return _select("WHERE payment_id = ? ORDER BY rowid", payment_id)


def at(product: Product, rail: str, destination: str) -> list[OutgoingRecord]:
    """Every record of money to this destination, oldest first."""
    return _select(_AT, product, rail, destination)


def everything() -> list[OutgoingRecord]:
    """Every record of every product, oldest first."""
    return _select("ORDER BY rowid")


def due(now: datetime) -> list[str]:
    """References whose state time alone has changed by now."""
    with books.connect() as connection:
        rows = connection.execute(
            "SELECT reference FROM outgoing WHERE due_at <= ? ORDER BY due_at",
            [books.write_moment(now)],
        )
        return [row["reference"] for row in rows]


def executions(payment_id: str) -> int:
    """How many times money left for our payment, under whatever reference."""
    return executions_by_payment().get(payment_id, 0)


def executions_by_payment() -> dict[str, int]:
    """How many times money left, for each payment for which it did."""
    with books.connect() as connection:
        rows = connection.execute("SELECT payment_id, count(*) FROM executions GROUP BY payment_id")
        return {row[0]: row[1] for row in rows}


def _execute(connection: sqlite3.Connection, record: OutgoingRecord) -> None:
    connection.execute(
        "INSERT INTO executions (reference, payment_id, executed_at) VALUES (?, ?, ?)",
        [record.reference, record.payment_id, books.write_moment(record.changed_at)],
    )


def _find(connection: sqlite3.Connection, reference: str) -> OutgoingRecord | None:
    row = connection.execute(f"{_SELECT} WHERE reference = ?", [reference]).fetchone()
    return None if row is None else _record(row)


def _select(condition: str, *values: str) -> list[OutgoingRecord]:
    with books.connect() as connection:
        return [_record(row) for row in connection.execute(f"{_SELECT} {condition}", values)]


def _row(record: OutgoingRecord) -> list[Any]:
    return [_WRITERS.get(name, lambda value: value)(getattr(record, name)) for name in COLUMNS]


def _record(row: sqlite3.Row) -> OutgoingRecord:
    return OutgoingRecord(
        **{name: _READERS.get(name, lambda text: text)(row[name]) for name in COLUMNS}
    )


_MOMENTS = ("started_at", "changed_at", "due_at")
_WRITERS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(_MOMENTS, books.write_moment),
    "amount": str,
}
_READERS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(_MOMENTS, lambda text: datetime.fromisoformat(text) if text else None),
    "amount": Decimal,
    "product": Product,
    "state": OutgoingState,
}
