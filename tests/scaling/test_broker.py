"""RabbitMQ instead of Redis for wake-ups, by one setting: BROKER_URL."""

import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator

import psycopg
import pytest

from config.devstack.demo.receiver import Receiver
from config.devstack.options import PROJECT
from config.devstack.throwaway import make_throwaway
from tests.scaling import full_size_only
from tests.scaling.fleet import Fleet
from tests.scaling.rabbitmq import RabbitMQ
from tests.support.live_service import running, wait_until, wrong_in
from tests.support.scenario import Inbox, Scenario, finish
from tests.support.services import child_environment
from tests.support.traffic import Answer

pytestmark = full_size_only
CLIENTS, WRITES = 6, 300
AWAY_SECONDS = 60
# As with Redis (test_redis_gone.py); a worker's tries to connect are further apart.
P99_SECONDS, RESUMED_SECONDS = 2, 60
LAST_IS_A_SCANNER = """
import django; django.setup()
from config.celery import app
from payments.core import jobs
with app.connection_for_read() as connection:
    queue = app.amqp.queues["default"](connection.default_channel)
    queue.declare()
    for number in range(3):
        jobs._send_to_celery(("payments.payout.tasks.send_payout", (f"po_{number}",)), None)
    scanner = app.conf.beat_schedule["payout-act"]
    app.send_task(scanner["task"], **scanner["options"])
    while queue.queue_declare(passive=True).message_count < 4:
        pass  # sent on another connection; the test's time limit ends this
    seen = [queue.get(no_ack=True).headers["task"].rpartition(".")[2] for _ in range(4)]
print(*seen)
"""
WAITING = "SELECT count(*) FROM webhooks_delivery WHERE status <> 'DELIVERED'"
SECONDS_TO_ARRIVE = """
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM delivered_at - created_at))
FROM webhooks_delivery
"""


@pytest.fixture(scope="module")
def rabbit() -> Iterator[RabbitMQ]:
    """Started once for all tests of this file."""
    root = make_throwaway("broker")
    server = RabbitMQ(root)
    try:
        print(f"RabbitMQ started in {server.start():.1f} s")
        yield server
    finally:
        server.stop()
        shutil.rmtree(root, ignore_errors=True)


@pytest.mark.django_db(transaction=True)
def test_a_scanner_does_not_wait_behind_wake_ups(rabbit: RabbitMQ) -> None:
    """RabbitMQ serves the highest number first, Redis the lowest."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", LAST_IS_A_SCANNER],
        cwd=PROJECT,
        env=child_environment(BROKER_URL=rabbit.url),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.split() == ["process_due", *["send_payout"] * 3], done.stderr[-2000:]


def test_the_broker_goes_away_under_load(rabbit: RabbitMQ) -> None:
    """Every answer is a 2xx in time, and all that was acknowledged happens."""
    receiver = Receiver()
    inbox = Inbox(receiver)
    with inbox.open(), running(Fleet, BROKER_URL=rabbit.url) as live_service:
        merchant = live_service.create_merchant(
            f"--webhook-url={receiver.url}", "--event=payment.expired"
        )
        receiver.secret = merchant["webhookSecret"]
        with live_service.connection() as tables:
            scenario = Scenario(live_service, merchant, tables)
            with scenario.running(CLIENTS):
                scenario.wait_for_writes(WRITES)
                (typical,) = tables.execute(SECONDS_TO_ARRIVE).fetchone()
                away = endure(rabbit, scenario)
                back = rabbit.start()
                began, waited = time.monotonic(), waiting(tables)
                scenario.wait_for_writes(WRITES // 3)
            wait_until(
                lambda: waiting(tables) == 0, seconds=RESUMED_SECONDS, what="deliveries are out"
            )
            resumed = time.monotonic() - began
            finished = finish(tables)
        assert not live_service.ended()
        found = live_service.compare(merchant["merchantId"], scenario.log())
        failed = live_service.log("web-1").count("wake_up.failed")
    kinds, seconds = scenario.kinds(), sorted(answer.seconds for answer in away)
    p99 = seconds[min(len(seconds) - 1, int(len(seconds) * 0.99))]
    print(
        f"RabbitMQ: half of the webhooks arrived within {typical:.2f} s; killed for"
        f" {AWAY_SECONDS} s: {len(away):,} requests, p99 {p99:.2f} s; empty again after"
        f" {back:.1f} s, {waited} deliveries waited, all were out after {resumed:.1f} s;"
        f" answers {dict(kinds)}; {len(scenario.orders):,} orders, {len(scenario.payouts):,}"
        f" payouts, lost {len(found['lost'])}, doubled {found['doubled']}, ended wrong"
        f" {len(found['wrongEnds'])}; webhooks {Counter(kind for _, kind in scenario.events)}, lost"
        f" {len(scenario.events - set(inbox.events))}; finished {finished:.1f} s after the load;"
        f" wake_up.failed logged {failed} times"
    )
    assert not scenario.problems
    assert set(kinds) == {"2xx"}
    assert p99 < P99_SECONDS
    assert not inbox.forged
    assert set(inbox.events) == scenario.events
    assert wrong_in(found) == {}


def endure(rabbit: RabbitMQ, scenario: Scenario) -> list[Answer]:
    """What clients were told while the broker was away."""
    first = len(scenario.answers)
    rabbit.stop()
    time.sleep(AWAY_SECONDS)  # the fault lasts so long; nothing is waited for
    return scenario.answers[first:]


def waiting(tables: psycopg.Connection) -> int:
    return int(tables.execute(WAITING).fetchone()[0])
