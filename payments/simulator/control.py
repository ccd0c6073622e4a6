"""What happens at the simulated provider: decisions, deposits, the passing of time.

Used by the simulator's pages and by the sandbox. Every act is committed to the books first and
told to us afterwards, as at a real provider. Never call these inside a transaction.
"""

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal

from payments.core import clock
from payments.providers.ports import ZERO, ChargeStatus, ChargeUpdate, Flow, Rail, Reason
from payments.simulator import books, callbacks, magic
from payments.simulator.books import Record

# PSE: ten minutes to open the bank's page, then up to 25 to pay.
OPEN_LIMIT = timedelta(minutes=10)
PAY_LIMIT = timedelta(minutes=25)
# A wallet's question to its owner.
PUSH_LIMIT = timedelta(minutes=15)
ENDS = (ChargeStatus.SUCCEEDED, ChargeStatus.FAILED, ChargeStatus.ABANDONED)
NOT_SENT = 0


class UnknownCharge(LookupError):
    """The books hold no charge with this reference or id."""


class NotPossible(Exception):
    """The charge is decided already, or its rail does not do this. Nothing was changed."""


def resolve(reference: str, status: ChargeStatus, received: Decimal | None = None) -> int:
    """Ends the charge as `status` says, whatever its magic, and tells us.

    `received` is the new cumulative total (default: the whole amount for SUCCEEDED, what has
    arrived so far for the others). On transfers and coins a total below the amount is RECEIVED.
    Returns the HTTP status of our answer to the callback, 0 when magic kept it from being sent.
    Raises UnknownCharge, NotPossible.
    """
    if status not in (*ENDS, ChargeStatus.RECEIVED):
        raise NotPossible(f"{status} is not something that can happen")
    return _act(reference, lambda record, now: _resolved(record, status, received, now))


def press(reference: str, status: ChargeStatus) -> int:
    """The payer's button at the bank or in the wallet: as `resolve`, but magic outweighs it."""

    def decide(record: Record, now: datetime) -> Record:
        behaviour = magic.BY_NAME[record.magic]
        if behaviour.waits and record.status is ChargeStatus.PENDING:
            return record
        return _resolved(record, behaviour.outcome or status, None, now, behaviour.reason)

    return _act(reference, decide)


def deposit(reference: str, amount: Decimal, *, confirmed: bool = True) -> int:
    """Money arrives at the account or address: more than asked, and after any end, if need be.

    `amount` is what arrives now, not the total. Returns and raises as `resolve`.
    """
    if amount <= 0:
        raise NotPossible("A deposit is more than nothing.")

    def decide(record: Record, now: datetime) -> Record:
        _require_deposits(record)
        if confirmed:
            return _with_money(record, record.received + amount, record.unconfirmed, now)
        return _with_money(record, record.received, record.unconfirmed + amount, now)

    return _act(reference, decide)


def confirm(reference: str) -> int:
    """The network confirms everything that was on its way. Returns and raises as `resolve`."""

    def decide(record: Record, now: datetime) -> Record:
        _require_deposits(record)
        return _with_money(record, record.received + record.unconfirmed, ZERO, now)

    return _act(reference, decide)


def visit(provider_id: str) -> Record:
    """The payer opens the page. What time has decided since is told to us. Raises UnknownCharge."""
    if (found := books.by_provider_id(provider_id)) is None:
        raise UnknownCharge(provider_id)
    record, changed = look(found.reference)
    if changed:
        _tell(record)
    is_open = record.status is ChargeStatus.PENDING and not record.opened_at
    if record.flow is Flow.REDIRECT and is_open:
        now = clock.now()
        books.change(
            record.reference, lambda current: replace(current, opened_at=current.opened_at or now)
        )
    return record


def look(reference: str) -> tuple[Record, bool]:
    """The charge after the passing of time, and whether time changed it. Raises UnknownCharge."""
    now = clock.now()
    outcome = books.change(reference, lambda record: _aged(record, now))
    if outcome is None:
        raise UnknownCharge(reference)
    return outcome


def wake() -> int:
    """Tells us what time alone has decided since; returns how many charges have moved.

    Called by the simulator's clock (`clockwork`). Of several that see a charge due, the one that
    changes it tells; a telling that is lost with its process is found by a query.
    """
    told = 0
    for reference in books.due(clock.now()):
        record, changed = look(reference)
        if changed:
            _tell(record)
            told += 1
    return told


def update_of(record: Record) -> ChargeUpdate:
    """The charge as the port tells it."""
    return ChargeUpdate(
        reference=record.reference,
        provider_id=record.provider_id,
        status=record.status,
        received=record.received,
        unconfirmed=record.unconfirmed,
        currency=record.currency,
        trace_code=record.trace_code,
        reason=record.reason,
        occurred_at=record.changed_at,
        is_confirmed=_is_confirmed(record),
    )


def _is_confirmed(record: Record) -> bool:
    """Finality comes with the money, or some time after it by magic; only a query learns then."""
    after = magic.BY_NAME[record.magic].confirmed_after_seconds
    return clock.now() >= record.changed_at + timedelta(seconds=after)


def _act(reference: str, decide: Callable[[Record, datetime], Record]) -> int:
    now = clock.now()
    outcome = books.change(reference, lambda record: decide(_aged(record, now), now))
    if outcome is None:
        raise UnknownCharge(reference)
    record, changed = outcome
    return _tell(record) if changed else NOT_SENT


def _tell(record: Record) -> int:
    update, status = update_of(record), NOT_SENT
    times = magic.BY_NAME[record.magic].callbacks
    for _ in range(times):
        status = callbacks.send(update, record.callback_url)
    books.change(
        record.reference,
        lambda current: replace(current, notices=current.notices + times, notice_status=status),
    )
    return status


def _resolved(
    record: Record,
    status: ChargeStatus,
    received: Decimal | None,
    now: datetime,
    reason: str = "",
) -> Record:
    if record.flow.is_debit:
        return _decided(record, status, received, now, reason)
    if status in (ChargeStatus.SUCCEEDED, ChargeStatus.RECEIVED):
        usual = record.amount if status is ChargeStatus.SUCCEEDED else record.received
        total = max(usual, record.received) if received is None else received
        if total < record.received:
            raise NotPossible("Money that has arrived does not leave again.")
        return _with_money(record, total, ZERO, now)
    if record.received or record.unconfirmed or record.status in ENDS:
        raise NotPossible(f"The charge is {record.status} with {record.received} received.")
    return _ended(record, status, now, reason)


def _decided(
    record: Record, status: ChargeStatus, received: Decimal | None, now: datetime, reason: str
) -> Record:
    if record.status in ENDS:
        raise NotPossible(f"The payment is decided: {record.status}.")
    if status is ChargeStatus.RECEIVED:
        raise NotPossible("A debit has no parts.")
    if status is not ChargeStatus.SUCCEEDED:
        return _ended(record, status, now, reason)
    total = record.amount if received is None else received
    return replace(record, status=status, received=total, changed_at=now)


def _ended(record: Record, status: ChargeStatus, now: datetime, reason: str) -> Record:
    usual = Reason.REFUSED_BY_BANK if status is ChargeStatus.FAILED else Reason.CANCELLED_BY_PAYER
    return replace(record, status=status, reason=str(reason or usual), changed_at=now)


def _with_money(record: Record, received: Decimal, unconfirmed: Decimal, now: datetime) -> Record:
    """The record with these totals; each arrival has a trace code of its own.

    The moment is that of the newest arrival: a confirmation brings nothing that was not seen.
    """
    if (received, unconfirmed) == (record.received, record.unconfirmed):
        return record
    whole = received >= record.amount
    arrived = received + unconfirmed > record.received + record.unconfirmed
    return replace(
        record,
        status=ChargeStatus.SUCCEEDED if whole else ChargeStatus.RECEIVED,
        received=received,
        unconfirmed=unconfirmed,
        trace_code=_trace_code(record) if arrived else record.trace_code,
        reason="",
        changed_at=now if arrived else record.changed_at,
    )


def _aged(record: Record, now: datetime) -> Record:
    """What time alone has decided: the outcome of magic, or the limits of a bank or wallet."""
    if record.status is not ChargeStatus.PENDING:
        return record
    behaviour = magic.BY_NAME[record.magic]
    if behaviour.outcome and behaviour.after_seconds is not None:
        due = record.started_at + timedelta(seconds=behaviour.after_seconds)
        if now >= due:
            return _resolved(record, behaviour.outcome, None, due, behaviour.reason)
    limit = _time_limit(record)
    if limit is not None and now > limit:
        return _ended(record, ChargeStatus.ABANDONED, limit, Reason.TIME_LIMIT)
    return record


def _time_limit(record: Record) -> datetime | None:
    if record.flow is Flow.PUSH:
        return record.expires_at
    return record.opened_at + PAY_LIMIT if record.opened_at else record.open_until


def _require_deposits(record: Record) -> None:
    if record.flow.is_debit:
        raise NotPossible("Nothing can be deposited to a debit.")


def _trace_code(record: Record) -> str:
    if record.rail is Rail.BANK_TRANSFER:
        return f"TR{secrets.randbelow(10**10):010d}"
    digest = hashlib.sha256(secrets.token_bytes(32)).hexdigest()
    return f"0x{digest}" if record.currency in ("ETH", "USDC") else digest
