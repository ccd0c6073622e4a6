"""Crashes lose nothing (F8): a database that hangs up or stays away, and kill -9 of the dispatcher.

FAULTS_SCALE=1 runs the sizes that the service promises; the default is a tenth.
"""

import collections
import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection

from tests.support.measurements import record
from tests.support.services import child_environment
from tests.webhooks.conftest import (
    SCALE,
    counts,
    event_ids,
    merchant_at,
    publish,
    run_dispatcher,
    run_until_all_is_delivered,
)
from tests.webhooks.receivers import Receiver, answering, answering_by
from webhooks import dispatcher
from webhooks.models import Attempt, Delivery

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def other_connections(act: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {act}(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return cursor.rowcount


@pytest.mark.faults("F8")
def test_a_database_that_hangs_up_loses_and_doubles_nothing() -> None:
    was_cut = threading.Event()

    def decide(_: object) -> tuple[int]:
        was_cut.wait(5)  # so that the run does not end before its connection was cut
        return (200,)

    with Receiver(answering_by(decide, after=0.05)) as receiver:
        shops = [merchant_at(receiver.url) for _ in range(4)]
        for number in range(200):
            publish(shops[number % 4], number)
        runner = threading.Thread(target=run_dispatcher)
        runner.start()
        cut = 0
        while runner.is_alive() and cut < 5:
            time.sleep(0.1)
            cut += other_connections("pg_terminate_backend")
            if cut:
                was_cut.set()
        runner.join()
        run_dispatcher()
    arrived = event_ids(receiver)
    record(
        f"{cut} connections cut: lost {200 - len(set(arrived))}, "
        f"duplicates {len(arrived) - len(set(arrived))} of 200"
    )
    assert cut
    assert len(arrived) == len(set(arrived)) == 200
    assert counts() == {"DELIVERED": 200}
    assert Attempt.objects.count() == 200


def test_a_database_that_stays_away_ends_the_run(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatcher, "BACK_OFF_SECONDS", (0.01, 0.01))
    publish(merchant_at(receiver.url))

    def away(*_: Any) -> None:
        raise dispatcher.DatabaseError("away")

    monkeypatch.setattr(dispatcher.leases, "record", away)
    summary = run_dispatcher()
    assert (summary.sent, summary.cycles) == (0, 0)

    calls = iter([lambda _: 0])
    monkeypatch.setattr(dispatcher.leases, "record", lambda results: next(calls, away)(results))
    summary = run_dispatcher()
    assert (summary.sent, summary.unrecorded) == (1, 1)


RUN_DISPATCHER = "import django; django.setup(); from webhooks import dispatcher; dispatcher.run()"


@contextlib.contextmanager
def pump_process(**environment: str) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [sys.executable, "-c", RUN_DISPATCHER],
        env=child_environment(DOORBELL="0", **environment),
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


KILLS = max(2, round(20 * SCALE))


@pytest.mark.faults("F8")
@pytest.mark.parametrize("number", range(KILLS))
def test_kill_9_in_the_middle_loses_nothing(number: int, settings: Any) -> None:
    """The dispatcher dies at a random point; its leases end, and another one sends the rest."""
    settings.WEBHOOK_LEASE_SECONDS = 1
    total = 400
    kill_after = total * (number + 1) // (KILLS + 1)
    with Receiver(answering(200, after=0.01)) as receiver:
        shops = [merchant_at(receiver.url) for _ in range(4)]
        published = {publish(shops[n % 4], n).pk for n in range(total)}
        with pump_process(WEBHOOK_LEASE_SECONDS="1") as process:
            receiver.wait_for(kill_after, seconds=20)
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        time.sleep(0.2)  # what was on the wire still comes in
        delivered = set(
            Delivery.objects.filter(status="DELIVERED").values_list("event_id", flat=True)
        )
        cut = set(
            Delivery.objects.filter(lease_token__isnull=False).values_list("event_id", flat=True)
        )
        assert delivered < published, "the dispatcher was too quick to be killed"
        run_until_all_is_delivered()
        arrived = event_ids(receiver)
    doubled = {event for event, times in collections.Counter(arrived).items() if times > 1}
    record(
        f"killed after {kill_after} arrivals: lost {len(published - set(arrived))} of {total}, "
        f"duplicates {len(doubled)}, of which cut by the kill {len(doubled & cut)}",
        kills=1,
        lost=len(published - set(arrived)),
        duplicates_cut_by_a_kill=len(doubled & cut),
        other_duplicates=len(doubled - cut),
    )
    assert set(arrived) == published
    assert doubled <= cut
    assert counts() == {"DELIVERED": total}
