"""Wake-ups may be lost and are never waited for (architecture rule 6)."""

import threading
import time

from payments.core.jobs import WakeUpSender


def test_hanging_broker_delays_no_request() -> None:
    release, sent = threading.Event(), []

    def hang(wake_up: tuple, request_id: str | None) -> None:
        sent.append((wake_up, request_id))
        release.wait(10)

    sender = WakeUpSender(hang, capacity=3)
    sender.send_soon(("task", (0,)), "r-1")
    _until(lambda: len(sent) == 1)  # the thread hangs in the broker from here on
    started = time.monotonic()
    for number in range(1, 100):
        sender.send_soon(("task", (number,)), "r-1")
    assert time.monotonic() - started < 1

    release.set()
    # Three fitted; the rest was dropped, and the scanner finds those rows.
    _until(lambda: len(sent) == 4)
    assert sent == [(("task", (number,)), "r-1") for number in range(4)]


def test_equal_wake_ups_that_wait_together_are_sent_once() -> None:
    gate, sent = threading.Event(), []

    def send(wake_up: tuple, request_id: str | None) -> None:
        gate.wait(10)
        sent.append(wake_up)

    sender = WakeUpSender(send)
    sender.send_soon(("first", ()))
    _until(lambda: sender._waiting.empty())
    for _ in range(50):
        sender.send_soon(("pump", ()))
    gate.set()
    _until(lambda: len(sent) >= 2)

    assert sent == [("first", ()), ("pump", ())]


def test_broker_that_raises_does_not_stop_the_next_wake_up() -> None:
    sent = []

    def send(wake_up: tuple, request_id: str | None) -> None:
        sent.append(wake_up)
        if len(sent) == 1:
            raise ConnectionError

    sender = WakeUpSender(send)
    sender.send_soon(("one", ()))
    sender.send_soon(("two", ()))
    _until(lambda: len(sent) == 2)
    assert sent == [("one", ()), ("two", ())]


def test_wake_ups_for_rows_that_wait_together_leave_together() -> None:
    gate, sent = threading.Event(), []

    def send(wake_up: tuple, request_id: str | None) -> None:
        gate.wait(10)
        sent.append((wake_up, request_id))

    sender = WakeUpSender(send, gather_seconds=0.001, most=3)
    sender.send_soon(("payout", ("po_0",)), "r-0")
    _until(lambda: sender._waiting.empty())
    for number in range(1, 5):
        sender.send_soon(("payout", (f"po_{number}",)), f"r-{number}")
    sender.send_soon(("topup", ("top_1",)), "r-5")
    gate.set()
    _until(lambda: len(sent) >= 4)

    assert sent == [
        (("payout", ("po_0",)), "r-0"),  # at once, alone
        (("payout", ("po_1", "po_2", "po_3")), None),
        (("payout", ("po_4",)), None),
        (("topup", ("top_1",)), None),
    ]


def _until(condition) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)
