"""The refund port of the simulator: whatever was paid, by whatever rail."""

from functools import partial
from typing import ClassVar

from payments.providers.ports import (
    OutgoingReason,
    OutgoingUpdate,
    ProviderRefused,
    RefundRequest,
)
from payments.simulator.outgoing import SimulatorOutgoing
from payments.simulator.outgoing_books import OutgoingRecord
from payments.simulator.outgoing_magic import Product


class SimulatorRefund(SimulatorOutgoing):
    """Implements RefundPort. How it can be made to misbehave is in docs/simulator.md."""

    product: ClassVar[Product] = Product.REFUND

    def send(self, request: RefundRequest, timeout: float) -> OutgoingUpdate:
        """Returns the money at once."""
        return self._send(
            request.reference,
            request.payer.document_number,
            _draft(request),
            lambda _others: _refuse(request),
            timeout,
        )


def _refuse(request: RefundRequest) -> None:
    if request.amount <= 0 or not request.charge_reference:
        raise ProviderRefused(OutgoingReason.INVALID_REQUEST, "There is nothing to return.")


def _draft(request: RefundRequest) -> partial[OutgoingRecord]:
    payer = request.payer
    return partial(
        OutgoingRecord,
        reference=request.reference,
        payment_id=request.refund_id,
        rail=request.method.value,
        destination=request.charge_reference,
        amount=request.amount,
        callback_url=request.callback_url,
        recipient_name=payer.name,
        document=f"{payer.document_type} {payer.document_number}",
        description=request.reason,
    )
