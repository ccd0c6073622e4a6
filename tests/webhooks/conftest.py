"""Fixtures of the webhooks: receivers on real sockets, and the dispatcher run to its end."""

import collections
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from merchants.models import Merchant
from payments.core import clock, jobs
from tests.support.factories import MerchantFactory
from tests.webhooks.receivers import Receiver
from webhooks import dispatcher, event_loop, services, tasks
from webhooks.dispatcher import Dispatcher, Summary
from webhooks.models import Delivery, Event

# A tenth of the promised sizes by default; `make faults` sets 1.
SCALE = float(os.environ.get("FAULTS_SCALE", "0.1"))


@pytest.fixture(autouse=True)
def _no_wakeups(settings: Any) -> None:
    """These tests run the dispatcher themselves."""
    settings.DOORBELL = False


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """An honest one: 200 at once."""
    with Receiver() as running:
        yield running


def run_dispatcher(**options: Any) -> Summary:
    """One run of the dispatcher, to its end."""
    return event_loop.run(Dispatcher(**options).run())


def merchant_at(url: str, **fields: Any) -> Merchant:
    """A merchant whose webhooks go to `url`."""
    return MerchantFactory(webhook_url=url, **fields)


PAID = {
    "amount": 50025,
    "baseAmount": 50000,
    "feeAmount": 25,
    "currency": "COP",
    "status": "COMPLETED",
    "paidAt": "2026-07-14T15:30:12.104Z",
    "metadata": {},
    "traceCode": None,
    "failureReason": None,
    "attempts": 1,
}


def publish(merchant: Merchant, number: int = 1, **changes: Any) -> Event:
    """Publishes the `number`th payment of the merchant."""
    values: dict[str, Any] = {
        "merchant": merchant,
        "kind": "payment.completed",
        "subject_id": f"col_{number:026d}",
        "data": {**PAID, "id": f"col_{number:026d}", "reference": f"PEDIDO-{number}"},
        "now": clock.now(),
    }
    event = services.publish(services.NewEvent(**values | changes))
    assert event is not None
    return event


Publish = Callable[..., Event]


def event_ids(receiver: Receiver) -> list[str]:
    """Of every POST that came in, in that order."""
    return [request.headers["x-service-event-id"] for request in receiver.requests]


def counts() -> dict[str, int]:
    """How many deliveries there are in each status."""
    return dict(collections.Counter(Delivery.objects.values_list("status", flat=True)))


@pytest.fixture
def worker(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Wake-ups start the dispatcher in threads, as in the Celery worker of the webhooks queue."""
    settings.DOORBELL = True
    threads = ThreadPoolExecutor(4)
    monkeypatch.setattr(jobs._sender, "send_soon", lambda *_: threads.submit(tasks.dispatch))
    yield
    settings.DOORBELL = False
    dispatcher.stop()
    threads.shutdown()


def arrival_times(receiver: Receiver, shops: list[Merchant], count: int) -> list[float]:
    """Publishes one by one, and returns how long each took to arrive, sorted, in seconds."""
    committed: dict[str, float] = {}
    before = len(receiver.requests)
    for number in range(count):
        event = publish(shops[number % len(shops)], number)
        committed[event.pk] = time.perf_counter()
        time.sleep(0.01)
    receiver.wait_for(before + count)
    return sorted(
        request.at - committed[request.headers["x-service-event-id"]]
        for request in receiver.requests[before:]
    )


def run_until_all_is_delivered(seconds: float = 15) -> None:
    """As the scanner does: one run after the other."""
    ends_at = time.monotonic() + seconds
    while Delivery.objects.filter(status="PENDING").exists() and time.monotonic() < ends_at:
        run_dispatcher()
        time.sleep(0.1)
