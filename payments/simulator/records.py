"""Charges and outgoing payments of the simulated provider, and how they may change.

Records are immutable: a method returns the changed record, and `store` writes it.
"""

import hashlib
import secrets
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal

from payments.core import clock
from payments.providers.ports import (
    ZERO,
    ChargeStatus,
    ChargeUpdate,
    Flow,
    OutgoingReason,
    OutgoingState,
    OutgoingUpdate,
    Rail,
    Reason,
)
from payments.simulator import magic
from payments.simulator.magic import ChargeBehaviour, OutgoingBehaviour, OutgoingProduct

# PSE: ten minutes to open the bank's page, then up to 25 to pay.
OPEN_LIMIT = timedelta(minutes=10)
PAY_LIMIT = timedelta(minutes=25)
# How long a push in a wallet waits for its owner.
PUSH_LIMIT = timedelta(minutes=15)
ENDS = (ChargeStatus.SUCCEEDED, ChargeStatus.FAILED, ChargeStatus.ABANDONED)
PAGES = {Flow.REDIRECT: "bank", Flow.PUSH: "wallet", Flow.KEY: "key"}

# The states of an outgoing payment whose money has left at least once.
LEFT = (OutgoingState.COMPLETED, OutgoingState.RETURNED)
MOVES = {
    OutgoingState.PENDING: (OutgoingState.COMPLETED, OutgoingState.FAILED, OutgoingState.RETURNED),
    OutgoingState.COMPLETED: (OutgoingState.RETURNED,),
}
# If the process ended before the callback, or our side failed, it is sent again after this time.
REASONS = {
    OutgoingState.FAILED: OutgoingReason.REFUSED_BY_BANK,
    OutgoingState.RETURNED: OutgoingReason.ACCOUNT_CLOSED,
}
# A callback is sent again after this time if the process ended before it or our side failed.
SEND_AGAIN = timedelta(seconds=10)
OUR_FAILURE = 500


class NotPossible(Exception):
    """The payment is decided already, or its rail does not allow this. Nothing was changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargeRecord:
    """`due_at`: when a charge that is still pending is decided without a person; else None."""

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
    merchant_legal_name: str = ""
    merchant_nit: str = ""
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
    def behaviour(self) -> ChargeBehaviour:
        return magic.CHARGES_BY_NAME[self.magic]

    @property
    def page(self) -> str:
        """The name of the page in `pages` where this charge is paid."""
        if self.flow is Flow.INSTRUCTIONS:
            return "crypto" if self.rail is Rail.CRYPTO else "transfer"
        return PAGES[self.flow]

    @property
    def missing(self) -> Decimal:
        return max(ZERO, self.amount - self.received - self.unconfirmed)

    @property
    def update(self) -> ChargeUpdate:
        """A magic value may delay `is_confirmed`. Only a query reports it then."""
        finality = self.changed_at + timedelta(seconds=self.behaviour.confirmed_after_seconds)
        return ChargeUpdate(
            reference=self.reference,
            provider_id=self.provider_id,
            status=self.status,
            received=self.received,
            unconfirmed=self.unconfirmed,
            currency=self.currency,
            trace_code=self.trace_code,
            reason=self.reason,
            occurred_at=self.changed_at,
            is_confirmed=clock.now() >= finality,
        )

    def resolved(
        self, status: ChargeStatus, now: datetime, received: Decimal | None = None, reason: str = ""
    ) -> "ChargeRecord":
        """`received` is the new cumulative total. Raises NotPossible."""
        if self.flow.is_debit:
            return self._debited(status, now, received, reason)
        if status in (ChargeStatus.SUCCEEDED, ChargeStatus.RECEIVED):
            usual = self.amount if status is ChargeStatus.SUCCEEDED else self.received
            total = max(usual, self.received) if received is None else received
            if total < self.received:
                raise NotPossible("Money that has arrived does not leave again.")
            return self._with_money(total, ZERO, now)
        if self.received or self.unconfirmed or self.status in ENDS:
            raise NotPossible(f"The charge is {self.status} with {self.received} received.")
        return self._ended(status, now, reason)

    def decided_by_payer(self, status: ChargeStatus, now: datetime) -> "ChargeRecord":
        """A magic value overrides the payer's decision. Raises NotPossible."""
        behaviour = self.behaviour
        if behaviour.waits and self.status is ChargeStatus.PENDING:
            return self
        return self.resolved(behaviour.outcome or status, now, reason=behaviour.reason)

    def deposited(self, amount: Decimal, now: datetime, *, confirmed: bool) -> "ChargeRecord":
        """Raises NotPossible for a debit."""
        self._require_deposits()
        if confirmed:
            return self._with_money(self.received + amount, self.unconfirmed, now)
        return self._with_money(self.received, self.unconfirmed + amount, now)

    def confirmed(self, now: datetime) -> "ChargeRecord":
        """Makes all unconfirmed money final. Raises NotPossible for a debit."""
        self._require_deposits()
        return self._with_money(self.received + self.unconfirmed, ZERO, now)

    def aged(self, now: datetime) -> "ChargeRecord":
        """Applies the outcome of a magic value, or the time limit of a bank or wallet."""
        if self.status is not ChargeStatus.PENDING:
            return self
        behaviour = self.behaviour
        if behaviour.outcome and behaviour.after_seconds is not None:
            due = self.started_at + timedelta(seconds=behaviour.after_seconds)
            if now >= due:
                return self.resolved(behaviour.outcome, due, reason=behaviour.reason)
        limit = self._time_limit()
        if limit is not None and now > limit:
            return self._ended(ChargeStatus.ABANDONED, limit, Reason.TIME_LIMIT)
        return self

    def claimed(self, now: datetime) -> "ChargeRecord":
        """The process whose claim changes the record sends the callback."""
        return self.aged(now)

    def notified(self, times: int, status: int) -> "ChargeRecord":
        """A lost callback is not sent again, because a query reports the same."""
        return replace(self, notices=self.notices + times, notice_status=status)

    def _debited(
        self, status: ChargeStatus, now: datetime, received: Decimal | None, reason: str
    ) -> "ChargeRecord":
        if self.status in ENDS:
            raise NotPossible(f"The payment is decided: {self.status}.")
        if status is ChargeStatus.RECEIVED:
            raise NotPossible("A debit has no parts.")
        if status is not ChargeStatus.SUCCEEDED:
            return self._ended(status, now, reason)
        total = self.amount if received is None else received
        return replace(self, status=status, received=total, changed_at=now)

    def _ended(self, status: ChargeStatus, now: datetime, reason: str) -> "ChargeRecord":
        is_refusal = status is ChargeStatus.FAILED
        usual = Reason.REFUSED_BY_BANK if is_refusal else Reason.CANCELLED_BY_PAYER
        return replace(self, status=status, reason=str(reason or usual), changed_at=now)

    def _with_money(self, received: Decimal, unconfirmed: Decimal, now: datetime) -> "ChargeRecord":
        """Each arrival gets a new trace code and sets `changed_at`; a confirmation does not."""
        if (received, unconfirmed) == (self.received, self.unconfirmed):
            return self
        has_arrived = received + unconfirmed > self.received + self.unconfirmed
        is_whole = received >= self.amount
        return replace(
            self,
            status=ChargeStatus.SUCCEEDED if is_whole else ChargeStatus.RECEIVED,
            received=received,
            unconfirmed=unconfirmed,
            trace_code=self._new_trace_code() if has_arrived else self.trace_code,
            reason="",
            changed_at=now if has_arrived else self.changed_at,
        )

    def _time_limit(self) -> datetime | None:
        if self.flow is Flow.PUSH:
            return self.expires_at
        return self.opened_at + PAY_LIMIT if self.opened_at else self.open_until

    def _require_deposits(self) -> None:
        if self.flow.is_debit:
            raise NotPossible("Nothing can be deposited to a debit.")

    def _new_trace_code(self) -> str:
        if self.rail is Rail.BANK_TRANSFER:
            return f"TR{secrets.randbelow(10**10):010d}"
        digest = hashlib.sha256(secrets.token_bytes(32)).hexdigest()
        return f"0x{digest}" if self.currency in ("ETH", "USDC") else digest


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingRecord:
    """A payout, top-up, bill payment or refund. `payment_id` is our id of it.

    rail         the rail's code of the network, the operator or the agreement.
    destination  the account or key, the phone, the bill's reference, or the refunded charge.
    item         the `code_record` of a bill, else empty.
    due_at       when the state changes without a person; else None.
    """

    reference: str
    product: OutgoingProduct
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

    @property
    def behaviour(self) -> OutgoingBehaviour:
        return magic.OUTGOING_BY_NAME[self.product][self.magic]

    @property
    def update(self) -> OutgoingUpdate:
        return OutgoingUpdate(
            reference=self.reference,
            provider_id=self.provider_id,
            state=self.state,
            reason=self.reason,
            occurred_at=self.changed_at,
            amount=self.amount,
            authorization=self.authorization,
        )

    def resolved(self, state: OutgoingState, now: datetime, reason: str = "") -> "OutgoingRecord":
        """Raises NotPossible for a move that is not in MOVES."""
        if state not in MOVES.get(self.state, ()):
            raise NotPossible(f"The payment is {self.state} and cannot become {state}.")
        usual: str = REASONS.get(state, "")
        if usual and self.product is not OutgoingProduct.PAYOUT:
            usual = OutgoingReason.REFUSED_BY_PROVIDER
        return replace(
            self,
            state=state,
            reason=str(reason or usual),
            authorization=self.authorization or new_authorization(self.product, state),
            changed_at=now,
            due_at=None,
        )

    def aged(self, now: datetime) -> "OutgoingRecord":
        """Applies the later outcome of a magic value when it is due."""
        if self.due_at is None or now < self.due_at:
            return self
        behaviour = self.behaviour
        if behaviour.later is None or behaviour.later == self.state:
            return self
        return self.resolved(behaviour.later, self.due_at, behaviour.reason)

    def claimed(self, now: datetime) -> "OutgoingRecord":
        """Applies what is due, and makes the record due again until its callback is sent."""
        if self.due_at is None or now < self.due_at:
            return self
        return replace(self.aged(now), due_at=now + SEND_AGAIN)

    def notified(self, times: int, status: int) -> "OutgoingRecord":
        """The record stays due when our side failed."""
        due_at = self.due_at if status >= OUR_FAILURE else None
        return replace(self, notices=self.notices + times, notice_status=status, due_at=due_at)


def new_authorization(product: OutgoingProduct, state: OutgoingState) -> str:
    """Six digits for a completed top-up, bill payment or refund. Payouts have none."""
    if product is OutgoingProduct.PAYOUT or state is not OutgoingState.COMPLETED:
        return ""
    return f"{secrets.randbelow(10**6):06d}"
