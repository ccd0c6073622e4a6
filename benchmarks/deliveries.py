"""Webhooks: the service's pump beside a bare HTTP client, and beside one task for each delivery."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import messages
from benchmarks.client import Sample, ask
from benchmarks.machine import Machine, wait_until
from benchmarks.report import Part, Table, at_least, number, times
from benchmarks.rounds import Figures, Size, ratio
from config.devstack.options import PROJECT

PUMP, RAW = "pump", "raw aiohttp client"
PROCESSES, THREADS = "one task each, Celery's default", "one task each, 50 threads"
FAST_TARGET, SLOW_TARGET = 0.45, 80.0
WINDOW = 200
# One of so many merchants has a receiver that takes a second.
SLOW_OF = 10
WAIT_SECONDS = 120
# Workers of one_task.py.
QUEUES = ("baseline-processes", "baseline-threads")
BODY = json.dumps(
    {
        "event": "payment.completed",
        "data": {
            "id": "col_" + "0" * 26,
            "reference": "PEDIDO-000000000001",
            "amount": 50025,
            "baseAmount": 50000,
            "feeAmount": 25,
            "currency": "COP",
            "status": "COMPLETED",
            "paidAt": "2026-01-31T15:04:05.123Z",
            "metadata": {},
        },
        "timestamp": "2026-01-31T15:04:05.123Z",
    }
)
_EVENTS = """
INSERT INTO webhooks_event (id, merchant_id, kind, subject_id, body, created_at)
SELECT 'evt_' || lpad((%(first)s + n)::text, 26, '0'), (%(merchants)s::text[])[1 + n %% %(many)s],
    'payment.completed', '', convert_to(%(body)s, 'UTF8'), now()
FROM generate_series(0, %(count)s - 1) AS n
"""
_DELIVERIES = """
INSERT INTO webhooks_delivery
    (id, event_id, merchant_id, cause, status, attempts, next_attempt_at, created_at)
SELECT 'del_' || substr(id, 5), id, merchant_id, 'event', 'PENDING', 0, now(), now()
FROM webhooks_event WHERE id >= %(from)s AND id < %(to)s ORDER BY id
"""
_ADDRESSES = """
UPDATE merchants_merchant SET webhook_url = %(url)s
    || CASE WHEN place %% %(slow_of)s = 0 AND %(slow)s THEN 'slow' ELSE 'fast' END
FROM unnest(%(merchants)s::text[]) WITH ORDINALITY AS listed (merchant_id, place)
WHERE id = merchant_id
"""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many deliveries make one round, of those who manage many and of those who do not."""

    many: int
    raw: int
    few_fast: int
    few_slow: int
    few_slow_threads: int
    rounds: int


QUICK = Counts(3000, 6000, 300, 60, 500, 2)
FULL = Counts(15000, 20000, 2000, 200, 2000, 3)


class Scene:
    """Merchants whose receiver is ours, and deliveries that become due together."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.receiver = machine.start_receiver("receiver", machine.options.environment)
        self._ids = [keys["merchantId"] for keys in machine.merchants()]
        self._first = time.time_ns()
        for queue in QUEUES:
            machine.start(queue, _worker(queue), machine.options.environment)

    @property
    def url(self) -> str:
        """The receiver's; `fast` or `slow` follows."""
        return f"http://{self.receiver[0]}:{self.receiver[1]}/"

    def ask(self, method: str) -> dict[str, Any]:
        """DELETE begins again."""
        report: dict[str, Any] = json.loads(
            ask(self.receiver, messages.request(method, "/report", {})(0))
        )
        return report

    def aim(self, *, slow: bool) -> None:
        """All merchants at the fast address, or one of SLOW_OF at the slow one."""
        values = {"url": self.url, "slow_of": SLOW_OF, "slow": slow, "merchants": self._ids}
        with self.machine.connect() as connection:
            connection.execute(_ADDRESSES, values)

    def publish(self, count: int) -> list[str]:
        """Due at once, when they are committed together. Returns the ids of the deliveries."""
        first, self._first = self._first, self._first + count
        values = {
            "first": first,
            "count": count,
            "merchants": self._ids,
            "many": len(self._ids),
            "body": BODY,
            "from": f"evt_{first:026d}",
            "to": f"evt_{first + count:026d}",
        }
        with self.machine.connect() as connection, connection.transaction():
            connection.execute(_EVENTS, values)
            connection.execute(_DELIVERIES, values)
        return [f"del_{first + n:026d}" for n in range(count)]

    def pending(self) -> int:
        """What is not recorded yet."""
        query = "SELECT count(*) FROM webhooks_delivery WHERE status = 'PENDING'"
        with self.machine.connect() as connection:
            row = connection.execute(query).fetchone()
        return int(row[0]) if row else 0

    def finished(self, count: int) -> Sample:
        """Waits until all have arrived and are recorded: from the first arrival until then."""
        wait_until(
            lambda: self.ask("GET")["count"] >= count, seconds=WAIT_SECONDS, what="all arrived"
        )
        wait_until(lambda: not self.pending(), seconds=WAIT_SECONDS, what="all recorded")
        ended, report = time.time(), self.ask("GET")
        if report["count"] != count:
            raise RuntimeError(f"{report['count']} arrived instead of {count}")
        return Sample([0.0] * count, ended - report["first"])


def measure(machine: Machine, size: Size) -> Part:
    """Fast receivers first, then the same with one slow one in ten."""
    counts = QUICK if size.is_quick else FULL
    scene = Scene(machine)
    scene.aim(slow=False)
    fast = _take_turns(
        {
            PUMP: lambda: _pump(scene, counts.many),
            RAW: lambda: _raw(scene, counts.raw),
            PROCESSES: lambda: _tasks(scene, QUEUES[0], counts.few_fast),
            THREADS: lambda: _tasks(scene, QUEUES[1], counts.few_fast),
        },
        counts.rounds,
    )
    scene.aim(slow=True)
    slow = _take_turns(
        {
            PUMP: lambda: _pump(scene, counts.many),
            PROCESSES: lambda: _tasks(scene, QUEUES[0], counts.few_slow),
            THREADS: lambda: _tasks(scene, QUEUES[1], counts.few_slow_threads),
        },
        counts.rounds,
    )
    return _part(fast, slow)


def _take_turns(contestants: dict[str, Callable[[], Sample]], rounds: int) -> dict[str, Figures]:
    """Rounds end by themselves here. The first of each warms up."""
    found = {name: Figures() for name in contestants}
    for number_ in range(rounds + 1):
        for name, act in contestants.items():
            sample = act()
            if number_:
                found[name].samples.append(sample)
    return found


def _pump(scene: Scene, count: int) -> Sample:
    scene.ask("DELETE")
    scene.publish(count)
    return scene.finished(count)


def _raw(scene: Scene, count: int) -> Sample:
    scene.ask("DELETE")
    command = ["-m", "benchmarks.raw_sender", f"{scene.url}fast", str(count), str(WINDOW), BODY]
    return Sample([0.0] * count, float(scene.machine.python(*command)))


def _tasks(scene: Scene, queue: str, count: int) -> Sample:
    """Enqueued while the service's own pump stands still."""
    with scene.machine.paused("beat", "pump"):
        scene.ask("DELETE")
        ids = scene.publish(count)
        _enqueue(scene.machine, queue, ids)
        return scene.finished(count)


def _worker(queue: str) -> list[str]:
    """Celery's default is one process for each core; the other one has 50 threads."""
    pool = ["--pool=threads", "--concurrency=50"] if queue.endswith("threads") else []
    quiet = ["--without-gossip", "--without-mingle", "--loglevel=warning"]
    command = [str(Path(sys.executable).with_name("celery")), "--app=benchmarks.one_task", "worker"]
    return [*command, f"--queues={queue}", f"--hostname={queue}@%h", *pool, *quiet]


def _enqueue(machine: Machine, queue: str, ids: Sequence[str]) -> None:
    subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "benchmarks.one_task", queue],
        cwd=PROJECT,
        env=machine.options.environment,
        input="\n".join(ids).encode(),
        check=True,
    )


def _part(fast: dict[str, Figures], slow: dict[str, Figures]) -> Part:
    rows = [
        [receivers, name, number(figures.rate), number(figures.answers)]
        for receivers, found in (("fast", fast), ("10% take 1 s", slow))
        for name, figures in found.items()
    ]
    targets = [
        [f"fast: {PUMP} against {RAW}", *at_least(ratio(fast[PUMP], fast[RAW]), FAST_TARGET)],
        [
            f"10% take 1 s: {PUMP} against {PROCESSES}",
            *at_least(ratio(slow[PUMP], slow[PROCESSES]), SLOW_TARGET),
        ],
        [
            f"10% take 1 s: {PUMP} against {THREADS}",
            times(ratio(slow[PUMP], slow[THREADS])),
            "",
            "",
        ],
    ]
    return Part(
        name="webhooks",
        title="Webhook deliveries",
        method=(
            "1,000 merchants, one receiver that responds at once, or after 1 s for one merchant in "
            "ten. All deliveries become due together. The time is from the first arrival until the "
            "last is recorded in the database. *pump*: the service's own worker. "
            f"*{RAW}*: one process, {WINDOW} at a time, the same bodies, no rows, no signatures. "
            "*One task each*: a Celery task claims the row, sends, records. By default Celery "
            "runs one process for each core."
        ),
        tables=[
            Table(["Receivers", "Who", "deliveries per s", "deliveries"], rows),
            Table(["Subject", "Figure", "Target", "Verdict"], targets),
        ],
    )
