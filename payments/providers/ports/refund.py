"""The port every rail that returns payers' money is plugged into, and its request."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from payments.providers.ports.outgoing import OutgoingPort, OutgoingUpdate
from payments.providers.ports.payin import Payer, Rail


@dataclass(frozen=True, slots=True, kw_only=True)
class RefundRequest:
    """Everything a rail needs to know.

    reference          ours, stored before the call. It is the idempotency key at the provider: one
                       reference is one refund, however often it is sent.
    refund_id          our refund. For the provider's records and ours; not a key over there.
    charge_reference   ours of the charge that is returned (`ChargeRequest.reference`), and
                       `charge_provider_id` theirs.
    method             the rail that the payer paid over.
    amount             in units of `currency`, quantised by the caller; what the payer gets. A part
                       of the charge, or all of it; several refunds never exceed what was paid.
    currency           of the order, COP or a coin. A payer who paid pesos with a coin gets the
                       pesos, or what they are worth.
    payer              who paid, as the charge was started for them.
    reason             the merchant's words; not for the payer.
    callback_url       where the provider reports what happened: POST, read by `read_callback`.
    """

    reference: str
    refund_id: str
    charge_reference: str
    charge_provider_id: str
    method: Rail
    amount: Decimal
    currency: str
    payer: Payer
    reason: str
    callback_url: str


class RefundPort(OutgoingPort, Protocol):
    """A provider that returns money to payers. Updates carry amounts in the request's currency."""

    def send(self, request: RefundRequest, timeout: float) -> OutgoingUpdate:
        """Sends the refund. Promises and errors: `OutgoingPort`."""
        ...
