"""The port: that of a real product is in `payments/providers/ports/`."""

from dataclasses import dataclass
from typing import Protocol

from payments.providers.ports import OutgoingPort, OutgoingRequest, OutgoingUpdate


@dataclass(frozen=True, slots=True, kw_only=True)
class VoucherRequest(OutgoingRequest):
    """`shop` is where the voucher counts."""

    shop: str


class VoucherPort(OutgoingPort, Protocol):
    def send(self, request: VoucherRequest, timeout: float) -> OutgoingUpdate: ...
