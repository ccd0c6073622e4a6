"""The port every payout rail is plugged into, and the values that pass through it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import ClassVar, Protocol


class PayoutNetwork(StrEnum):
    """Where the money goes: an account at a bank, or an instant key. One adapter may serve both."""

    BANK = "BANK"
    BREB = "BREB"


class PayoutState(StrEnum):
    """How a payout stands at the provider.

    PENDING    accepted and under way. It may have been executed already: never release a hold.
    COMPLETED  the money is with the beneficiary.
    FAILED     definitely never left, and never will under this reference. Final.
    RETURNED   left and came back. Final. May follow COMPLETED, days later.
    UNKNOWN    the provider never heard of the reference. Only then may the SAME reference be sent
               again; nothing ever allows a new one. Never a verdict on the payout: the request may
               still be on its way.

    PENDING -> COMPLETED | FAILED | RETURNED, COMPLETED -> RETURNED; there are no other moves. News
    may be repeated and arrive in any order, so that a PENDING after a COMPLETED is only late.
    """

    PENDING = "PENDING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    RETURNED = "RETURNED"
    UNKNOWN = "UNKNOWN"


class PayoutReason(StrEnum):
    """Why money did not arrive: every adapter maps its rail's codes to one of these."""

    INVALID_REQUEST = "INVALID_REQUEST"
    REFUSED_BY_PROVIDER = "REFUSED_BY_PROVIDER"
    REFUSED_BY_BANK = "REFUSED_BY_BANK"
    ACCOUNT_NOT_FOUND = "ACCOUNT_NOT_FOUND"
    ACCOUNT_CLOSED = "ACCOUNT_CLOSED"
    KEY_NOT_FOUND = "KEY_NOT_FOUND"
    RECIPIENT_MISMATCH = "RECIPIENT_MISMATCH"
    LIMIT_EXCEEDED = "LIMIT_EXCEEDED"


@dataclass(frozen=True, slots=True, kw_only=True)
class PayoutRequest:
    """Everything a rail needs to know.

    reference       ours, stored before the call. It is the idempotency key at the provider: one
                    reference is one execution, however often it is sent.
    payout_id       our payout. For the provider's records and ours; not a key over there.
    amount          COP, quantised by the caller; what the beneficiary gets.
    document_number without dots, dashes or spaces: the caller normalises. So are the account and
                    the key.
    bank_code       the RAIL's own code. BANK only, as account_type (SAVINGS or CHECKING) and
                    account_number.
    key_type        PHONE, EMAIL, ALPHANUMERIC, ID or BCODE. BREB only, as key_value.
    description     shown to the beneficiary where the rail does that.
    callback_url    where the provider tells us what happened: POST, read by
                    `read_payout_callback`.
    """

    reference: str
    payout_id: str
    network: PayoutNetwork
    amount: Decimal
    recipient_name: str
    document_type: str
    document_number: str
    bank_code: str = ""
    account_type: str = ""
    account_number: str = ""
    key_type: str = ""
    key_value: str = ""
    description: str = ""
    callback_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PayoutUpdate:
    """What the provider says about one payout, in answer to `send`, by callback, or when asked.

    provider_id  theirs, at most 64 characters. Empty when the state is UNKNOWN.
    reason       a `PayoutReason` when FAILED or RETURNED, else empty.
    occurred_at  when it happened over there. Clocks differ: for display, not for ordering.
    amount       in COP, what they say they carry, or None when they do not say. If it is not the
                 payout's, somebody is wrong: believe nothing of it, and let a person look.
    """

    reference: str
    provider_id: str
    state: PayoutState
    reason: str = ""
    occurred_at: datetime
    amount: Decimal | None = None


class PayoutPort(Protocol):
    """A provider of payouts. Adapters keep no state between calls and may be shared by threads.

    No method but `networks` and `read_payout_callback` may be called inside a database
    transaction: each may take `settings.PROVIDER_TIMEOUT_SECONDS`.
    """

    code: ClassVar[str]
    """Short, stable, lower case: stored with each payout and part of the callback's URL."""

    def networks(self) -> frozenset[PayoutNetwork]:
        """What this provider can carry. Cheap, and never fails."""
        ...

    def send(self, request: PayoutRequest) -> PayoutUpdate:
        """Asks for the payout. Idempotent by `request.reference`: sent again it executes nothing
        and answers how the first one stands, even when the first answer was lost on the way.

        A first call answers PENDING or COMPLETED; a repeated one anything but UNKNOWN. Raises
        ProviderRefused (definite: it never left), ProviderUnavailable (definite: THIS call never
        reached them; an earlier one may have) or ProviderTimeout (doubtful: keep the hold, and
        ask). The reference must be in our database before the call: if this process dies in the
        middle, it is all that is left to ask with.
        """
        ...

    def query(self, reference: str) -> PayoutUpdate:
        """Asks how the payout with OUR reference stands; changes nothing over there.

        An unknown reference is an answer (UNKNOWN), not an error. Raises ProviderUnavailable or
        ProviderTimeout, which here mean the same: nothing was learnt, ask later.
        """
        ...

    def read_payout_callback(
        self, headers: Mapping[str, str], body: bytes, now: datetime
    ) -> PayoutUpdate:
        """Verifies a message to our callback URL and turns it into a value. No network, no state:
        a replay verifies again. Never answers UNKNOWN.

        `headers` may be any mapping; names are compared without case. `body` is what came over
        the wire, before any parsing: signatures cover bytes. Raises InvalidCallback.
        """
        ...
