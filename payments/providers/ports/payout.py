"""The port of rails for payouts, and its values."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Protocol, runtime_checkable

from payments.providers.ports.outgoing import OutgoingPort, OutgoingRequest


class PayoutNetwork(StrEnum):
    """Where the money goes: a bank account or an instant key. One adapter may serve both."""

    BANK = "BANK"
    BREB = "BREB"


@dataclass(frozen=True, slots=True, kw_only=True)
class PayoutRequest(OutgoingRequest):
    """
    document_number without dots, dashes or spaces: the caller normalises. So are the account and
                    the key.
    bank_code       the RAIL's own code. BANK only, as account_type (SAVINGS or CHECKING) and
                    account_number.
    key_type        PHONE, EMAIL, ALPHANUMERIC, ID or BCODE. BREB only, as key_value.
    description     shown to the beneficiary where the rail does that.
    """

    network: PayoutNetwork
    recipient_name: str
    document_type: str
    document_number: str
    bank_code: str = ""
    account_type: str = ""
    account_number: str = ""
    key_type: str = ""
    key_value: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PayoutBank:
    """A bank that the rail reaches: the rail's own code, and that of ACH Colombia."""

    code: str
    ach_code: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyHolder:
    """Who gets the money that is sent to an instant key.

    name  as the rail masks it: "A** P*****".
    bank  its name; empty if the rail does not tell.
    """

    name: str
    bank: str = ""


class PayoutPort(OutgoingPort[PayoutRequest], Protocol):
    """Most rails only accept a payout, and report later how it ended.

    An adapter may also be a ResolvesKeys and a ReportsBalance.
    """

    def networks(self) -> frozenset[PayoutNetwork]:
        """The networks that the rail carries. Cheap, and never fails."""
        ...

    def payout_banks(self) -> tuple[PayoutBank, ...]:
        """For the catalogue of banks. Raises ProviderUnreachable and ProviderTimeout."""
        ...


@runtime_checkable
class ResolvesKeys(Protocol):
    """What a payout adapter can do whose rail names the holder of a key before money is sent."""

    def resolve_key(self, key_type: str, key_value: str, timeout: float) -> KeyHolder:
        """Types and values are as in PayoutRequest. Changes nothing at the rail.

        Raises ProviderRefused with KEY_NOT_FOUND if the rail knows no such key, and with
        ACCOUNT_CLOSED for a key that takes no money now: a payout to it is not sent. Every other
        ProviderError only means that the holder is not known.
        """
        ...


@runtime_checkable
class ReportsBalance(Protocol):
    """What a payout adapter can do whose rail tells how much is left to pay with."""

    def balance(self) -> Decimal:
        """In pesos; below zero if overdrawn. Raises ProviderUnreachable and ProviderTimeout."""
        ...
