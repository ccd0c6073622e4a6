"""Wake-ups of the dispatcher: one starts it or its next cycle, and without one it polls.

No wake-up is lost, not even one that comes just after the last cycle.
"""

import asyncio
import threading
import time
from typing import Any

import pytest
from django.db import connection

from tests.faults import SCALE
from tests.support.measurements import record
from tests.webhooks.conftest import arrival_times, counts, merchant_at, publish, run_dispatcher
from tests.webhooks.receivers import Receiver, answering_after
from webhooks import dispatcher
from webhooks.dispatcher import Dispatcher

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.faults
@pytest.mark.usefixtures("worker")
def test_from_commit_to_arrival_when_idle(receiver: Receiver) -> None:
    shop = merchant_at(receiver.url)
    times = []
    for number in range(20):
        times += arrival_times(receiver, [shop], 1)
        while dispatcher._current is not None:
            time.sleep(0.005)
        assert number < len(receiver.requests)
    times.sort()
    record(f"commit to arrival, idle: p50 {times[10] * 1000:.1f} ms, p95 {times[19] * 1000:.1f} ms")
    slower = 1 if SCALE >= 1 else 10  # a busy machine
    assert times[10] <= 0.5 * slower
    assert times[18] <= 2 * slower


def test_wakeup_during_a_run_starts_the_next_cycle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatcher, "POLL_SECONDS", 60)
    answer = asyncio.Event()
    with Receiver(answering_after(answer)) as receiver:
        shop = merchant_at(receiver.url)
        publish(shop)
        runner = threading.Thread(target=dispatcher.run)
        runner.start()
        receiver.wait_for(1)
        publish(shop, 2)
        assert dispatcher.run() is None
        receiver.wait_for(2)
        receiver.call(answer.set)
        runner.join()
    assert counts() == {"DELIVERED": 2}


def test_waiting_run_finds_new_events_without_a_wakeup() -> None:
    answer = asyncio.Event()
    with Receiver(answering_after(answer)) as receiver:
        shop = merchant_at(receiver.url)
        publish(shop)
        runner = threading.Thread(target=run_dispatcher)
        runner.start()
        receiver.wait_for(1)
        publish(shop, 2)
        receiver.wait_for(2)
        receiver.call(answer.set)
        runner.join()
    assert counts() == {"DELIVERED": 2}


def test_wakeup_just_after_the_last_cycle_is_not_lost(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop, run, runs = merchant_at(receiver.url), Dispatcher.run, []

    def publish_and_wake() -> None:
        publish(shop)
        connection.close()
        assert dispatcher.run() is None

    async def run_with_a_late_wakeup(self: Dispatcher) -> Any:
        summary = await run(self)
        if not runs:
            await asyncio.to_thread(publish_and_wake)
        runs.append(summary)
        return summary

    monkeypatch.setattr(Dispatcher, "run", run_with_a_late_wakeup)
    dispatcher.run()
    assert [summary.sent for summary in runs] == [0, 1]
