"""F5: a crash anywhere between a request and its end loses no payment and doubles none."""

from collections import Counter
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from merchants.models import Merchant
from payments.core import clock
from tests.faults import scaled
from tests.faults.crash_points import (
    OF_REQUESTS,
    OF_REQUESTS_AT_ONCE,
    OF_WORKERS,
    OF_WORKERS_AT_ONCE,
    Crash,
)
from tests.faults.killable_worker import KILLED, SETTLED, KillableWorker
from tests.faults.payout_rails import MIX, PAYOUT_RAILS
from tests.support import outgoing_requests
from tests.support.bills import impatient
from tests.support.fixtures import ApiClient
from tests.support.funds import fund
from tests.support.invariants import check_invariants
from tests.support.measurements import record, seeded
from tests.support.outgoing_products import AT_ONCE, MOST, PAYOUT, Kind, id_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.faults("F5")]
# What is left to do for a worker after the request; half of it is sent again.
MIX_AT_ONCE = ("answer-lost-before", "answer-lost-before", "slow", "answer-lost-after")
ANYWHERE = "anywhere"
CRASHES = scaled(20)
Kinds = tuple[Kind, ...]
IN_REQUESTS = [
    *(((PAYOUT,), point) for point in OF_REQUESTS),
    *((AT_ONCE, point) for point in OF_REQUESTS_AT_ONCE),
]
IN_WORKERS = [
    *(((PAYOUT,), point) for point in OF_WORKERS),
    *((AT_ONCE, point) for point in OF_WORKERS_AT_ONCE),
]


@pytest.fixture(autouse=True)
def _quiet(settings: Any) -> None:
    outgoing_requests.quiet(settings)


def crashing(times: int) -> tuple[Any, Counter[str]]:
    """A `die` that crashes at its first `times` calls, and how often it has."""
    count: Counter[str] = Counter()

    def die() -> None:
        if count["crashes"] < times:
            count["crashes"] += 1
            raise Crash

    return die, count


def named(values: tuple[Kinds, str]) -> str:
    kinds, point = values
    return f"{products(kinds)}-{point}"


def products(kinds: Kinds) -> str:
    return "+".join(kind.product for kind in kinds)


@pytest.mark.parametrize("case", IN_REQUESTS, ids=named)
def test_a_crash_of_the_web_process(
    api: ApiClient,
    merchant: Merchant,
    monkeypatch: pytest.MonkeyPatch,
    worker: KillableWorker,
    case: tuple[Kinds, str],
) -> None:
    """The client sees no answer, and asks again with its key; another process ends it."""
    kinds, point = case
    asked = [(kind, kind.body("clean"), f"k-{n}") for kind in kinds for n in range(CRASHES)]
    fund(merchant, MOST * len(asked))
    die, count = crashing(len(asked))
    with monkeypatch.context() as patched:
        OF_REQUESTS_AT_ONCE[point](patched.setattr, die)
        for kind, body, key in asked:
            with pytest.raises(Crash):
                outgoing_requests.ask(api, key=key, kind=kind, body=body)
            assert not connection.in_atomic_block
    check_invariants([merchant.pk])

    answers = [
        outgoing_requests.ask(api, key=key, kind=kind, body=body) for kind, body, key in asked
    ]
    left = len(outgoing_requests.unsettled())
    assert worker.order("nowhere", 600) == SETTLED

    doubled, lost = outgoing_requests.verdict(dict.fromkeys(map(id_of, answers), "clean"))
    record(
        f"{count['crashes']} crashes {point} ({products(kinds)}): {doubled} doubled, {lost} lost,"
        f" {left} were ended by another process",
        crashes=count["crashes"],
        doubled=doubled,
        lost=lost,
    )
    assert [kind.model.objects.count() for kind in kinds] == [CRASHES] * len(kinds)
    assert count["crashes"] == len(asked)
    assert not outgoing_requests.unsettled()
    assert doubled == lost == 0
    check_invariants([merchant.pk], answers)


@pytest.mark.parametrize("case", IN_WORKERS, ids=named)
def test_a_crash_of_the_worker(
    api: ApiClient,
    merchant: Merchant,
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
    case: tuple[Kinds, str],
) -> None:
    """The scanner dies again and again at one point; the next one goes on."""
    kinds, point = case
    mix = MIX if kinds == (PAYOUT,) else MIX_AT_ONCE
    size = max(len(mix), 2 * CRASHES)
    fund(merchant, MOST * size)
    start = clock.now()
    names = [mix[number % len(mix)] for number in range(size)]
    with impatient():
        answers = [
            outgoing_requests.ask(api, name, kind=kind) for name, kind in zip(names, cycle(kinds))
        ]
    magic = dict(zip(map(id_of, answers), names, strict=True))
    die, count = crashing(CRASHES)
    {**OF_WORKERS, **OF_WORKERS_AT_ONCE}[point](monkeypatch.setattr, die)
    limit = 300
    if kinds == AT_ONCE:
        # What a dead worker had claimed waits for its next question, here never for minutes: a
        # crash may cost one such delay.
        settings.OUTGOING_RECONCILE_DELAYS = settings.OUTGOING_RECONCILE_DELAYS[:2]
        limit = 60 + CRASHES * settings.OUTGOING_RECONCILE_DELAYS[-1]

    def act() -> None:
        try:
            outgoing_requests.scan()
        except Crash:
            check_invariants([merchant.pk], answers)

    seconds = outgoing_requests.scan_until_settled(start=start, act=act)

    doubled, lost = outgoing_requests.verdict(magic)
    record(
        f"{count['crashes']} crashes {point} among {size} payments ({products(kinds)}):"
        f" {doubled} doubled, {lost} lost, settled after {seconds} s of the moved clock",
        crashes=count["crashes"],
        doubled=doubled,
        lost=lost,
    )
    assert count["crashes"] == CRASHES
    assert seconds <= limit  # no crash keeps for long what it did not concern
    assert doubled == lost == 0
    check_invariants([merchant.pk], answers)


@pytest.mark.parametrize("rail", PAYOUT_RAILS)
def test_kill_9_of_the_worker(
    api: ApiClient,
    merchant: Merchant,
    settings: Any,
    worker: KillableWorker,
    tmp_path: Path,
    rail: str,
) -> None:
    """Processes die for real, at each point and anywhere; the next one inherits the queue."""
    chance = seeded(5)
    answers: list[dict[str, Any]] = []
    killed: Counter[str] = Counter()
    with PAYOUT_RAILS[rail](tmp_path) as payouts:
        fund(merchant, MOST * CRASHES * 3 * (len(payouts.points) + 1))
        for _ in range(CRASHES):
            for point in (*payouts.points, ANYWHERE):
                answers += payouts.ask(api, chance)
                count = chance.randint(5, 120) if point == ANYWHERE else chance.randint(1, 2)
                assert worker.order(point, count) == KILLED, f"survived {point}"
                killed[point] += 1
                check_invariants([merchant.pk], answers[-3:])
        left = len(outgoing_requests.unsettled())
        # The worker asked every second: by its count of attempts the usual delays would be hours.
        settings.OUTGOING_RECONCILE_DELAYS = settings.OUTGOING_RECONCILE_DELAYS[:2]
        seconds = payouts.settle()
        doubled, lost = payouts.verdict()
    record(
        f"{killed.total()} times kill -9 ({dict(killed)}) among {len(answers)} payouts over {rail}:"
        f" {doubled} doubled, {lost} lost; {left} were left over, settled after {seconds} s"
        f" of the moved clock",
        kills=killed.total(),
        doubled=doubled,
        lost=lost,
    )
    assert doubled == lost == 0
    check_invariants([merchant.pk], answers)


@pytest.mark.parametrize("point", OF_REQUESTS)
def test_kill_9_of_the_web_process(
    api: ApiClient, merchant: Merchant, worker: KillableWorker, point: str
) -> None:
    """A process dies with a request in hand; the client hears nothing, and asks another one."""
    fund(merchant, MOST * CRASHES)
    asked = [(PAYOUT.body("clean"), f"k-{number}") for number in range(CRASHES)]
    for body, key in asked:
        request = {"path": PAYOUT.path, "body": body}
        headers = {**api.headers, "Idempotency-Key": key}
        ended = worker.order(point, 1, **request, headers=headers)
        assert ended == KILLED, f"survived {point}"
        check_invariants([merchant.pk])
    committed = PAYOUT.model.objects.count()

    answers = [outgoing_requests.ask(api, key=key, kind=PAYOUT, body=body) for body, key in asked]
    assert worker.order("nowhere", 600) == SETTLED

    doubled, lost = outgoing_requests.verdict(dict.fromkeys(map(id_of, answers), "clean"))
    record(
        f"{CRASHES} times kill -9 of the web process {point}: {committed} payouts stood, after the"
        f" client asked again {PAYOUT.model.objects.count()}; {doubled} doubled, {lost} lost",
        kills=CRASHES,
        doubled=doubled,
        lost=lost,
    )
    assert committed == (0 if point == "before-intent-commit" else CRASHES)
    assert PAYOUT.model.objects.count() == CRASHES
    assert doubled == lost == 0
    check_invariants([merchant.pk], answers)
