"""The payout port of the simulator: bank accounts and instant keys."""

from functools import partial
from typing import ClassVar

from payments.providers.ports import (
    OutgoingReason,
    OutgoingUpdate,
    PayoutNetwork,
    PayoutRequest,
    ProviderRefused,
)
from payments.simulator.banks import BANKS
from payments.simulator.outgoing import SimulatorOutgoing
from payments.simulator.outgoing_books import OutgoingRecord
from payments.simulator.outgoing_magic import Product

ACCOUNT_TYPES = ("SAVINGS", "CHECKING")
KEY_TYPES = ("PHONE", "EMAIL", "ALPHANUMERIC", "ID", "BCODE")
_BANK_CODES = {bank.code for bank in BANKS}


class SimulatorPayout(SimulatorOutgoing):
    """Implements PayoutPort. How it can be made to misbehave is in docs/simulator.md."""

    product: ClassVar[Product] = Product.PAYOUT

    def networks(self) -> frozenset[PayoutNetwork]:
        """Both."""
        return frozenset(PayoutNetwork)

    def send(self, request: PayoutRequest, timeout: float) -> OutgoingUpdate:
        """Takes the payout, which is pending until the clock or the sandbox ends it."""
        return self._send(
            request.reference,
            request.document_number,
            _draft(request),
            lambda _others: _refuse(request),
            timeout,
        )


def _refuse(request: PayoutRequest) -> None:
    if request.amount <= 0:
        raise ProviderRefused(OutgoingReason.INVALID_REQUEST, "There is nothing to send.")
    if request.network is PayoutNetwork.BREB:
        if request.key_type not in KEY_TYPES or not request.key_value:
            raise ProviderRefused(OutgoingReason.INVALID_REQUEST, "This is no key.")
        return
    if request.bank_code not in _BANK_CODES:
        raise ProviderRefused(OutgoingReason.INVALID_REQUEST, "There is no bank with this code.")
    is_number = request.account_number.isascii() and request.account_number.isdigit()
    if request.account_type not in ACCOUNT_TYPES or not is_number:
        raise ProviderRefused(OutgoingReason.INVALID_REQUEST, "This is no account.")


def _draft(request: PayoutRequest) -> partial[OutgoingRecord]:
    is_key = request.network is PayoutNetwork.BREB
    account = (request.bank_code, request.account_type, request.account_number)
    return partial(
        OutgoingRecord,
        reference=request.reference,
        payment_id=request.payout_id,
        rail=request.network.value,
        destination=" ".join((request.key_type, request.key_value) if is_key else account),
        amount=request.amount,
        callback_url=request.callback_url,
        recipient_name=request.recipient_name,
        document=f"{request.document_type} {request.document_number}",
        description=request.description,
    )
