"""What happens to payouts at the simulated provider: the sandbox's decisions, the passing of time.

Every act is committed to the books first and told to us afterwards, as at a real provider. Never
call these inside a transaction.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from payments.core import clock
from payments.providers.ports import PayoutReason, PayoutState, PayoutUpdate
from payments.providers.simulator import payout_books, payout_callbacks, payout_magic
from payments.providers.simulator.control import NOT_SENT, NotPossible
from payments.providers.simulator.payout_books import PayoutRecord

MOVES = {
    PayoutState.PENDING: (PayoutState.COMPLETED, PayoutState.FAILED, PayoutState.RETURNED),
    PayoutState.COMPLETED: (PayoutState.RETURNED,),
}
REASONS = {
    PayoutState.FAILED: PayoutReason.REFUSED_BY_BANK,
    PayoutState.RETURNED: PayoutReason.ACCOUNT_CLOSED,
}


class UnknownPayout(LookupError):
    """The books hold no payout with this reference: it was never sent, or it was refused."""


def payout_resolve(reference: str, state: PayoutState, reason: str = "") -> int:
    """Brings the payout to `state`, whatever its magic, and tells us.

    COMPLETED, FAILED or RETURNED; only a completed one moves again, to RETURNED. Returns the HTTP
    status of our answer to the callback, 0 when magic kept it from being sent. Raises
    UnknownPayout, NotPossible.
    """
    now = clock.now()
    record, _ = _change(reference, lambda current: _moved(_aged(current, now), state, reason, now))
    return _tell(record)


def look(reference: str) -> PayoutRecord:
    """The payout after the passing of time. Raises UnknownPayout."""
    now = clock.now()
    return _change(reference, lambda record: _aged(record, now))[0]


def wake() -> int:
    """Tells us what time alone has decided since; returns how many payouts have moved.

    The simulator has no clockwork: whoever calls it next wakes it.
    """
    now = clock.now()
    moved = [
        _change(reference, lambda record: _aged(record, now)) for reference in payout_books.due(now)
    ]
    for record, is_changed in moved:
        if is_changed:
            _tell(record)
    return sum(is_changed for _, is_changed in moved)


def update_of(record: PayoutRecord) -> PayoutUpdate:
    """The payout as the port tells it."""
    return PayoutUpdate(
        reference=record.reference,
        provider_id=record.provider_id,
        state=record.state,
        reason=record.reason,
        occurred_at=record.changed_at,
        amount=record.amount,
    )


def _change(
    reference: str, decide: Callable[[PayoutRecord], PayoutRecord]
) -> tuple[PayoutRecord, bool]:
    outcome = payout_books.change(reference, decide)
    if outcome is None:
        raise UnknownPayout(reference)
    return outcome


def _tell(record: PayoutRecord) -> int:
    update, status = update_of(record), NOT_SENT
    times = payout_magic.BY_NAME[record.magic].callbacks
    for _ in range(times):
        status = payout_callbacks.send(update, record.callback_url)
    payout_books.change(
        record.reference,
        lambda current: replace(current, notices=current.notices + times, notice_status=status),
    )
    return status


def _moved(record: PayoutRecord, state: PayoutState, reason: str, now: datetime) -> PayoutRecord:
    if state not in MOVES.get(record.state, ()):
        raise NotPossible(f"The payout is {record.state} and cannot become {state}.")
    reason = str(reason or REASONS.get(state, ""))
    return replace(record, state=state, reason=reason, changed_at=now, due_at=None)


def _aged(record: PayoutRecord, now: datetime) -> PayoutRecord:
    """What time alone has decided: the later outcome of magic."""
    behaviour = payout_magic.BY_NAME[record.magic]
    if record.due_at is None or behaviour.later is None or now < record.due_at:
        return record
    return _moved(record, behaviour.later, behaviour.reason, record.due_at)
