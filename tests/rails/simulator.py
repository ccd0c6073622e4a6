"""The other side of the simulator is its `control`."""

from contextlib import contextmanager, suppress
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from payments.core import clock, ids
from payments.providers.ports import (
    Callback,
    ChargeRequest,
    ChargeStatus,
    DisputeKind,
    DisputeState,
    DisputeUpdate,
    OutgoingState,
    Payer,
    ProviderTimeout,
    Rail,
    RefundRequest,
)
from payments.simulator import callbacks, control, failures, messages, store
from payments.simulator.records import NotPossible
from tests.simulator import conftest as requests


class FakeServer:
    known_key = ("EMAIL", "3990002004@example.com")
    unknown_key = ("PHONE", "3990002001")
    closed_key = ("ALPHANUMERIC", "@3990002002")
    holder = "Lucía Ñáñez"

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        self.monkeypatch = monkeypatch
        monkeypatch.setattr(settings, "SIMULATOR_STATE", tmp_path / "simulator.sqlite3")
        # The suite hands callbacks over itself.
        monkeypatch.setattr(callbacks, "deliver", lambda *_: 200)

    def close(self) -> None:
        pass

    @contextmanager
    def away(self):
        file = Path(f"{settings.SIMULATOR_STATE}{failures.AWAY_SUFFIX}")
        file.touch()
        yield
        file.unlink()

    @contextmanager
    def losing_answers(self):
        def lose(*_: Any) -> None:
            raise ProviderTimeout

        with self.monkeypatch.context() as patch:
            patch.setattr(failures, "lose_response", lose)
            yield

    def charge(self, method: Rail, **changes: Any) -> ChargeRequest:
        return requests.charge(method, **changes)

    def pay(self, reference: str) -> Callback:
        control.resolve(reference, ChargeStatus.SUCCEEDED)
        return _signed(messages.body_of(store.charges.by_reference(reference).update))

    def payment(self, product: str, **changes: Any) -> Any:
        kinds = {"payout": requests.payout, "topup": requests.topup, "bill": requests.bill}
        return {**kinds, "refund": _refund}[product](**changes)

    def complete(self, product: str, reference: str) -> Callback:
        with suppress(NotPossible):  # complete since it was sent
            control.resolve(reference, OutgoingState.COMPLETED)
        return _signed(messages.body_of(store.outgoing.by_reference(reference).update, product))

    def contest(self, charge_reference: str) -> Callback:
        update = DisputeUpdate(
            reference="dsp-1",
            charge_reference=charge_reference,
            kind=DisputeKind.CHARGEBACK,
            state=DisputeState.OPEN,
            amount=Decimal(1000),
            currency="COP",
            occurred_at=clock.now(),
        )
        return _signed(messages.body_of(update))


def _signed(body: bytes) -> Callback:
    return Callback(callbacks.signed_headers(body, clock.now()), body)


def _refund(**changes: Any) -> RefundRequest:
    values: dict[str, Any] = {
        "reference": ids.new_id("rfr"),
        "payment_id": ids.new_id("ref"),
        "charge_reference": ids.new_id("chg"),
        "charge_provider_id": "sim_1",
        "method": Rail.PSE,
        "amount": Decimal(1000),
        "currency": "COP",
        "payer": Payer(name="Lucía Ñáñez", email="lucia@example.com"),
        "reason": "Talla equivocada",
        "callback_url": "http://testserver/callbacks/refund/simulator",
    }
    return RefundRequest(**{**values, **changes})
