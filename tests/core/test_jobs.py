"""The doorbell: may be lost, is never waited for (architecture rule 6)."""

import threading
import time

from payments.core.jobs import Doorbell


def test_a_hanging_broker_delays_nobody() -> None:
    release, sent = threading.Event(), []

    def hang(ring: tuple, request_id: str | None) -> None:
        sent.append((ring, request_id))
        release.wait(10)

    bell = Doorbell(hang, capacity=3)
    bell.ring(("task", (0,)), "r-1")
    _until(lambda: len(sent) == 1)  # the thread hangs in the broker from here on
    started = time.monotonic()
    for number in range(1, 100):
        bell.ring(("task", (number,)), "r-1")
    assert time.monotonic() - started < 1

    release.set()
    # Three fitted; the rest was dropped, and the scanner finds it.
    _until(lambda: len(sent) == 4)
    assert sent == [(("task", (number,)), "r-1") for number in range(4)]


def test_equal_rings_that_wait_together_are_sent_once() -> None:
    gate, sent = threading.Event(), []

    def send(ring: tuple, request_id: str | None) -> None:
        gate.wait(10)
        sent.append(ring)

    bell = Doorbell(send)
    bell.ring(("first", ()))
    _until(lambda: bell._waiting.empty())
    for _ in range(50):
        bell.ring(("pump", ()))
    gate.set()
    _until(lambda: len(sent) >= 2)

    assert sent == [("first", ()), ("pump", ())]


def test_it_survives_a_broker_that_raises() -> None:
    sent = []

    def send(ring: tuple, request_id: str | None) -> None:
        sent.append(ring)
        if len(sent) == 1:
            raise ConnectionError

    bell = Doorbell(send)
    bell.ring(("one", ()))
    bell.ring(("two", ()))
    _until(lambda: len(sent) == 2)
    assert sent == [("one", ()), ("two", ())]


def _until(condition) -> None:
    deadline = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)
