"""What happens at the simulated provider: decisions, deposits, and changes that become due.

The simulator's pages, the sandbox and its clock call these functions. Each change is committed to
the store first and then sent to our callback URL. Do not call them inside a transaction.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from decimal import Decimal

from payments.core import clock
from payments.providers.ports import ChargeStatus, Flow, OutgoingState
from payments.simulator import callbacks, store
from payments.simulator.records import ENDS, ChargeRecord, NotPossible, OutgoingRecord
from payments.simulator.store import R, Table, UnknownReference

__all__ = ["NotPossible", "UnknownReference"]
NOT_SENT = 0


def resolve(
    reference: str,
    outcome: ChargeStatus | OutgoingState,
    *,
    received: Decimal | None = None,
    reason: str = "",
) -> int:
    """Brings a charge or an outgoing payment to `outcome`, whatever its magic value says.

    For a charge `outcome` is a ChargeStatus, and `received` its new cumulative total: by default
    the whole amount for SUCCEEDED, else what has arrived so far. A transfer or coin whose total is
    below the amount becomes RECEIVED. For an outgoing payment `outcome` is COMPLETED, FAILED or
    RETURNED.

    Returns the HTTP status of our response to the callback, 0 when none was sent. Raises
    UnknownReference, NotPossible.
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
    """The payer presses a button at the bank or in the wallet. A magic value overrides it."""
    return _apply(store.charges, reference, lambda one, now: one.decided_by_payer(status, now))


def deposit(reference: str, amount: Decimal, *, confirmed: bool = True) -> int:
    """`amount` arrives at the account or address, perhaps after the end of the charge.

    Returns and raises as `resolve`.
    """
    if amount <= 0:
        raise NotPossible("A deposit is more than nothing.")
    return _apply(
        store.charges, reference, lambda one, now: one.deposited(amount, now, confirmed=confirmed)
    )


def confirm(reference: str) -> int:
    """The network confirms all deposits. Returns and raises as `resolve`."""
    return _apply(store.charges, reference, lambda one, now: one.confirmed(now))


def visit(provider_id: str) -> ChargeRecord:
    """The payer opens the page. Sends us what became due. Raises UnknownReference."""
    if (found := store.charges.by_provider_id(provider_id)) is None:
        raise UnknownReference(provider_id)
    now = clock.now()
    record, changed = store.charges.change(found.reference, lambda charge: charge.aged(now))
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
    return store.charges.change(reference, lambda charge: charge.aged(now))[0]


def refresh_outgoing(reference: str) -> OutgoingRecord:
    now = clock.now()
    return store.outgoing.change(reference, lambda payment: payment.aged(now))[0]


def wake() -> int:
    """Applies and sends what is due. Returns how many payments changed.

    When several processes find a payment due, the one that claims it sends the callback.
    """
    return _wake(store.charges) + wake_outgoing()


def wake_outgoing() -> int:
    """Applies what is due at each send and query of an outgoing payment.

    The simulator's clock may be off (SIMULATOR_CLOCK).
    """
    return _wake(store.outgoing)


def _wake(table: Table[R]) -> int:
    sent = 0
    for reference in table.due(clock.now()):
        # Each claim reads the time again, because it may have waited for its lock.
        record, is_ours = table.change(reference, lambda found: found.claimed(clock.now()))
        if is_ours:
            _send_callbacks(table, record)
            sent += 1
    return sent


def _apply(table: Table[R], reference: str, decide: Callable[[R, datetime], R]) -> int:
    """Applies what is due, then the decision, and sends the callback."""
    now = clock.now()
    record, changed = table.change(reference, lambda found: decide(found.aged(now), now))
    return _send_callbacks(table, record) if changed else NOT_SENT


def _send_callbacks(table: Table[R], record: R) -> int:
    times, status = record.behaviour.callbacks, NOT_SENT
    product = record.product if isinstance(record, OutgoingRecord) else ""
    for _ in range(times):
        status = callbacks.send(record.update, record.callback_url, product)
    table.change(record.reference, lambda current: current.notified(times, status))
    return status
