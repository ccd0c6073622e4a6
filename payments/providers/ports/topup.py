"""The port every rail that tops up mobile phones is plugged into, and its request."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from payments.providers.ports.outgoing import OutgoingPort, OutgoingUpdate


@dataclass(frozen=True, slots=True, kw_only=True)
class TopupRequest:
    """Everything a rail needs to know.

    reference      ours, stored before the call. It is the idempotency key at the provider: one
                   reference is one execution, however often it is sent.
    topup_id       our top-up. For the provider's records and ours; not a key over there.
    operator_code  the RAIL's own code of the operator.
    phone          ten digits, without the country's 57: the caller normalises.
    amount         COP, quantised by the caller; what the phone gets.
    callback_url   where the provider reports what happened: POST, read by `read_callback`.
    """

    reference: str
    topup_id: str
    operator_code: str
    phone: str
    amount: Decimal
    callback_url: str


class TopupPort(OutgoingPort, Protocol):
    """A provider of top-ups. Most report the end at once; some only by callback or query."""

    def send(self, request: TopupRequest, timeout: float) -> OutgoingUpdate:
        """Sends the top-up. Promises and errors: `OutgoingPort`."""
        ...
