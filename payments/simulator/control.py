"""What happens at the simulated provider: decisions, deposits, the passing of time.

The simulator's pages, the sandbox and the clock call these. Each change is committed to the store
first and sent to our callback URL afterwards, as a real provider does. Never call these inside a
transaction.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from decimal import Decimal

from payments.core import clock
from payments.providers.ports import ChargeStatus, Flow, OutgoingState
from payments.simulator import callbacks, store
from payments.simulator.records import ENDS, ChargeRecord, NotPossible, OutgoingRecord
from payments.simulator.store import R, Table

NOT_SENT = 0


class UnknownReference(LookupError):
    """No record has this reference or id: it was never sent, or it was refused."""


def resolve(
    reference: str,
    outcome: ChargeStatus | OutgoingState,
    *,
    received: Decimal | None = None,
    reason: str = "",
) -> int:
    """Brings a charge or an outgoing payment to `outcome`, in spite of its magic.

    A ChargeStatus ends a charge. `received` is its new cumulative total; the default is the whole
    amount for SUCCEEDED, and what has arrived so far for the others. On transfers and coins a
    total below the amount is RECEIVED. An OutgoingState is COMPLETED, FAILED or RETURNED; a
    completed payment still moves to RETURNED.

    Returns the HTTP status of our response to the callback, 0 when magic kept it from being sent.
    Raises UnknownReference, NotPossible.
    """
    if isinstance(outcome, OutgoingState):
        state = outcome
        return _apply(store.outgoing, reference, lambda one, now: one.resolved(state, now, reason))
    status = outcome
    if status not in (*ENDS, ChargeStatus.RECEIVED):
        raise NotPossible(f"{status} is not an outcome")
    return _apply(
        store.charges, reference, lambda one, now: one.resolved(status, now, received, reason)
    )


def decide(reference: str, status: ChargeStatus) -> int:
    """The payer's button at the bank or in the wallet: as `resolve`, but magic outweighs it."""
    return _apply(store.charges, reference, lambda one, now: one.decided_by_payer(status, now))


def deposit(reference: str, amount: Decimal, *, confirmed: bool = True) -> int:
    """Money arrives at the account or address: any amount, also after the end.

    `amount` is what arrives now, not the total. Returns and raises as `resolve`.
    """
    if amount <= 0:
        raise NotPossible("A deposit is more than nothing.")
    return _apply(
        store.charges, reference, lambda one, now: one.deposited(amount, now, confirmed=confirmed)
    )


def confirm(reference: str) -> int:
    """The network confirms everything that was seen. Returns and raises as `resolve`."""
    return _apply(store.charges, reference, lambda one, now: one.confirmed(now))


def visit(provider_id: str) -> ChargeRecord:
    """The payer opens the page. What time has decided since is sent to us.

    Raises UnknownReference.
    """
    if (found := store.charges.by_provider_id(provider_id)) is None:
        raise UnknownReference(provider_id)
    now = clock.now()
    record, changed = _change(store.charges, found.reference, lambda charge: charge.aged(now))
    if changed:
        _send_callbacks(store.charges, record)
    is_open = record.status is ChargeStatus.PENDING and not record.opened_at
    if record.flow is Flow.REDIRECT and is_open:
        store.charges.change(
            record.reference, lambda current: replace(current, opened_at=current.opened_at or now)
        )
    return record


def refresh_charge(reference: str) -> ChargeRecord:
    now = clock.now()
    return _change(store.charges, reference, lambda charge: charge.aged(now))[0]


def refresh_outgoing(reference: str) -> OutgoingRecord:
    now = clock.now()
    return _change(store.outgoing, reference, lambda payment: payment.aged(now))[0]


def wake() -> int:
    """Sends what time has decided; returns how many payments changed.

    Of several processes that find a payment due, the one that claims it sends the callback.
    """
    return _wake(store.charges) + wake_outgoing()


def wake_outgoing() -> int:
    """Sends and queries of outgoing payments call it: there may be no clock."""
    return _wake(store.outgoing)


def _wake(table: Table[R]) -> int:
    sent = 0
    for reference in table.due(clock.now()):
        # Each claim reads the time: one that waited for its turn would be old before its callback.
        record, is_ours = _change(table, reference, lambda found: found.claimed(clock.now()))
        if is_ours:
            _send_callbacks(table, record)
            sent += 1
    return sent


def _apply(table: Table[R], reference: str, decide: Callable[[R, datetime], R]) -> int:
    """Lets time pass, then changes the record, then sends the callback."""
    now = clock.now()
    record, changed = _change(table, reference, lambda found: decide(found.aged(now), now))
    return _send_callbacks(table, record) if changed else NOT_SENT


def _change(table: Table[R], reference: str, decide: Callable[[R], R]) -> tuple[R, bool]:
    outcome = table.change(reference, decide)
    if outcome is None:
        raise UnknownReference(reference)
    return outcome


def _send_callbacks(table: Table[R], record: R) -> int:
    times, status = record.behaviour.callbacks, NOT_SENT
    product = record.product if isinstance(record, OutgoingRecord) else ""
    for _ in range(times):
        status = callbacks.send(record.update, record.callback_url, product)
    table.change(record.reference, lambda current: current.notified(times, status))
    return status
