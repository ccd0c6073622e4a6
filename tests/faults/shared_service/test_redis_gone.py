"""F7: Redis is emptied, stopped, started empty, and hangs; only wake-ups are lost.

One merchant pays over the simulator, and another one over Wompi's fakes.
"""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest

from config.devstack.demo.receiver import Receiver
from tests.faults import SCALE
from tests.faults.flaky_receiver import FlakyReceiver
from tests.faults.wompi_rails.live import LiveFakes, WompiTraffic
from tests.support.live_service import LiveService, wait_until, wrong_in
from tests.support.measurements import record as say
from tests.support.scenario import FINISHED_SECONDS, Inbox, Scenario, finish
from tests.support.traffic import Answer, others

pytestmark = pytest.mark.faults("F7")
FULL = SCALE >= 1
CLIENTS = 6 if FULL else 3
CLIENTS_OVER_WOMPI = 2 if FULL else 1
# Acknowledged while all is well, before and after.
WRITES = 300 if FULL else 20
# A tenth of the stop ends before Celery's pauses between two tries to connect become long.
STOP_SECONDS, HANG_SECONDS = (60, 30) if FULL else (5, 2)
# The promises; a tenth runs beside other tests, which take the processor away.
P99_SECONDS, RESUMED_SECONDS = (2, 30) if FULL else (8, 60)
# Of `RATE_LIMIT_COLLECT_READ` in conftest.py.
LIMIT = 5
FAILED_OPEN = "rate_limit.open"
LAST_DAY = datetime.max.replace(tzinfo=UTC)
WAITING = """
SELECT count(*) FROM webhooks_delivery WHERE status <> 'DELIVERED' AND created_at <= %s
"""


@dataclass
class Phase:
    """A stretch of the experiment and what clients saw in it."""

    name: str
    answers: list[Answer]

    @property
    def kinds(self) -> Counter[str]:
        return Counter(answer.kind for answer in self.answers)

    @property
    def p99(self) -> float:
        """Of all answers, in seconds; where there are few it is the slowest."""
        seconds = sorted(answer.seconds for answer in self.answers)
        return seconds[min(len(seconds) - 1, int(len(seconds) * 0.99))]

    def __str__(self) -> str:
        slowest = max(answer.seconds for answer in self.answers)
        return (
            f"  {self.name}: {len(self.answers):,} requests, {self.kinds['2xx']:,} x 2xx, others"
            f" {others(self.kinds, lambda kind: kind == '2xx') or 0}, p99 {self.p99:.2f} s,"
            f" slowest {slowest:.2f} s"
        )


class Experiment:
    """The phases, one after the other, under one load."""

    def __init__(self, live_service: LiveService, scenario: Scenario) -> None:
        self.live_service, self.scenario = live_service, scenario
        self.phases: list[Phase] = []
        self.resumed: dict[str, tuple[int, float]] = {}  # by fault: waited, out after seconds
        self.client = scenario.open_client()
        order = self.client.write("/collect", {**ORDER, "reference": "watched"}, "order-watched")
        scenario.orders["order-watched"] = order
        self.watched = f"/collect/{order['id']}"

    def run(self) -> None:
        """All is well, FLUSHALL, stopped, started empty, hangs, all is well."""
        with self.phase("all is well"):
            self.scenario.wait_for_writes(WRITES)
            self.await_limits()
        with self.phase("after FLUSHALL"):
            self.live_service.flush_redis()
            self.note_resumption("FLUSHALL")
        self.live_service.stop_redis()
        with self.phase("stopped"):
            self.endure(STOP_SECONDS)
        self.live_service.start_redis()
        with self.phase("started empty"):
            self.note_resumption("the stop")
            self.await_limits()
        with self.live_service.hanging_redis(), self.phase("hanging"):
            self.endure(HANG_SECONDS)
        with self.phase("back"):
            self.note_resumption("the hang")
            self.scenario.wait_for_writes(WRITES)

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Collects what was asked and answered in the block."""
        first = len(self.scenario.answers)
        yield
        self.phases.append(Phase(name, self.scenario.answers[first:]))

    def endure(self, seconds: float) -> None:
        """Redis is away for so long, and no client is refused for too many requests."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            assert self.refusals() == 0, "a limit failed closed"
            time.sleep(0.5)

    def await_limits(self) -> None:
        """Limits are counted again: at the latest when no process pauses any more."""
        wait_until(lambda: self.refusals() > 0, seconds=30, what="a limit that limits")

    def refusals(self) -> int:
        """Of more reads than two windows let through."""
        statuses = [self.client.status(self.watched)[0] for _ in range(2 * LIMIT + 1)]
        assert set(statuses) <= {200, 429}, statuses
        return statuses.count(429)

    def note_resumption(self, fault: str) -> None:
        """From now until what waited, and the first of what came since, has been delivered."""
        began = time.monotonic()
        waited = self.waiting()
        self.scenario.wait_for_writes(WRITES // 10)
        (latest,) = self.scenario.tables.execute("SELECT now()").fetchone()
        wait_until(
            lambda: self.waiting(latest) == 0,
            seconds=RESUMED_SECONDS,
            what=f"deliveries after {fault}",
        )
        self.resumed[fault] = (waited, time.monotonic() - began)

    def waiting(self, latest: datetime = LAST_DAY) -> int:
        """How many events published until then have not been delivered."""
        return int(self.scenario.tables.execute(WAITING, [latest]).fetchone()[0])


class OverWompi:
    """Another merchant of the service, whose sales and payouts go over Wompi's fakes.

    Their events come twice and reordered.
    """

    def __init__(self, live_service: LiveService, receiver: FlakyReceiver) -> None:
        self._service, self._receiver = live_service, receiver
        self._merchant = live_service.create_merchant(
            "--enable=direct_api", f"--webhook-url={receiver.url}"
        )
        receiver.secret = self._merchant["webhookSecret"]
        self.traffic = WompiTraffic(live_service, self._merchant)
        self._fakes = LiveFakes(live_service, self._merchant, seed=7)

    def end(self, tables: psycopg.Connection) -> None:
        self._fakes.calm_down()
        wait_until(
            lambda: not self._fakes.left_open(tables),
            seconds=FINISHED_SECONDS,
            what="the end of all payments over Wompi",
        )
        self.verdicts = self._fakes.verdicts(tables)

    def compare(self) -> None:
        log = {**self.traffic.log(), "heard": [*self._receiver.events]}
        self.found = self._service.compare(self._merchant["merchantId"], log)

    def assert_nothing_lost(self) -> None:
        for name, verdict in self.verdicts.items():
            say(
                f"  over Wompi, {name}: {verdict}",
                payments_over_wompi=verdict.paid,
                payments_over_wompi_doubled_or_wrong=len(verdict.doubled) + len(verdict.wrong),
            )
        assert not self.traffic.problems
        assert set(self.traffic.kinds()) == {"2xx"}
        assert self._fakes.complaints() == []
        for name, verdict in self.verdicts.items():
            assert verdict.is_clean, (name, verdict.doubled, verdict.wrong)
            assert verdict.paid, name
        assert not self._receiver.forged
        assert wrong_in(self.found) == {}


ORDER = {
    "amount": 50000,
    "customerName": "María Fernanda Ñáñez",
    "customerEmail": "maria@example.com",
    "customerDocType": "CC",
    "customerDocNumber": "1020304050",
}


def test_redis_goes_away_under_load(live_service: LiveService) -> None:
    """Every answer is a 2xx in time; every webhook, expiry and payout happens all the same."""
    receiver = Receiver()
    inbox = Inbox(receiver)
    said_before = live_service.log("web").count(FAILED_OPEN)
    with inbox.open(), FlakyReceiver() as other_receiver:
        merchant = live_service.create_merchant(
            f"--webhook-url={receiver.url}", "--event", "payment.expired"
        )
        receiver.secret = merchant["webhookSecret"]
        with live_service.connection() as tables:
            scenario = Scenario(live_service, merchant, tables)
            experiment = Experiment(live_service, scenario)
            over_wompi = OverWompi(live_service, other_receiver)
            with scenario.running(CLIENTS), over_wompi.traffic.running(CLIENTS_OVER_WOMPI):
                experiment.run()
            assert not live_service.ended()
            over_wompi.end(tables)
            finished = finish(tables)
        found = live_service.compare(merchant["merchantId"], scenario.log())
        over_wompi.compare()
        said = live_service.log("web").count(FAILED_OPEN) - said_before
    tell(experiment, inbox, found, finished, said)
    over_wompi.assert_nothing_lost()
    assert not scenario.problems
    for phase in experiment.phases:
        assert set(phase.kinds) == {"2xx"}, str(phase)
        assert phase.p99 < P99_SECONDS, str(phase)
    assert not inbox.forged
    assert set(inbox.events) == scenario.events
    assert all(seconds < RESUMED_SECONDS for _, seconds in experiment.resumed.values())
    assert wrong_in(found) == {}
    assert said, "limits failed open and the log did not say so"


def tell(
    experiment: Experiment, inbox: Inbox, found: dict[str, Any], finished: float, said: int
) -> None:
    """The numbers."""
    scenario, phases = experiment.scenario, experiment.phases
    lost = Counter(kind for _, kind in scenario.events - set(inbox.events))
    say(
        f"Redis flushed, stopped for {STOP_SECONDS} s, started empty, hanging for"
        f" {HANG_SECONDS} s: {len(scenario.answers):,} requests"
    )
    for phase in phases:
        say(str(phase))
    for fault, (waited, seconds) in experiment.resumed.items():
        say(f"  after {fault}: {waited} deliveries waited, all were out after {seconds:.1f} s")
    told = Counter(kind for _, kind in scenario.events)
    say(
        f"  {told['payment.completed']:,} completed and {told['payment.expired']:,} expired orders:"
        f" lost webhooks {lost['payment.completed']} and {lost['payment.expired']}, repeated"
        f" {inbox.events.total() - len(inbox.events)}; {len(scenario.payouts):,} payouts, ended"
        f" wrong {len(found['wrongEnds'])}, lost {len(found['lost'])},"
        f" doubled {found['doubled']}; all"
        f" finished {finished:.1f} s after the load; rate_limit.open logged {said} times",
        requests=len(scenario.answers),
        requests_without_2xx=sum(phase.kinds.total() - phase.kinds["2xx"] for phase in phases),
        orders_and_payouts=told.total() + len(scenario.payouts),
        webhooks_lost=lost.total(),
        payouts_lost=len(found["lost"]),
        payouts_doubled=found["doubled"],
        ended_wrong=len(found["wrongEnds"]),
        p99_seconds=max(phase.p99 for phase in phases),
        deliveries_resumed_after_seconds=max(after for _, after in experiment.resumed.values()),
    )
