"""The top-up port of the simulator: every phone of every operator."""

from functools import partial
from typing import ClassVar

from payments.providers.ports import (
    OutgoingReason,
    OutgoingUpdate,
    ProviderRefused,
    TopupRequest,
)
from payments.simulator.outgoing import SimulatorOutgoing
from payments.simulator.outgoing_books import OutgoingRecord
from payments.simulator.outgoing_magic import Product

PHONE_DIGITS = 10


class SimulatorTopup(SimulatorOutgoing):
    """Implements TopupPort. How it can be made to misbehave is in docs/simulator.md."""

    product: ClassVar[Product] = Product.TOPUP

    def send(self, request: TopupRequest, timeout: float) -> OutgoingUpdate:
        """Tops the phone up at once."""
        return self._send(
            request.reference,
            request.phone,
            _draft(request),
            lambda _others: _refuse(request),
            timeout,
        )


def _refuse(request: TopupRequest) -> None:
    if request.amount <= 0 or not request.operator_code:
        raise ProviderRefused(OutgoingReason.INVALID_REQUEST, "There is nothing to send.")
    phone = request.phone
    is_number = phone.isascii() and phone.isdigit() and len(phone) == PHONE_DIGITS
    if not is_number or not phone.startswith("3"):
        raise ProviderRefused(OutgoingReason.INVALID_REQUEST, "This is no mobile phone.")


def _draft(request: TopupRequest) -> partial[OutgoingRecord]:
    return partial(
        OutgoingRecord,
        reference=request.reference,
        payment_id=request.topup_id,
        rail=request.operator_code,
        destination=request.phone,
        amount=request.amount,
        callback_url=request.callback_url,
    )
