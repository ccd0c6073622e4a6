"""What the ports for outgoing payments share."""

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Protocol, TypeVar

from payments.providers.ports.amounts import TaxLine, check_amount
from payments.providers.ports.callbacks import Callback, Hint, Ignored
from payments.providers.ports.state import Known, SaveState, State, keep_nothing


class OutgoingState(StrEnum):
    """The state of a payment at the provider.

    PENDING    accepted. It may have been executed already: never release a hold.
    COMPLETED  the money is with the beneficiary, the phone or the biller.
    FAILED     the money never left, and never will under this reference. Final.
    RETURNED   the money left and came back. Final. May follow COMPLETED, days later.
    UNKNOWN    the provider does not know the reference, perhaps not yet. Only then may the SAME
               reference be sent again, and never a new one.

    PENDING -> COMPLETED | FAILED | RETURNED, COMPLETED -> RETURNED; there are no other moves.
    Updates may be repeated and out of order: ignore a PENDING after a COMPLETED.
    """

    PENDING = "PENDING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    RETURNED = "RETURNED"
    UNKNOWN = "UNKNOWN"


class OutgoingReason(StrEnum):
    """Why money did not arrive. Every adapter maps its rail's codes to these.

    NUMBER_NOT_FOUND     phones: the operator has no such number, or it takes no top-ups.
    NOT_OWED             bills: nothing is owed any more, or this bill was paid already.
    AMOUNT_NOT_ACCEPTED  the biller or operator does not take this amount.
    """

    INVALID_REQUEST = "INVALID_REQUEST"
    REFUSED_BY_PROVIDER = "REFUSED_BY_PROVIDER"
    REFUSED_BY_BANK = "REFUSED_BY_BANK"
    ACCOUNT_NOT_FOUND = "ACCOUNT_NOT_FOUND"
    ACCOUNT_CLOSED = "ACCOUNT_CLOSED"
    KEY_NOT_FOUND = "KEY_NOT_FOUND"
    RECIPIENT_MISMATCH = "RECIPIENT_MISMATCH"
    LIMIT_EXCEEDED = "LIMIT_EXCEEDED"
    NUMBER_NOT_FOUND = "NUMBER_NOT_FOUND"
    NOT_OWED = "NOT_OWED"
    AMOUNT_NOT_ACCEPTED = "AMOUNT_NOT_ACCEPTED"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingRequest:
    """What every rail needs to know of a payment. Each port adds its own fields.

    reference     ours, stored before the call. It is the idempotency key at the provider: one
                  reference is one execution, however often it is sent.
    payment_id    our id of the payout, top-up, bill payment or refund. For records; not a key.
    amount        quantised by the caller: what the beneficiary, phone or biller gets, in COP.
    callback_url  where the provider reports what happened: POST, read by `read_callback`.
    state         what earlier calls for this payment saved at this account. Empty at first.
    save          as that of ChargeRequest.
    """

    reference: str
    payment_id: str
    amount: Decimal
    callback_url: str
    state: State = field(default_factory=dict, repr=False)
    save: SaveState = field(default=keep_nothing, repr=False, compare=False)


R = TypeVar("R", bound=OutgoingRequest, contravariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingUpdate:
    """What the provider reports of one payment, by `send`, callback or query.

    provider_id    theirs, at most 64 characters. Empty when the state is UNKNOWN.
    reason         an `OutgoingReason` when FAILED or RETURNED, else empty.
    occurred_at    by the provider's clock: for display, not for ordering.
    amount         the amount that they report, in COP, or None. If it differs from the payment's,
                   apply nothing of the update: an operator decides.
    authorization  the rail's approval code, for tickets; at most 40 characters. Empty if it has
                   none, or none yet.
    provider_fee   what the rail keeps for itself, in COP and without taxes. None: not known, which
                   leaves what is known. `provider_taxes` are those that it takes with the fee.
    learned        further ids of the rail, which are added to the state of the payment.
    """

    reference: str
    provider_id: str
    state: OutgoingState
    reason: str = ""
    occurred_at: datetime
    amount: Decimal | None = None
    authorization: str = ""
    provider_fee: Decimal | None = None
    provider_taxes: tuple[TaxLine, ...] = ()
    learned: State = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        for amount in (self.amount, self.provider_fee):
            if amount is not None:
                check_amount(amount)


class OutgoingPort(Protocol[R]):
    """The port of rails for outgoing money.

    Adapters keep no state between calls, and threads share them. Only `read_callback` and methods
    that are documented as cheap may be called inside a database transaction: the others may take
    `settings.PROVIDER_TIMEOUT_SECONDS`, or their `timeout`.
    """

    @property
    def code(self) -> str:
        """Of the rail or the account: stored with each payment and part of the callback's URL."""
        ...

    def send(self, request: R, timeout: float) -> OutgoingUpdate:
        """Sends the payment. `timeout` is the longest that the whole call may take, in seconds.

        Idempotent by `request.reference`: a repeated call executes nothing and returns the state of
        the first one, even when its response was lost. A first call returns PENDING or COMPLETED, a
        repeated call any state but UNKNOWN.

        Raises ProviderRefused (definite: it never left), ProviderUnreachable (definite: THIS call
        never reached them, but an earlier one may have) or ProviderTimeout (doubtful: keep the
        hold, and query), and lets CallOvertaken of `request.save` pass. The reference must be in
        our database before the call, because it is all that is left to query with if this process
        dies.
        """
        ...

    def query(self, known: Known) -> OutgoingUpdate:
        """Returns the state of the payment. Changes nothing at the provider.

        Query by the reference: it finds the payment even if our start got no answer. Where the
        reference finds nothing, the provider's id and the state may. What nothing finds is a result
        (UNKNOWN), not an error; with another reference than `known` has, the answer is in doubt.
        ProviderUnreachable and ProviderTimeout mean the same here: query again later.
        """
        ...

    def find_reference(self, provider_id: str) -> str:
        """Returns the reference of what the provider calls so. Changes nothing at the provider.

        Called for a hint without our reference whose `provider_id` no payment has. Empty if it is
        none of ours. Adapters whose messages have our reference always return an empty text. Raises
        ProviderUnreachable and ProviderTimeout.
        """
        ...

    def read_callback(self, callback: Callback, now: datetime) -> OutgoingUpdate | Hint | Ignored:
        """Verifies and parses a message to our callback URL, without network and state.

        A replay verifies again. Never returns UNKNOWN. Raises InvalidCallback, also for a message
        about another product.
        """
        ...
