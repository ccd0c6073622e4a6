"""`make run RAILS=fake`: payments over the adapters of real rails, with fakes at the other end."""

import json
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from config.devstack import options
from config.devstack.options import read_options
from config.devstack.process import StackError
from config.devstack.valkey import free_port
from tests.devstack.test_started import running, seconds_until
from tests.rails.fake_server.server import ControlClient
from tests.support.factories import order_body, payout_body


def control(data_dir: Path, account: str) -> ControlClient:
    page = json.loads((data_dir / "stack.json").read_text())["fakes"][account]["control"]
    return ControlClient(f"http://{urlsplit(page).netloc}")


def answers(fake: ControlClient) -> str:
    """What the service answered to the attempts at each event."""
    found = {json.dumps(one["attempts"]) for one in fake.state()["deliveries"]}
    return ", ".join(sorted(found))


def outcomes(state: dict[str, Any]) -> dict[str, Any]:
    """Without the count of queries: the service may still ask while it is stopped."""
    return {number: row | {"asked": None} for number, row in state["transaction"].items()}


def test_money_comes_and_goes_over_fake_rails_and_returns_to_the_simulator(
    migrated_dir: Path,
) -> None:
    port, data_dir = free_port(), migrated_dir
    with running(data_dir, port, RAILS="fake", WEB_WORKERS="1") as service:
        assert "/_control/state" in service.banner
        wompi, payouts = (
            control(data_dir, account) for account in ("wompi-fake", "wompi-payouts-fake")
        )

        order = service.call("POST", "/collect", order_body(reference="fake-1"))
        paying = {
            "method": "wompi_nequi",
            "fields": {"phone": "3991111111"},
            "acceptedTerms": True,
        }
        service.call("POST", f"/collect/{order['id']}/pay", paying)
        path = f"/collect/{order['id']}"
        seconds_until(lambda: service.call("GET", path)["status"], "COMPLETED")

        payouts.set(outcome="FAILED")
        sent = service.call("POST", "/payout", payout_body(bankCanonicalId="bancolombia"))
        path = f"/payout/{sent['payoutId']}"
        seconds_until(lambda: service.call("GET", path)["status"], "FAILED")
        for fake in (wompi, payouts):
            assert fake.complaints() == []
            seconds_until(partial(answers, fake), "[[200]]")
        state = wompi.state()

    with running(data_dir, port, RAILS="fake", WEB_WORKERS="1") as service:
        again = control(data_dir, "wompi-fake").state()
        assert again["settings"] == state["settings"]
        assert outcomes(again) == outcomes(state)

    with running(data_dir, port, WEB_WORKERS="1") as service:
        assert "/_control/state" not in service.banner
        service.paid_order()  # by the simulator


def test_unknown_rails_and_missing_fakes_are_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(StackError, match="RAILS=wompi is not known"):
        read_options({"RAILS": "wompi"})
    monkeypatch.setattr(options, "PROJECT", tmp_path)
    with pytest.raises(StackError, match="images of the service do not have"):
        read_options({"RAILS": "fake"})
    assert "RAILS" not in read_options({"RAILS": ""}).environment
