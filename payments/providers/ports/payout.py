"""The port every payout rail is plugged into, and the values that pass through it."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Protocol

from payments.providers.ports.outgoing import OutgoingPort, OutgoingUpdate


class PayoutNetwork(StrEnum):
    """Where the money goes: an account at a bank, or an instant key. One adapter may serve both."""

    BANK = "BANK"
    BREB = "BREB"


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
    callback_url    where the provider reports what happened: POST, read by `read_callback`.
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


class PayoutPort(OutgoingPort, Protocol):
    """A provider of payouts. Most only take them, and report later how they ended."""

    def networks(self) -> frozenset[PayoutNetwork]:
        """What this provider can carry. Cheap, and never fails."""
        ...

    def send(self, request: PayoutRequest, timeout: float) -> OutgoingUpdate:
        """Sends the payout. Promises and errors: `OutgoingPort`."""
        ...
