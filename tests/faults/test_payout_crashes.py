"""F5: a crash anywhere between a request and its end loses no payout and doubles none."""

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection

from merchants.models import Merchant
from payments.core import clock
from payments.payout.models import Payout
from payments.payout.services.engine import engine
from payments.providers.simulator import outgoing_books
from tests.faults import payout_scene as scene
from tests.faults import scaled
from tests.faults.judge import judge
from tests.faults.points import OF_REQUESTS, OF_WORKERS, Crash
from tests.fixtures import ApiClient
from tests.services import child_environment

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.faults]
# What may follow the crash: an answer, none after or before the money left, a failure, a wait.
MIX = ("clean", "answer-lost-after", "clean", "answer-lost-before", "refused", "slow")
ANYWHERE = "anywhere"
CRASHES = scaled(20)


@pytest.fixture(autouse=True)
def _quiet(settings: Any) -> None:
    scene.quiet(settings)


def crashing(times: int) -> tuple[Any, Counter[str]]:
    """A `die` that crashes at its first `times` calls, and how often it has."""
    count: Counter[str] = Counter()

    def die() -> None:
        if count["crashes"] < times:
            count["crashes"] += 1
            raise Crash

    return die, count


def verdict(named: dict[str, str]) -> tuple[int, int]:
    """(doubled, lost): executions beyond the first; payouts without the end that they deserve."""
    executed = outgoing_books.executions_by_payment()
    doubled = sum(max(0, executed.get(pk, 0) - 1) for pk in named)
    ends = dict(Payout.objects.values_list("pk", "status"))
    lost = sum(
        ends.get(pk) != ("FAILED" if name == "refused" else "COMPLETED")
        for pk, name in named.items()
    )
    return doubled, lost


@pytest.mark.parametrize("point", OF_REQUESTS)
def test_a_crash_of_the_web_process(
    api: ApiClient, merchant: Merchant, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    """The client sees no answer, and asks again with its key."""
    scene.fund(merchant, scene.PRICE * CRASHES)
    die, count = crashing(CRASHES)
    OF_REQUESTS[point](monkeypatch.setattr, die)
    for number in range(CRASHES):
        with pytest.raises(Crash):
            scene.ask(api, "clean", key=f"k-{number}")
        assert not connection.in_atomic_block
    judge([merchant.pk])

    answers = [scene.ask(api, "clean", key=f"k-{number}") for number in range(CRASHES)]
    scene.scan_until_settled(start=clock.now(), workers=2)

    doubled, lost = verdict({data["payoutId"]: "clean" for data in answers})
    print(f"{count['crashes']} crashes {point}: {doubled} doubled, {lost} lost")
    assert Payout.objects.count() == count["crashes"] == CRASHES
    assert doubled == lost == 0
    judge([merchant.pk], answers)


@pytest.mark.parametrize("point", OF_WORKERS)
def test_a_crash_of_the_worker(
    api: ApiClient, merchant: Merchant, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    """The scanner dies again and again at one point; the next one goes on."""
    size = max(len(MIX), 2 * CRASHES)
    scene.fund(merchant, scene.PRICE * size)
    start = clock.now()
    answers = [scene.ask(api, MIX[number % len(MIX)]) for number in range(size)]
    named = {data["payoutId"]: MIX[n % len(MIX)] for n, data in enumerate(answers)}
    die, count = crashing(CRASHES)
    OF_WORKERS[point](monkeypatch.setattr, die)

    def act() -> None:
        try:
            engine.act_due(now=clock.now())
        except Crash:
            judge([merchant.pk], answers)

    seconds = scene.scan_until_settled(start=start, act=act)

    doubled, lost = verdict(named)
    print(
        f"{count['crashes']} crashes {point} among {size} payouts: {doubled} doubled, {lost} lost,"
        f" settled after {seconds} s of the moved clock"
    )
    assert count["crashes"] == CRASHES
    assert seconds <= 300  # no crash keeps for long what it did not concern
    assert doubled == lost == 0
    judge([merchant.pk], answers)


@contextmanager
def dying_worker() -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.dying_worker"],
        env=child_environment(
            DOORBELL="0", OUTGOING_RECONCILE_DELAYS="1", PROVIDER_BREAKER_FAILURES="1000000"
        ),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield process
    finally:
        process.stdin.close()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def test_kill_9_of_the_worker(api: ApiClient, merchant: Merchant) -> None:
    """Processes die for real, at each point and anywhere; the next one inherits the queue."""
    chance = random.Random(5)
    named: dict[str, str] = {}
    answers: list[dict[str, Any]] = []
    killed: Counter[str] = Counter()
    scene.fund(merchant, scene.PRICE * CRASHES * 3 * (len(OF_WORKERS) + 1))
    with dying_worker() as process:
        for _ in range(CRASHES):
            for point in (*OF_WORKERS, ANYWHERE):
                for name in ("clean", "clean", chance.choice(MIX)):
                    answers.append(scene.ask(api, name))
                    named[answers[-1]["payoutId"]] = name
                count = chance.randint(5, 120) if point == ANYWHERE else chance.randint(1, 2)
                process.stdin.write(f"{point} {count}\n")
                process.stdin.flush()
                assert process.stdout.readline() == "-9\n", f"survived {point}"
                killed[point] += 1
                judge([merchant.pk], answers[-3:])
    unsettled = Payout.objects.filter(status__in=scene.OPEN).count()

    seconds = scene.scan_until_settled(start=clock.now(), workers=2)

    doubled, lost = verdict(named)
    print(
        f"{killed.total()} times kill -9 ({dict(killed)}) among {len(answers)} payouts:"
        f" {doubled} doubled, {lost} lost; {unsettled} were left over, settled after {seconds} s"
        f" of the moved clock"
    )
    assert doubled == lost == 0
    judge([merchant.pk], answers)
