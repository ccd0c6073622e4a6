"""What happens at the provider to money on its way out: the sandbox's decisions, the passing of
time.

Every act is committed to the books first and told to us afterwards, as at a real provider. Never
call these inside a transaction.
"""

import secrets
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from payments.core import clock
from payments.providers.ports import OutgoingReason, OutgoingState, OutgoingUpdate
from payments.simulator import outgoing_books, outgoing_callbacks, outgoing_magic
from payments.simulator.control import NOT_SENT, NotPossible
from payments.simulator.outgoing_books import OutgoingRecord
from payments.simulator.outgoing_magic import Product

MOVES = {
    OutgoingState.PENDING: (OutgoingState.COMPLETED, OutgoingState.FAILED, OutgoingState.RETURNED),
    OutgoingState.COMPLETED: (OutgoingState.RETURNED,),
}
# Of a payout; for the others the provider has no better reason than its own no.
REASONS = {
    OutgoingState.FAILED: OutgoingReason.REFUSED_BY_BANK,
    OutgoingState.RETURNED: OutgoingReason.ACCOUNT_CLOSED,
}
# What was decided and never told, because the process ended or our side failed, is told again.
TELL_AGAIN = timedelta(seconds=10)
OUR_FAILURE = 500


class UnknownPayment(LookupError):
    """The books hold no payment with this reference: it was never sent, or it was refused."""


def resolve(reference: str, state: OutgoingState, reason: str = "") -> int:
    """Brings a payment of any product to `state`, whatever its magic, and tells us.

    COMPLETED, FAILED or RETURNED; only a completed one moves again, to RETURNED. Returns the HTTP
    status of our answer to the callback, 0 when magic kept it from being sent. Raises
    UnknownPayment, NotPossible.
    """
    now = clock.now()
    record, _ = _change(reference, lambda current: _moved(_aged(current, now), state, reason, now))
    return _tell(record)


def look(reference: str) -> OutgoingRecord:
    """The payment after the passing of time. Raises UnknownPayment."""
    now = clock.now()
    return _change(reference, lambda record: _aged(record, now))[0]


def wake() -> int:
    """Tells us what time alone has decided since; returns how many payments were told of.

    Called by the simulator's clock (`clockwork`), and by the sends and queries of the others. Each
    change is made, and told, by the one that takes it; it stays due until it has been told.
    """
    told = 0
    for reference in outgoing_books.due(clock.now()):
        # One after the other: what is taken long before it is told would be taken again meanwhile.
        now = clock.now()
        record, is_ours = _change(reference, partial(_taken, now=now))
        if is_ours:
            _tell(record)
            told += 1
    return told


def update_of(record: OutgoingRecord) -> OutgoingUpdate:
    """The payment as the port tells it."""
    return OutgoingUpdate(
        reference=record.reference,
        provider_id=record.provider_id,
        state=record.state,
        reason=record.reason,
        occurred_at=record.changed_at,
        amount=record.amount,
        authorization=record.authorization,
    )


def authorization(product: Product, state: OutgoingState) -> str:
    """Six digits once a top-up or a bill is done; payouts have none."""
    if product is Product.PAYOUT or state is not OutgoingState.COMPLETED:
        return ""
    return f"{secrets.randbelow(10**6):06d}"


def _change(
    reference: str, decide: Callable[[OutgoingRecord], OutgoingRecord]
) -> tuple[OutgoingRecord, bool]:
    outcome = outgoing_books.change(reference, decide)
    if outcome is None:
        raise UnknownPayment(reference)
    return outcome


def _tell(record: OutgoingRecord) -> int:
    update, status = update_of(record), NOT_SENT
    times = outgoing_magic.named(record.product, record.magic).callbacks
    for _ in range(times):
        status = outgoing_callbacks.send(update, record.product, record.callback_url)
    outgoing_books.change(
        record.reference,
        lambda current: replace(
            current,
            notices=current.notices + times,
            notice_status=status,
            due_at=current.due_at if status >= OUR_FAILURE else None,
        ),
    )
    return status


def _taken(record: OutgoingRecord, now: datetime) -> OutgoingRecord:
    """Moved by time, and ours to tell; unchanged when another process was faster."""
    if record.due_at is None or now < record.due_at:
        return record
    return replace(_aged(record, now), due_at=now + TELL_AGAIN)


def _moved(
    record: OutgoingRecord, state: OutgoingState, reason: str, now: datetime
) -> OutgoingRecord:
    if state not in MOVES.get(record.state, ()):
        raise NotPossible(f"The payment is {record.state} and cannot become {state}.")
    return replace(
        record,
        state=state,
        reason=str(reason or _usual_reason(record.product, state)),
        authorization=record.authorization or authorization(record.product, state),
        changed_at=now,
        due_at=None,
    )


def _usual_reason(product: Product, state: OutgoingState) -> str:
    if product is Product.PAYOUT or state not in REASONS:
        return REASONS.get(state, "")
    return OutgoingReason.REFUSED_BY_PROVIDER


def _aged(record: OutgoingRecord, now: datetime) -> OutgoingRecord:
    """What time alone has decided: the later outcome of magic."""
    behaviour = outgoing_magic.named(record.product, record.magic)
    if record.due_at is None or now < record.due_at:
        return record
    if behaviour.later is None or behaviour.later == record.state:
        return record
    return _moved(record, behaviour.later, behaviour.reason, record.due_at)
