"""Wompi for the conformance suite: its fake, and a provider account that leads there."""

from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from payments.core import jsontext
from payments.providers.ports import Callback, ChargeRequest, Rail
from tests.rails.accounts import WOMPI_CREDENTIALS, enter
from tests.rails.event_receiver import EventReceiver
from tests.rails.fake_server.server import RunningServer
from tests.rails.http_calls import wait_until
from tests.rails.terms import WOMPI_TERMS
from tests.rails.wompi.rail import WompiRail
from tests.simulator.conftest import charge

CODE = "wompi"


class AccountServer:
    """A fake rail with an account, and the merchant's end of its events."""

    creation: str

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        self.receiver = EventReceiver().__enter__()
        self.server = self.start().__enter__()
        self.server.control.set(events_url=self.receiver.url)

    def start(self) -> RunningServer:
        raise NotImplementedError

    def close(self) -> None:
        complaints = self.server.control.complaints()
        self.server.__exit__()
        self.receiver.__exit__()
        assert complaints == []

    @contextmanager
    def away(self):
        self.server.control.call("POST", "outage", {"seconds": None})
        yield
        self.server.control.call("POST", "outage", {"seconds": 0})

    @contextmanager
    def losing_answers(self):
        self.server.control.fault(self.creation, "lose_answer", times=None)
        yield
        self.server.control.call("DELETE", "faults")

    @contextmanager
    def garbling_answers(self):
        self.server.control.fault(self.creation, "invalid_json", times=None)
        yield
        self.server.control.call("DELETE", "faults")

    @contextmanager
    def slow_answers(self, seconds: float):
        self.server.control.fault("*", "delay", times=None, seconds=seconds)
        yield
        self.server.control.call("DELETE", "faults")

    @contextmanager
    def lagging_lists(self):
        self.server.control.set(search_lag_seconds=3600)
        yield
        self.server.control.set(search_lag_seconds=0)

    def settle(self, reference: str) -> Callback:
        """The event of the end. Its checksum is in the body, and its headers decide nothing."""
        before = len(self.receiver.received)
        self.server.control.call("POST", f"transactions/{reference}", {"status": "APPROVED"})
        wait_until(lambda: len(self.receiver.received) > before)
        return Callback({}, jsontext.dumps(self.receiver.bodies[-1]).encode())


class FakeServer(AccountServer):
    """The payer decides on the page of the bank."""

    creation = "POST /v1/transactions"

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        super().__init__(monkeypatch, tmp_path)
        enter(CODE, "wompi", f"{self.server.url}/v1", WOMPI_CREDENTIALS)

    def start(self) -> RunningServer:
        return RunningServer(WompiRail(url_delay_seconds=0, pse_resolution="payer"))

    def charge(self, method: Rail, **changes: Any) -> ChargeRequest:
        known = {
            "fields": {"bankCode": "1", "personType": "NATURAL"},
            "accepted_terms": tuple(term.url for term in WOMPI_TERMS),
        }
        return charge(method, **{**known, **changes})

    def pay(self, reference: str) -> Callback:
        return self.settle(reference)
