"""The simulator's own clock: what it took reaches its end, over HTTP, with a running clock.

Everywhere else in the suite there is no clock, and time is moved by hand.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine

from config.devstack.options import PROJECT
from config.devstack.valkey import free_port
from merchants.models import Merchant
from payments.collect.models import Refund
from payments.collect.services.refunds import refund_approvals
from payments.collect.services.refunds.refund_engine import engine as refund_engine
from payments.core import clock
from payments.payout.services.engine import engine
from payments.simulator import callbacks, clockwork, control, magic, records, store
from payments.simulator.magic import AUTOMATIC_SECONDS, OUTGOING_BY_KEY, OutgoingProduct
from tests.support.charges import create as create_order
from tests.support.charges import start
from tests.support.factories import key_payout_body, payout_body
from tests.support.fixtures import ApiClient
from tests.support.funds import balance, fund
from tests.support.payouts import create, read, send
from tests.support.refunds import ask
from tests.support.services import child_environment
from tests.support.topups import topup_body

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("funds"),
    pytest.mark.slow,  # the clock runs
]
# The promise is three seconds; the machine that runs the tests may be busy with others.
PATIENCE = 10.0
PAYOUTS = {row.name: key for key, row in OUTGOING_BY_KEY[OutgoingProduct.PAYOUT].items()}
ORDERS = {row.name: document for document, row in magic.CHARGES_BY_DOCUMENT.items()}


@pytest.fixture
def funds(merchant: Merchant, settings: Any, tmp_path: Path) -> None:
    """A million pesos, and a simulator that has a clock and an empty store."""
    settings.SIMULATOR_CLOCK = True
    settings.SIMULATOR_STATE = tmp_path / "simulator.sqlite3"
    settings.DOORBELL = False
    fund(merchant, 1_000_000)


@pytest.fixture
def ticking(funds: None) -> Iterator[None]:
    """The clock of a worker."""
    running = clockwork.start_clock()
    assert running is not None
    yield
    running.stop()


def sent(api: ApiClient, name: str = "") -> str:
    """An accepted payout that was handed to its rail: an ordinary one, or a magic one."""
    payout = create(api, PAYOUTS.get(name, "79123456"))
    engine.send(payment_id=payout.pk, now=clock.now())
    return payout.pk


def until(what: Callable[[], str], wanted: str) -> float:
    """Polls until it reads as wanted; returns after how many seconds."""
    began = time.monotonic()
    while (found := what()) != wanted:
        assert time.monotonic() - began < PATIENCE, f"{found}, not {wanted}"
        time.sleep(0.05)
    return time.monotonic() - began


def status(api: ApiClient, payout_id: str) -> str:
    return read(api, payout_id)["status"]


@pytest.mark.usefixtures("ticking")
@pytest.mark.parametrize("network", ["BANK", "BREB"])
def test_ordinary_payout_completes_with_the_clock(api: ApiClient, network: str) -> None:
    body = key_payout_body() if network == "BREB" else payout_body()
    payout_id = send(api, body).body["data"]["payoutId"]
    engine.send(payment_id=payout_id, now=clock.now())

    assert status(api, payout_id) == "PROCESSING"
    until(lambda: status(api, payout_id), "COMPLETED")
    assert read(api, payout_id)["completedAt"]
    assert store.executions(payout_id) == 1


@pytest.mark.usefixtures("ticking")
def test_returned_payout_is_reported_without_another_payout(
    api: ApiClient, merchant: Merchant
) -> None:
    before = balance(merchant)
    payout_id = sent(api, "returned-later")
    assert status(api, payout_id) == "COMPLETED"

    until(lambda: status(api, payout_id), "REFUNDED")
    assert balance(merchant) == before


@pytest.mark.usefixtures("ticking")
def test_a_payout_that_is_to_be_pending_stays_so(api: ApiClient) -> None:
    others = sent(api), sent(api, "failed-later")
    payout_id = sent(api, "pending")
    until(lambda: status(api, others[0]), "COMPLETED")
    until(lambda: status(api, others[1]), "FAILED")
    time.sleep(2 * clockwork.TICK_SECONDS)
    assert status(api, payout_id) == "PROCESSING"

    done = api.post(f"/sandbox/payout/{payout_id}", {"status": "COMPLETED"})
    assert done.body["data"]["status"] == "COMPLETED"


@pytest.mark.usefixtures("ticking")
def test_the_sandbox_endpoint_may_be_faster_than_the_clock(
    api: ApiClient, merchant: Merchant
) -> None:
    before = balance(merchant)
    # On a busy machine the payout would be due before the request.
    with time_machine.travel(clock.now(), tick=False):
        decided, ordinary = sent(api), sent(api)
        answer = api.post(f"/sandbox/payout/{decided}", {"status": "FAILED"})
    assert (answer.status_code, answer.body["data"]["status"]) == (200, "FAILED")

    until(lambda: status(api, ordinary), "COMPLETED")
    assert status(api, decided) == "FAILED"
    assert store.executions(decided) == 0
    again = api.post(f"/sandbox/payout/{ordinary}", {"status": "FAILED"})
    assert again.status_code == 400
    assert status(api, ordinary) == "COMPLETED"
    assert balance(merchant) == (before[0] - 102500, before[1])


@pytest.mark.usefixtures("ticking")
@pytest.mark.parametrize(
    ("name", "wanted"), [("approved", "COMPLETED"), ("refused", "FAILED"), ("abandoned", "")]
)
def test_an_order_ends_without_a_payer_and_without_a_query(
    api: ApiClient, name: str, wanted: str
) -> None:
    order = create_order(api, customerDocNumber=ORDERS[name])
    charge = start(order)

    def ended() -> str:
        charge.refresh_from_db()
        return charge.status

    until(ended, {"approved": "SUCCEEDED", "refused": "FAILED", "abandoned": "ABANDONED"}[name])
    # Who abandons a try may begin another, until the order expires.
    assert api.get(f"/collect/{order.pk}").body["data"]["status"] == (wanted or "PROCESSING")


def test_a_slow_order_is_approved_by_the_clock(api: ApiClient) -> None:
    order = create_order(api, customerDocNumber=ORDERS["slow"])
    start(order)
    with time_machine.travel(clock.now() + timedelta(seconds=magic.SLOW_SECONDS - 1)):
        assert clockwork.tick() == 0
    with time_machine.travel(clock.now() + timedelta(seconds=magic.SLOW_SECONDS)):
        assert clockwork.tick() == 1
        assert clockwork.tick() == 0
    assert api.get(f"/collect/{order.pk}").body["data"]["status"] == "COMPLETED"


@pytest.mark.usefixtures("ticking")
def test_refund_completes_once_it_is_approved(api: ApiClient) -> None:
    order = create_order(api)
    api.post(f"/sandbox/collect/{order.pk}", {"status": "COMPLETED"})
    refund_id = ask(api, order, amount=1000).body["data"]["id"]

    def standing() -> str:
        found = api.get(f"/collect/{order.pk}/refunds").body["data"]
        return next(row["status"] for row in found if row["id"] == refund_id)

    time.sleep(2 * clockwork.TICK_SECONDS)
    assert standing() == "PENDING"  # until an operator decides
    refund = Refund.objects.get()
    refund_approvals.approve(refund=refund, actor="ana", reason="seen", now=clock.now())
    refund_engine.send(payment_id=refund.pk, now=clock.now())
    until(standing, "COMPLETED")


@pytest.mark.usefixtures("ticking")
def test_top_up_completes_without_the_sandbox(api: ApiClient) -> None:
    answer = api.post("/topup", topup_body(), headers={"Idempotency-Key": "t-1"})
    assert answer.body["data"]["status"] == "completed"


def test_several_clocks_send_each_end_once(api: ApiClient, merchant: Merchant) -> None:
    fund(merchant, 3_000_000)
    payouts = [sent(api) for _ in range(20)]
    clocks = [clockwork.start_clock() for _ in range(4)]
    for payout_id in payouts:
        until(lambda found=payout_id: status(api, found), "COMPLETED")
    for running in clocks:
        assert running is not None
        running.stop()

    records = store.outgoing.all()
    assert [record.notices for record in records] == [1] * len(payouts)
    assert all(count == 1 for count in store.executions_by_payment().values())


def test_callback_that_was_never_sent_is_sent_later(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a kill between the simulator's commit and its callback."""
    payout_id = sent(api, "returned-later")
    due = clock.now() + timedelta(seconds=AUTOMATIC_SECONDS)

    def killed(*_: Any) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, time_machine.travel(due, tick=False):
        patch.setattr(callbacks, "deliver", killed)
        with pytest.raises(KeyboardInterrupt):
            clockwork.tick()
    assert status(api, payout_id) == "COMPLETED"

    with time_machine.travel(due + records.SEND_AGAIN / 2):
        assert clockwork.tick() == 0  # the process that took it may be about to send
    with time_machine.travel(due + records.SEND_AGAIN, tick=False):
        assert clockwork.tick() == 1
        assert clockwork.tick() == 0
    assert status(api, payout_id) == "REFUNDED"


def test_callback_that_met_our_failure_is_sent_again(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    payout_id = sent(api, "returned-later")
    due = clock.now() + timedelta(seconds=AUTOMATIC_SECONDS)
    with monkeypatch.context() as patch, time_machine.travel(due, tick=False):
        patch.setattr(callbacks, "deliver", lambda *_: 503)
        assert clockwork.tick() == 1
    assert status(api, payout_id) == "COMPLETED"

    with time_machine.travel(due + records.SEND_AGAIN, tick=False):
        clockwork.tick()
    assert status(api, payout_id) == "REFUNDED"


def test_clock_goes_on_after_a_store_that_cannot_be_read(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clockwork, "PAUSE_AFTER_FAILURE_SECONDS", 0.1)
    payout_id = sent(api)
    attempts = []

    def broken(now: Any) -> list[str]:
        attempts.append(now)
        raise OSError("no store")

    with monkeypatch.context() as patch:
        patch.setattr(store.outgoing, "due", broken)
        running = clockwork.start_clock()
        assert running is not None
        until(lambda: str(len(attempts) >= 2), "True")
    until(lambda: status(api, payout_id), "COMPLETED")
    running.stop()


@contextmanager
def worker_of_money(log: Path, **changes: str) -> Iterator[subprocess.Popen[bytes]]:
    """As `make run` starts it, with its clock, and without a Redis: nothing listens there."""
    away = f"redis://127.0.0.1:{free_port()}/0"
    changes = {"SIMULATOR_CLOCK": "1", "REDIS_URL": away} | changes
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "config.worker", "money", "default", "--threads=1"],
            cwd=PROJECT,
            env=child_environment(**changes),
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def test_the_workers_clock_goes_on_without_redis_and_after_a_kill(
    api: ApiClient, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "PATIENCE", 60.0)
    shared = {"SIMULATOR_STATE": str(settings.SIMULATOR_STATE)}
    log = tmp_path / "worker.log"
    payout_id = sent(api)
    with worker_of_money(log, **shared) as first:
        until(lambda: status(api, payout_id), "COMPLETED")
        os.kill(first.pid, signal.SIGKILL)
        first.wait()
        later = sent(api), sent(api, "returned-later")
        time.sleep(AUTOMATIC_SECONDS + 0.5)
        assert status(api, later[0]) == "PROCESSING"
    with worker_of_money(log, **shared):
        until(lambda: status(api, later[0]), "COMPLETED")
        until(lambda: status(api, later[1]), "REFUNDED")


@pytest.mark.parametrize(
    ("changes", "has_clock"),
    [
        ({}, True),
        ({"SANDBOX": "0"}, False),
        ({"SANDBOX": "0", "SIMULATOR_CLOCK": "1"}, False),
        ({"SIMULATOR_CLOCK": "0"}, False),
    ],
)
def test_there_is_a_clock_in_a_sandbox_only(changes: dict[str, str], has_clock: bool) -> None:
    code = (
        "import django, threading; django.setup();"
        "from payments.simulator.clockwork import start_clock; start_clock();"
        "print([t.name for t in threading.enumerate()])"
    )
    environment = child_environment(SIMULATOR_CLOCK="1") | changes
    if not changes:
        del environment["SIMULATOR_CLOCK"]  # the default
    found = subprocess.run(
        [sys.executable, "-c", code],
        cwd=PROJECT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ("simulator-clock" in found.stdout) == has_clock


def test_two_workers_with_many_due_payouts_send_each_callback_once(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four seconds for each: the last one's turn comes long after it was found."""
    sent_callbacks: list[str] = []
    send_one = control.callbacks.send
    with time_machine.travel(clock.now(), tick=False) as traveller:
        payouts = [sent(api) for _ in range(5)]
        traveller.shift(60)

        def send_slowly(update: Any, *more: Any) -> int:
            sent_callbacks.append(update.reference)
            traveller.shift(4)
            if len(sent_callbacks) == 4:
                control.wake()  # the other worker, while this one is at its fourth
            return send_one(update, *more)

        monkeypatch.setattr(control.callbacks, "send", send_slowly)
        control.wake()
    assert len(sent_callbacks) == len(set(sent_callbacks)) == len(payouts)
