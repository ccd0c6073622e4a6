"""The doorbell of the pump: a ring starts it or wakes it, and without one it looks by itself.

No ring is lost, not even one that comes just after the last look.
"""

import asyncio
import threading
import time
from typing import Any

import pytest
from django.db import connection

from tests.support.measurements import record
from tests.webhooks.conftest import arrival_times, counts, merchant_at, publish, run_pump
from tests.webhooks.receivers import Receiver, answering
from webhooks import pump as pumps
from webhooks.pump import Pump

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.faults
@pytest.mark.usefixtures("worker")
def test_from_commit_to_arrival_when_idle(receiver: Receiver) -> None:
    shop = merchant_at(receiver.url)
    times = []
    for number in range(20):
        times += arrival_times(receiver, [shop], 1)
        while pumps._current is not None:
            time.sleep(0.005)
        assert number < len(receiver.requests)
    times.sort()
    record(f"commit to arrival, idle: p50 {times[10] * 1000:.1f} ms, p95 {times[19] * 1000:.1f} ms")
    assert times[10] <= 0.5
    assert times[18] <= 2


def test_a_ring_while_the_pump_runs_wakes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pumps, "POLL_SECONDS", 60)
    with Receiver(answering(200, after=1.0)) as receiver:
        shop = merchant_at(receiver.url)
        publish(shop)
        runner = threading.Thread(target=pumps.run)
        runner.start()
        receiver.wait_for(1)
        publish(shop, 2)
        assert pumps.run() is None
        receiver.wait_for(2, seconds=0.9)
        runner.join()
    assert counts() == {"DELIVERED": 2}


def test_without_a_ring_a_waiting_pump_looks_by_itself() -> None:
    with Receiver(answering(200, after=1.0)) as receiver:
        shop = merchant_at(receiver.url)
        publish(shop)
        runner = threading.Thread(target=run_pump)
        runner.start()
        receiver.wait_for(1)
        publish(shop, 2)
        receiver.wait_for(2, seconds=0.9)
        runner.join()
    assert counts() == {"DELIVERED": 2}


def test_a_ring_just_after_the_last_look_is_not_lost(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop, run, runs = merchant_at(receiver.url), Pump.run, []

    def publish_and_ring() -> None:
        publish(shop)
        connection.close()
        assert pumps.run() is None

    async def run_with_an_untimely_ring(self: Pump) -> Any:
        summary = await run(self)
        if not runs:
            await asyncio.to_thread(publish_and_ring)
        runs.append(summary)
        return summary

    monkeypatch.setattr(Pump, "run", run_with_an_untimely_ring)
    pumps.run()
    assert [summary.sent for summary in runs] == [0, 1]
