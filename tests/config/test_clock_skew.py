"""A process whose clock is not the database's: what is due is due by the database's.

Here the clock that is measured moves, too; other tests move the service's time on purpose.
"""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from payments.collect import tasks
from payments.collect.models import Order
from payments.core import clock, clock_skew
from payments.core.models import Heartbeat, WrongClock
from payments.core.tasks import heartbeat
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient
from webhooks import event_loop
from webhooks.dispatcher import Dispatcher
from webhooks.models import Delivery
from webhooks.tasks import heartbeat as pump_heartbeat

pytestmark = pytest.mark.django_db(transaction=True)
HOURS = timedelta(hours=2)


@pytest.fixture(autouse=True)
def measured(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(clock_skew, "wall", time.time)
    monkeypatch.setattr(clock_skew, "_last", None)
    yield
    clock_skew._last = None


@contextmanager
def machine_ahead(by: timedelta) -> Iterator[None]:
    """This process's clock, and not PostgreSQL's."""
    with time_machine.travel(clock.now() + by):
        yield


@pytest.fixture
def order(api: ApiClient) -> Order:
    """Payable for an hour."""
    answer = api.post("/collect", order_body(expirationMinutes=60))
    return Order.objects.get(pk=answer.body["data"]["id"])


def due_in(order: Order, seconds: float) -> None:
    at = clock.now() + timedelta(seconds=seconds)
    Order.objects.filter(pk=order.pk).update(expires_at=at, expire_check_at=at)


def status(order: Order) -> str:
    order.refresh_from_db()
    return order.status


def test_a_worker_two_hours_ahead_ends_no_payable_order(order: Order) -> None:
    with machine_ahead(HOURS):
        tasks.expire_due()
        assert status(order) == "PENDING"
    due_in(order, -1)
    tasks.expire_due()
    assert status(order) == "EXPIRED"


def test_a_worker_two_hours_behind_ends_nothing_by_a_wrong_clock(order: Order) -> None:
    due_in(order, -60)
    with machine_ahead(-HOURS):
        tasks.expire_due()
        assert status(order) == "PENDING"
    tasks.expire_due()
    assert status(order) == "EXPIRED"


def test_a_clock_within_the_limit_ends_orders_by_the_databases_time(order: Order) -> None:
    due_in(order, 1.2)
    with machine_ahead(timedelta(seconds=1.8)):
        tasks.expire_due()
        assert status(order) == "PENDING"
    due_in(order, -0.5)
    with machine_ahead(-timedelta(seconds=1.8)):
        tasks.expire_due()
        assert status(order) == "EXPIRED"


def test_a_clock_that_jumps_between_two_measurements_is_found_at_once(order: Order) -> None:
    tasks.expire_due()
    assert clock_skew.seconds() == pytest.approx(0, abs=0.5)
    with machine_ahead(HOURS):
        assert clock_skew.seconds() == pytest.approx(HOURS.total_seconds(), abs=1)
        tasks.expire_due()
    assert clock_skew.seconds() == pytest.approx(0, abs=0.5)
    assert status(order) == "PENDING"


def test_a_slow_database_is_no_wrong_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter([100.0, 104.0, 104.0])  # four seconds for an answer
    times = iter([time.time() - 3, time.time()])
    monkeypatch.setattr(clock_skew, "wall", lambda: next(times))
    monkeypatch.setattr(clock_skew.time, "monotonic", lambda: next(ticks))
    assert clock_skew._measure() == 0


def test_a_machine_that_slept_while_it_asked_has_no_wrong_clock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It wakes up a minute later by the clock on the wall, and none later by the monotonic one."""
    times = iter([time.time() - 60, time.time()])
    monkeypatch.setattr(clock_skew, "wall", lambda: next(times))
    assert abs(clock_skew._measure()) < 1


def test_no_webhook_is_signed_with_a_wrong_time(api: ApiClient, order: Order) -> None:
    api.post(f"/sandbox/collect/{order.pk}", {"status": "COMPLETED"})
    assert Delivery.objects.filter(status="PENDING").exists()
    with machine_ahead(HOURS):
        assert event_loop.run(Dispatcher().run()).sent == 0
    assert Delivery.objects.get().leased_until is None


def test_heartbeats_of_a_wrong_clock_do_not_count() -> None:
    with machine_ahead(HOURS):
        heartbeat("money")
        pump_heartbeat()
    assert not Heartbeat.objects.exists()
    heartbeat("money")
    assert abs(Heartbeat.objects.get().at - clock.now()) < timedelta(seconds=5)


def test_readyz_and_metrics_name_a_wrong_clock(settings: Any) -> None:
    settings.METRICS_TOKEN, settings.METRICS_CACHE_SECONDS = "a-token-of-prometheus", 0

    def ahead(worker: str) -> float:
        bearer = {"Authorization": f"Bearer {settings.METRICS_TOKEN}"}
        text = Client().get("/metrics", headers=bearer).content.decode()
        (value,) = re.findall(rf'pasarela_clock_ahead_seconds{{worker="{worker}"}} (\S+)', text)
        return float(value)

    for name in ("money", "pump"):
        heartbeat(name)
    with machine_ahead(HOURS):
        clock_skew.record("money@other-machine")
        answer = Client().get("/readyz")  # of a web server on the same machine
        assert answer.status_code == 503
        assert answer.json()["checks"]["clock"] == "7200.0 s ahead"
        assert ahead("web") == pytest.approx(7200, abs=1)
    answer = Client().get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["checks"]["workers"] == "wrong clock: money@other-machine 7200.0 s ahead"
    assert answer.json()["checks"]["clock"] == "ok"
    assert ahead("money@other-machine") == pytest.approx(7200, abs=1)
    clock_skew.record("money@other-machine")
    assert not WrongClock.objects.exists()
    assert Client().get("/readyz").status_code == 200
