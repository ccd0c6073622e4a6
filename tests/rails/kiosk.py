"""A rail of the toy product (tests/products) with its fake server. It reports by callback only."""

import hashlib
import hmac
import json
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, ClassVar

import pytest

from payments.core import clock, ids
from payments.providers.declaration import RailDeclaration
from payments.providers.ports import (
    Callback,
    InvalidCallback,
    Known,
    OutgoingReason,
    OutgoingState,
    OutgoingUpdate,
    ProviderRefused,
    ProviderTimeout,
    ProviderUnreachable,
    parse_amount,
)
from tests.products.voucher.port import VoucherRequest
from tests.rails.outages import Outages

CODE = "kiosk"
SECRET = b"kiosk-secret"
SIGNATURE_HEADER = "X-Kiosk-Signature"


class KioskVouchers:
    """Implements VoucherPort. What would be a call over the network is one to the fake server."""

    code: ClassVar[str] = CODE
    server: ClassVar["FakeServer | None"] = None

    def send(self, request: VoucherRequest, timeout: float) -> OutgoingUpdate:
        return _update(self._call("PUT", request.reference, request.amount))

    def query(self, known: Known) -> OutgoingUpdate:
        found = self._call("GET", known.reference)
        if found:
            return _update(found)
        return OutgoingUpdate(
            reference=known.reference,
            provider_id="",
            state=OutgoingState.UNKNOWN,
            occurred_at=clock.now(),
        )

    def find_reference(self, provider_id: str) -> str:
        return ""

    def read_callback(self, callback: Callback, now: datetime) -> OutgoingUpdate:
        signature = callback.header(SIGNATURE_HEADER).encode("utf-8", "replace")
        if not hmac.compare_digest(sign(callback.body).encode(), signature):
            raise InvalidCallback("signature does not match")
        return _update(json.loads(callback.body))

    def _call(self, verb: str, reference: str, amount: Decimal | None = None) -> dict[str, str]:
        if self.server is None or self.server.is_away:
            raise ProviderUnreachable("nothing listens there")
        return self.server.handle(verb, reference, amount)


def sign(body: bytes) -> str:
    return hmac.new(SECRET, body, hashlib.sha256).hexdigest()


def _update(found: dict[str, str]) -> OutgoingUpdate:
    return OutgoingUpdate(
        reference=found["reference"],
        provider_id=found["id"],
        state=OutgoingState(found["state"]),
        amount=parse_amount(found["amount"]),
        occurred_at=datetime.fromisoformat(found["changed"]),
    )


RAIL = RailDeclaration(code=CODE, outgoing={"voucher": KioskVouchers()})


class FakeServer(Outages):
    """The kiosk itself."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        self.payments: dict[str, dict[str, str]] = {}
        monkeypatch.setattr(KioskVouchers, "server", self)

    def handle(self, verb: str, reference: str, amount: Decimal | None) -> dict[str, str]:
        """One reference is one payment."""
        if verb == "PUT" and reference not in self.payments:
            if not amount:
                raise ProviderRefused(OutgoingReason.INVALID_REQUEST, "There is nothing to send.")
            self.payments[reference] = {
                "reference": reference,
                "id": ids.new_id("kiosk"),
                "state": "PENDING",
                "amount": str(amount),
                "changed": clock.now().isoformat(),
            }
        if self.is_losing:
            raise ProviderTimeout("no answer")
        return self.payments.get(reference, {})

    def close(self) -> None:
        pass

    def payment(self, product: str, **changes: Any) -> VoucherRequest:
        ordinary = {
            "reference": ids.new_id("vor"),
            "payment_id": ids.new_id("vou"),
            "shop": "libreria",
            "amount": Decimal(20_000),
            "callback_url": f"http://testserver/callbacks/{product}/{CODE}",
        }
        return VoucherRequest(**{**ordinary, **changes})

    def complete(self, product: str, reference: str) -> Callback:
        self.payments[reference]["state"] = "COMPLETED"
        body = json.dumps(self.payments[reference]).encode()
        return Callback({SIGNATURE_HEADER: sign(body)}, body)
