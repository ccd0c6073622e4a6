"""Refunds of rails that return nothing by themselves: a payout to an account of the payer."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from payments.core import money
from payments.providers.ports import (
    Callback,
    Hint,
    Ignored,
    Known,
    OutgoingReason,
    OutgoingUpdate,
    PayoutNetwork,
    PayoutPort,
    PayoutRequest,
    ProviderRefused,
    RefundRequest,
)


@dataclass(frozen=True, slots=True)
class RefundByPayout:
    """Implements RefundPort with the payout adapter of the same account."""

    payouts: PayoutPort

    @property
    def code(self) -> str:
        return self.payouts.code

    def send(self, request: RefundRequest, timeout: float) -> OutgoingUpdate:
        if request.currency != money.FIAT or not request.destination:
            raise ProviderRefused(OutgoingReason.INVALID_REQUEST, "no account to pay to")
        destination: dict[str, Any] = {**request.destination}
        network = PayoutNetwork(destination.pop("network"))
        return self.payouts.send(
            PayoutRequest(
                reference=request.reference,
                payment_id=request.payment_id,
                amount=request.amount,
                network=network,
                callback_url=request.callback_url,
                state=request.state,
                save=request.save,
                **destination,
            ),
            timeout,
        )

    def query(self, known: Known) -> OutgoingUpdate:
        return self.payouts.query(known)

    def find_reference(self, provider_id: str) -> str:
        return self.payouts.find_reference(provider_id)

    def read_callback(self, callback: Callback, now: datetime) -> OutgoingUpdate | Hint | Ignored:
        return self.payouts.read_callback(callback, now)
