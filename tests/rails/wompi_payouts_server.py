"""Wompi's payouts for the conformance suite: its fake, and a provider account that leads there."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from payments.providers.ports import Callback, PayoutRequest
from tests.rails.accounts import enter, payouts_credentials
from tests.rails.fake_server.server import RunningServer
from tests.rails.wompi_payouts.bre_b import SANDBOX_KEYS
from tests.rails.wompi_payouts.company import BANKS
from tests.rails.wompi_payouts.rail import WompiPayoutsRail
from tests.rails.wompi_server import AccountServer
from tests.simulator.conftest import payout

CODE = "wompi-payouts"


class FakeServer(AccountServer):
    """Payouts wait until the test completes them."""

    creation = "POST /v?/payouts"
    known_key = ("ALPHANUMERIC", "@elias123")
    unknown_key = ("EMAIL", "noexiste@test.com")
    closed_key = ("EMAIL", "inactiva@test.com")
    holder = SANDBOX_KEYS["@elias123"]

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        super().__init__(monkeypatch, tmp_path)
        enter(CODE, "wompi-payouts", self.server.url, payouts_credentials(self.server.rail))

    def start(self) -> RunningServer:
        left_out = ["payout.updated"]  # the event of a transaction has no reference of ours
        return RunningServer(WompiPayoutsRail(settle_seconds=None, events_left_out=left_out))

    def payment(self, product: str, **changes: Any) -> PayoutRequest:
        return payout(bank_code=BANKS[0]["id"], **changes)

    def complete(self, product: str, reference: str) -> Callback:
        return self.settle(reference.replace("_", "-"))

    def balance(self) -> Decimal:
        """In pesos."""
        return Decimal(self.server.rail.company.balance) / 100
