"""The port of rails that report disputes, and its values."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import ClassVar, Protocol

from payments.providers.ports.amounts import check_amount
from payments.providers.ports.callbacks import Callback


class DisputeKind(StrEnum):
    """DISPUTE: the payer has questions. CHARGEBACK: the payer's bank claims the money."""

    DISPUTE = "DISPUTE"
    CHARGEBACK = "CHARGEBACK"


class DisputeState(StrEnum):
    """OPEN -> WON | LOST, from the merchant's side. Updates may be repeated and out of order."""

    OPEN = "OPEN"
    WON = "WON"
    LOST = "LOST"


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeUpdate:
    """What the provider reports of one dispute. LOST may be the first update.

    reference         theirs, at most 100 characters: one reference is one dispute.
    charge_reference  ours of the charge that is contested.
    amount            in units of `currency`, what is claimed: not more than the charge's order.
    currency          of the order.
    evidence_due_at   until when evidence is taken; None when there is no limit.
    """

    reference: str
    charge_reference: str
    kind: DisputeKind
    state: DisputeState
    amount: Decimal
    currency: str
    reason: str = ""
    evidence_due_at: datetime | None = None
    occurred_at: datetime

    def __post_init__(self) -> None:
        check_amount(self.amount)


class DisputePort(Protocol):
    """Disputes come by callback only; there is no query."""

    code: ClassVar[str]
    """As that of its PayinPort, and part of the callback's URL."""

    def read_callback(self, callback: Callback, now: datetime) -> DisputeUpdate:
        """As `PayinPort.read_callback`."""
        ...
