"""One bad receiver slows no other (F10): one that hangs, resets, redirects or fails does so alone.

FAULTS_SCALE=1 runs the sizes that the service promises; the default is a tenth.
"""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from tests.support.measurements import record
from tests.webhooks.conftest import SCALE, arrival_times, merchant_at, publish, run_dispatcher
from tests.webhooks.receivers import (
    Behaviour,
    Receiver,
    Unreachable,
    answering,
    hanging,
    mute,
    resetting,
    saying,
)
from webhooks import dispatcher
from webhooks.models import Delivery

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def p95(times: list[float]) -> float:
    return times[int(len(times) * 0.95)]


HANGS: dict[str, tuple[Behaviour | None, str]] = {
    "at connect": (None, "http:"),
    "at TLS": (mute, "https:"),
    "before the headers": (hanging, "http:"),
    "in the headers": (saying(b"HTTP/1.1 200 OK\r\n", b"X", every=0.1, forever=True), "http:"),
    "in the body": (saying(b"HTTP/1.1 200 OK\r\n\r\n", b"x", every=0.1, forever=True), "http:"),
}


@pytest.mark.faults("F10")
@pytest.mark.parametrize("where", HANGS)
@pytest.mark.usefixtures("worker")
def test_a_merchant_that_hangs_delays_no_other_merchant(
    where: str, receiver: Receiver, settings: Any
) -> None:
    if SCALE < 1:
        # All the sends begin at once, and hang until a slow machine has measured the others.
        settings.WEBHOOK_TIMEOUT_SECONDS, settings.WEBHOOK_CONNECT_TIMEOUT_SECONDS = 12.0, 12.0
    shops = [merchant_at(receiver.url) for _ in range(5)]
    baseline = arrival_times(receiver, shops, 100)
    behaviour, scheme = HANGS[where]
    with Receiver(behaviour) if behaviour else Unreachable() as dead:
        culprit = merchant_at(dead.url.replace("http:", scheme))
        for number in range(round(1000 * SCALE)):
            publish(culprit, number)
        hanging_sends = Delivery.objects.filter(merchant=culprit, lease_token__isnull=False)
        ends_at = time.monotonic() + 30
        while not hanging_sends.exists() and time.monotonic() < ends_at:
            time.sleep(0.05)
        beside = arrival_times(receiver, shops, 100)
        assert hanging_sends.exists()
        dispatcher.stop()
    alone_ms, beside_ms = p95(baseline) * 1000, p95(beside) * 1000
    record(
        f"hangs {where}: p95 {alone_ms:.1f} ms alone, {beside_ms:.1f} ms beside, that is"
        f" {beside_ms / alone_ms:.2f} x",
        ways_to_hang=1,
        p95_beside_a_hanging_receiver_ms=beside_ms,
        p95_alone_ms=alone_ms,
        ratio_to_alone=beside_ms / alone_ms,
    )
    # The noise of a shared machine; a delivery behind a hanging send would wait for seconds.
    assert beside_ms <= max(1.5 * alone_ms, 50 if SCALE >= 1 else 300)


@pytest.mark.faults("F10")
@pytest.mark.usefixtures("worker")
def test_even_more_merchants_that_hang_than_the_window_holds(
    receiver: Receiver, settings: Any
) -> None:
    """Sends that have become slow leave the window."""
    settings.WEBHOOK_WINDOW, settings.WEBHOOK_SLOW_AFTER_SECONDS = 20, 0.2
    settings.WEBHOOK_TIMEOUT_SECONDS = 3.0
    shop = merchant_at(receiver.url)
    with Receiver(hanging) as dead:
        for _ in range(6):
            culprit = merchant_at(dead.url)
            for number in range(16):
                publish(culprit, number)
        time.sleep(1.5)
        times = arrival_times(receiver, [shop], 30)
        in_flight = Delivery.objects.filter(lease_token__isnull=False).count()
        dispatcher.stop()
    record(f"{in_flight} sends hang, window 20: p95 of the others {p95(times) * 1000:.1f} ms")
    assert in_flight > 20
    assert p95(times) < 0.5


BACKLOG = """
INSERT INTO webhooks_delivery (id, event_id, merchant_id, cause, status, attempts, next_attempt_at,
                               created_at)
SELECT 'del_' || lpad(n::text, 26, '0'), event_id, merchant_id, 'event', 'PENDING', 0,
       now() - interval '1 hour', now() - interval '1 hour'
FROM webhooks_delivery, generate_series(1, %s) AS n
"""


@contextmanager
def refusing() -> Iterator[str]:
    """The URL of a port that is bound and does not listen."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{closed.getsockname()[1]}/hooks"


@contextmanager
def silent() -> Iterator[str]:
    """The URL of a receiver that accepts, reads and never answers."""
    with Receiver(hanging) as dead:
        yield dead.url


@pytest.mark.faults("F10")
@pytest.mark.parametrize("dead", [refusing, silent])
@pytest.mark.usefixtures("worker")
def test_million_due_deliveries_of_one_dead_receiver_delay_no_other_merchant(
    dead: Any, receiver: Receiver
) -> None:
    """A million with FAULTS_SCALE=1, else 10,000. The statistics are from a time without any."""
    due = 1_000_000 if SCALE >= 1 else 10_000
    shops = [merchant_at(receiver.url) for _ in range(5)]
    with connection.cursor() as cursor, dead() as url:
        cursor.execute("VACUUM ANALYZE webhooks_delivery")
        cursor.execute("SET statement_timeout = 0")
        publish(merchant_at(url))
        cursor.execute(BACKLOG, [due])
        times = arrival_times(receiver, shops, 200)
        dispatcher.stop()
        cursor.execute("RESET statement_timeout")
    tried = Delivery.objects.filter(attempts=1, status="PENDING").count()
    record(
        f"{due:,} due, {dead.__name__}: p95 of the others {p95(times) * 1000:.1f} ms, slowest"
        f" {times[-1] * 1000:.1f} ms; {tried:,} of the dead receiver's tried in the same time",
        due_deliveries_of_a_dead_receiver=due,
        p95_beside_them_ms=p95(times) * 1000,
    )
    assert p95(times) <= 1.0


@pytest.mark.parametrize("behaviour", [resetting, answering(301), answering(500)])
def test_a_dead_or_redirecting_merchant_beside_a_healthy_one(
    behaviour: Behaviour, receiver: Receiver
) -> None:
    healthy = merchant_at(receiver.url)
    with Receiver(behaviour) as dead:
        culprit = merchant_at(dead.url)
        for number in range(50):
            publish(culprit, number)
            publish(healthy, number)
        run_dispatcher()
    assert set(Delivery.objects.filter(merchant=healthy).values_list("status", flat=True)) == {
        "DELIVERED"
    }
    waiting = Delivery.objects.filter(merchant=culprit, status="PENDING", attempts=1)
    assert waiting.count() == 50
    assert waiting.filter(next_attempt_at__gt=timezone.now()).count() == 50
