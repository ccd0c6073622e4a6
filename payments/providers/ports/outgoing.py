"""What the ports for payouts, top-ups, bill payments and refunds share."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import ClassVar, Protocol

from payments.providers.ports.amounts import check_amount


class OutgoingState(StrEnum):
    """How a payment stands at the provider.

    PENDING    accepted and under way. It may have been executed already: never release a hold.
    COMPLETED  the money is with the beneficiary, the top-up on the phone, the bill paid.
    FAILED     definitely never left, and never will under this reference. Final.
    RETURNED   left and came back. Final. May follow COMPLETED, days later.
    UNKNOWN    the provider does not know the reference. Only then may the SAME reference be sent
               again; nothing ever allows a new one. Never a verdict on the payment: the request
               may still be on its way.

    PENDING -> COMPLETED | FAILED | RETURNED, COMPLETED -> RETURNED; there are no other moves.
    Updates may be repeated and arrive in any order: a PENDING after a COMPLETED is only late.
    """

    PENDING = "PENDING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    RETURNED = "RETURNED"
    UNKNOWN = "UNKNOWN"


class OutgoingReason(StrEnum):
    """Why money did not arrive: every adapter maps its rail's codes to one of these.

    NUMBER_NOT_FOUND     top-ups: the operator has no such number, or it takes no top-ups.
    NOT_OWED             bills: nothing is owed any more, or this bill was paid already.
    AMOUNT_NOT_ACCEPTED  bills and top-ups: the amount is not what the biller or operator takes.
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
class OutgoingUpdate:
    """What the provider reports of one payment: returned by `send`, by callback, or by query.

    provider_id    theirs, at most 64 characters. Empty when the state is UNKNOWN.
    reason         an `OutgoingReason` when FAILED or RETURNED, else empty.
    occurred_at    when it happened over there. Clocks differ: for display, not for ordering.
    amount         in COP, what they report to carry, or None without a report. If it is not the
                   payment's, apply nothing of the update: an operator decides.
    authorization  the rail's own approval code, for tickets; at most 40 characters. Empty until
                   the rail has one, and on rails that have none.
    """

    reference: str
    provider_id: str
    state: OutgoingState
    reason: str = ""
    occurred_at: datetime
    amount: Decimal | None = None
    authorization: str = ""

    def __post_init__(self) -> None:
        """Raises UnusableAmount, wherever the amounts came from."""
        if self.amount is not None:
            check_amount(self.amount)


class OutgoingPort(Protocol):
    """What the ports of all rails for outgoing money have in common.

    Adapters keep no state between calls and may be shared by threads. No method but
    `read_callback` and those that are documented as cheap may be called inside a database
    transaction: each may take `settings.PROVIDER_TIMEOUT_SECONDS`, or the `timeout` it is given.

    Each port adds `send(request, timeout)`, whose promises are the same everywhere:

    It is idempotent by `request.reference`: sent again it executes nothing and returns how the
    first one stands, even when the first response was lost on the way. A first call returns PENDING
    or COMPLETED; a repeated one anything but UNKNOWN. `timeout` is the longest the whole call may
    take, in seconds. Raises ProviderRefused (definite: it never left), ProviderUnreachable
    (definite: THIS call never reached them; an earlier one may have) or ProviderTimeout
    (doubtful: keep the hold, and query). The reference must be in our database before the call: if
    this process dies in the middle, it is all that is left to query with.
    """

    code: ClassVar[str]
    """Short, stable, lower case: stored with each payment and part of the callback's URL."""

    def query(self, reference: str) -> OutgoingUpdate:
        """Queries how the payment with OUR reference stands; changes nothing over there.

        An unknown reference is a result (UNKNOWN), not an error. Raises ProviderUnreachable or
        ProviderTimeout, which here mean the same: nothing was learned, query later.
        """
        ...

    def read_callback(
        self, headers: Mapping[str, str], body: bytes, now: datetime
    ) -> OutgoingUpdate:
        """Verifies a message to our callback URL and turns it into a value. No network, no state:
        a replay verifies again. Never returns UNKNOWN.

        A message about another product is refused, however well it is signed. `headers` may be
        any mapping; names are compared without case. `body` is what came over the wire, before any
        parsing: signatures cover bytes. Raises InvalidCallback.
        """
        ...
