"""A top-up in doubt: no answer, a request that died, a call that may be under way.

The money stays held until the rail or an operator says what became of it.
"""

import time
from datetime import timedelta
from typing import Any

import pytest
import time_machine

from merchants.models import Merchant
from payments.core import clock
from payments.core.errors import NotAllowed
from payments.providers import breaker
from payments.providers.ports import OutgoingUpdate, ProviderTimeout
from payments.simulator import failures, store
from payments.simulator.outgoing import SimulatorTopup
from payments.topup import tasks
from payments.topup.services import topups
from payments.topup.services.engine import engine
from tests.support import topups as topup_requests
from tests.support.fixtures import ApiClient
from tests.support.funds import balance
from tests.support.outgoing_payments import resolve
from tests.support.topups import GONE, HELD, bought, buy, live, read

pytestmark = pytest.mark.usefixtures("no_waiting")


class TestDoubt:
    def test_a_request_waits_no_longer_than_its_budget(
        self, api: ApiClient, merchant: Merchant, settings: Any
    ) -> None:
        settings.OUTGOING_BUDGET_SECONDS = 0.5
        failures.released.clear()
        started = time.monotonic()
        response = buy(api, phone=topup_requests.SLOW)
        passed = time.monotonic() - started

        assert response.body["data"]["status"] == "processing"
        assert 0.3 < passed < 2
        assert balance(merchant) == HELD

    def test_the_call_gets_what_is_left_of_it(
        self, api: ApiClient, monkeypatch: pytest.MonkeyPatch, settings: Any
    ) -> None:
        heard = []

        def send(port: Any, request: Any, timeout: float) -> OutgoingUpdate:
            heard.append(timeout)
            raise ProviderTimeout("gone")

        monkeypatch.setattr(SimulatorTopup, "send", send)
        buy(api)
        assert settings.OUTGOING_BUDGET_SECONDS == 10
        assert 8 < heard[0] <= 10

    def test_who_waited_too_long_for_the_balance_leaves_it_to_the_scanner(
        self, api: ApiClient, merchant: Merchant, settings: Any
    ) -> None:
        settings.OUTGOING_BUDGET_SECONDS = 0
        topup = bought(api)
        assert (topup.status, balance(merchant)) == ("PROCESSING", HELD)
        assert store.calls(topup.provider_reference, "send") == 0

        live(seconds=60)
        assert read(api, topup.pk)["status"] == "completed"
        assert store.executions(topup.pk) == 1

    def test_a_request_that_dies_after_reserving_is_finished_by_the_scanner(
        self, api: ApiClient, merchant: Merchant, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as broken:

            def die(*_: Any, **__: Any) -> None:
                raise RuntimeError("killed")

            broken.setattr(topups.engine, "call", die)
            assert buy(api, key="k-1").status_code == 500
        assert balance(merchant) == HELD
        assert buy(api, key="k-1").body["data"]["status"] == "processing"

        live(seconds=60)
        assert buy(api, key="k-1").body["data"]["status"] == "completed"
        assert balance(merchant) == GONE

    def test_a_call_is_not_repeated_while_it_may_be_under_way(self, api: ApiClient) -> None:
        topup = bought(api, phone=topup_requests.LOST_BEFORE)
        for seconds in (5, 10, 20):
            topup.refresh_from_db()
            engine.query(payment=topup, now=topup.sent_at + timedelta(seconds=seconds))
        assert store.calls(topup.provider_reference, "send") == 1

        engine.query(payment=topup, now=topup.sent_at + timedelta(seconds=30))
        assert store.calls(topup.provider_reference, "send") == 2
        assert store.executions(topup.pk) == 1

    def test_after_a_day_an_operator_looks_too(self, api: ApiClient, merchant: Merchant) -> None:
        topup = bought(api, phone=topup_requests.PENDING)
        live(seconds=26 * 3600, step_seconds=1800)
        topup.refresh_from_db()
        assert (topup.status, topup.needs_operator) == ("PROCESSING", True)
        assert balance(merchant) == HELD

    def test_no_operator_decides_while_the_call_may_be_under_way(self, api: ApiClient) -> None:
        topup = bought(api, phone=topup_requests.PENDING)
        with pytest.raises(NotAllowed):
            resolve(engine, topup, "FAILED")

    def test_the_circuit_opens_for_what_is_new(
        self, api: ApiClient, merchant: Merchant, settings: Any
    ) -> None:
        for _ in range(settings.PROVIDER_BREAKER_FAILURES):
            assert buy(api, phone=topup_requests.LOST_AFTER).status_code == 201
        assert breaker.is_open("topup:simulator")
        before = balance(merchant)
        assert buy(api).status_code == 503
        assert balance(merchant) == before
        # Payouts have a circuit of their own.
        assert not breaker.is_open("payout:simulator")

    def test_the_scanner_is_a_task(self, api: ApiClient) -> None:
        topup = bought(api, phone=topup_requests.LOST_AFTER)
        with time_machine.travel(clock.now() + timedelta(seconds=6)):
            tasks.process_due()
        assert read(api, topup.pk)["status"] == "completed"
        tasks.send_topup(topup.pk)
        assert store.calls(topup.provider_reference, "send") == 1
