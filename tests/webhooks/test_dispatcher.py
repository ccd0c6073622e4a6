"""Every event arrives once (F8), a run is bounded, and a shutdown ends what is in flight.

Bad receivers, wake-ups and crashes have their own files. FAULTS_SCALE=1 runs the promised sizes;
the default is a tenth.
"""

import asyncio
import collections
import threading
import time
from typing import Any

import pytest
from django.utils import timezone

from payments.core import jobs
from payments.core.models import Heartbeat
from tests.support.measurements import record
from tests.webhooks.conftest import SCALE, counts, event_ids, merchant_at, publish, run_dispatcher
from tests.webhooks.receivers import Receiver, answering
from webhooks import dispatcher, services, tasks
from webhooks.models import Attempt, Delivery

pytestmark = pytest.mark.django_db(transaction=True)


def test_event_is_delivered_by_one_recorded_attempt(receiver: Receiver) -> None:
    event = publish(merchant_at(receiver.url))
    assert run_dispatcher().sent == 1
    (request,) = receiver.requests
    assert request.body == bytes(event.body)
    delivery = Delivery.objects.get()
    assert (delivery.status, delivery.attempts) == ("DELIVERED", 1)
    attempt = Attempt.objects.get()
    assert (attempt.number, attempt.url) == (1, receiver.url)
    assert (attempt.response_status, attempt.response_excerpt, attempt.error) == (200, "ok", "")
    assert run_dispatcher().sent == 0


def test_run_with_nothing_due_ends_after_one_cycle() -> None:
    assert run_dispatcher().cycles == 1


@pytest.mark.faults("F8")
def test_all_events_arrive_exactly_once(receiver: Receiver) -> None:
    total = round(10_000 * SCALE)
    shops = [merchant_at(receiver.url) for _ in range(20)]
    published = {publish(shops[n % 20], n).pk for n in range(total)}
    started = time.perf_counter()
    summary = run_dispatcher(run_seconds=600)
    seconds = time.perf_counter() - started
    arrived = event_ids(receiver)
    lost, doubled = len(published - set(arrived)), len(arrived) - len(set(arrived))
    record(
        f"lost {lost} of {total}, duplicates {doubled}, {total / seconds:,.0f} deliveries/s, "
        f"{summary.cycles} cycles to the database",
        events_without_faults=total,
        duplicates_without_faults=doubled,
        lost=lost,
    )
    assert (lost, doubled) == (0, 0)
    assert counts() == {"DELIVERED": total}
    assert Attempt.objects.count() == total


@pytest.mark.faults("F8")
def test_two_dispatchers_share_the_work_below_the_cap(settings: Any) -> None:
    settings.WEBHOOK_MERCHANT_CAP = 4
    flying: collections.Counter[str] = collections.Counter()
    most: collections.Counter[str] = collections.Counter()

    async def behave(receiver: Receiver, reader: Any, writer: Any) -> None:
        while True:
            request = await receiver.read(reader)
            flying[request.path] += 1
            most[request.path] = max(most[request.path], flying[request.path])
            await asyncio.sleep(0.01)
            flying[request.path] -= 1
            receiver.note(request)
            await receiver.send(writer, b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

    with Receiver(behave) as receiver:
        shops = [merchant_at(f"{receiver.url}/{n}") for n in range(3)]
        for n in range(240):
            publish(shops[n % 3], n)
        threads = [threading.Thread(target=run_dispatcher) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        run_dispatcher()
    record(f"most in flight per merchant with two dispatchers, cap 4: {dict(most)}")
    assert max(most.values()) <= 4
    assert len(event_ids(receiver)) == len(set(event_ids(receiver))) == 240
    assert counts() == {"DELIVERED": 240}


def test_the_tasks_are_what_the_settings_schedule(settings: Any) -> None:
    names = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert {tasks.dispatch.name, tasks.heartbeat.name} <= names
    assert tasks.dispatch.name == services.DISPATCH_TASK
    tasks.heartbeat()
    assert Heartbeat.objects.filter(name="pump").exists()


def test_long_run_writes_its_heartbeat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatcher, "HEARTBEAT_SECONDS", 0.2)
    with Receiver(answering(200, after=1.0)) as receiver:
        publish(merchant_at(receiver.url))
        started = timezone.now()
        run_dispatcher()
    assert (Heartbeat.objects.get(name="pump").at - started).total_seconds() > 0.5


def test_run_is_bounded_and_wakes_the_next_one(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DOORBELL = True
    wakeups: list[Any] = []
    with Receiver(answering(200, after=0.2)) as receiver:
        shop = merchant_at(receiver.url)
        for number in range(100):
            publish(shop, number)
        monkeypatch.setattr(jobs._sender, "send_soon", lambda message, *_: wakeups.append(message))
        started = time.perf_counter()
        summary = run_dispatcher(run_seconds=0.3)
        seconds = time.perf_counter() - started
    assert seconds < 1.0
    assert wakeups == [("webhooks.tasks.pump", ())]
    # What was under way was finished and recorded.
    assert 16 <= summary.sent < 100
    assert len(receiver.requests) == counts()["DELIVERED"] == summary.sent
    assert not Delivery.objects.filter(lease_token__isnull=False).exists()


def test_a_shutdown_finishes_what_is_under_way() -> None:
    with Receiver(answering(200, after=0.5)) as receiver:
        shop = merchant_at(receiver.url)
        for number in range(50):
            publish(shop, number)
        runner = threading.Thread(target=dispatcher.run)
        runner.start()
        receiver.wait_for(1)
        tasks._finish_early()
        runner.join(60)
        assert not runner.is_alive()
    assert counts() == {"DELIVERED": 16, "PENDING": 34}
    assert not Delivery.objects.filter(lease_token__isnull=False).exists()


def test_a_failure_of_our_own_is_an_attempt_too(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the row would come back with every lease, for ever."""

    def broken(**_: Any) -> dict[str, str]:
        raise RuntimeError

    publish(merchant_at(receiver.url))
    monkeypatch.setattr(dispatcher.signing, "headers", broken)
    run_dispatcher()
    assert Attempt.objects.get().error == "INTERNAL"
    assert Delivery.objects.get().attempts == 1
