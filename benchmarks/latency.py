"""What users wait at half and at four fifths of the capacity, at a fixed rate of requests.

Two kinds of traffic: reads of one order alone, and the mix of docs/scaling.md with payers' pages,
results of the rail, payouts and webhooks, beside exports and checkpoints of the database.
"""

import json
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from benchmarks import messages, visits
from benchmarks.client import Address, Sample, ask
from benchmarks.endpoints import API
from benchmarks.machine import Machine, wait_until
from benchmarks.messages import credentials
from benchmarks.open_loop import LoadGenerator, Outcome, Visit
from benchmarks.report import Part, Table, at_most, milliseconds, number, times
from benchmarks.rounds import Size

SHARES = (0.5, 0.8)
MERCHANTS = 50
READ_ORDERS = 1000
CROWD = 8
CHECKPOINT_SECONDS = 15
WEBHOOK_SECONDS = 120
READS, MIX = "reads of one order", "mixed traffic"
# p99.9 against p50 of GET /collect/{id} at half of the capacity.
SPREAD = 10.0
_DELIVERED = """
SELECT extract(epoch FROM delivered_at - created_at) FROM webhooks_delivery
WHERE status = 'DELIVERED' AND created_at >= %s
"""


@dataclass(frozen=True, slots=True)
class Seconds:
    """How long the capacity is looked for, and how long each load lasts."""

    capacity: float
    load: float


@dataclass(frozen=True, slots=True)
class Load:
    """One run: which traffic, at which share of its capacity.

    `planned`: requests a second. `webhooks`: seconds from an event to the record of its delivery.
    """

    traffic: str
    share: float
    planned: float
    outcome: Outcome
    webhooks: list[float]


QUICK, FULL = Seconds(4, 6), Seconds(15, 90)


def measure(machine: Machine, size: Size) -> Part:
    """The capacity is that of CROWD clients who wait for each response, on the same traffic."""
    seconds = QUICK if size.is_quick else FULL
    traffic: list[tuple[str, Callable[[int], Visit]]] = [
        (READS, _reads(machine)),
        (MIX, visits.payments(_merchants(machine))),
    ]
    loads: list[Load] = []
    for name, visit in traffic:
        capacity = _capacity(machine.address, visit, seconds)
        for share in SHARES:
            _wait_for_webhooks(machine)
            loads.append(_load(machine, name, visit, share, capacity, seconds))
    return _part(loads, seconds)


def _reads(machine: Machine) -> Callable[[int], Visit]:
    keys = machine.create_merchant()
    create = messages.request("POST", f"{API}/collect", credentials(keys), messages.order_body())
    made = [ask(machine.address, create(number_)) for number_ in range(READ_ORDERS)]
    return visits.reads(keys, [json.loads(body)["data"]["id"] for body in made])


def _merchants(machine: Machine) -> list[dict[str, str]]:
    """Their webhooks go to a receiver that responds at once."""
    receiver = machine.start_receiver("receiver-mix", machine.options.environment)
    url = f"http://{receiver[0]}:{receiver[1]}/fast"
    made: list[dict[str, str]] = json.loads(
        machine.python("-m", "benchmarks.merchants", str(MERCHANTS), url)
    )
    return made


def _capacity(address: Address, visit: Callable[[int], Visit], seconds: Seconds) -> Outcome:
    LoadGenerator(address, visit, crowd=CROWD).run(seconds.capacity / 5)
    return LoadGenerator(address, visit, crowd=CROWD).run(seconds.capacity)


def _load(
    machine: Machine,
    traffic: str,
    visit: Callable[[int], Visit],
    share: float,
    capacity: Outcome,
    seconds: Seconds,
) -> Load:
    since = _now(machine)
    planned = capacity.rate * share
    rate = planned / capacity.requests_a_visit
    with _beside(machine, seconds.load):
        outcome = LoadGenerator(machine.address, visit, rate=rate).run(seconds.load)
    _wait_for_webhooks(machine)
    with machine.connect() as connection:
        took = [float(row[0]) for row in connection.execute(_DELIVERED, [since])]
    return Load(traffic, share, planned, outcome, sorted(took))


@contextmanager
def _beside(machine: Machine, seconds: float) -> Iterator[None]:
    """An operator exports the orders, and PostgreSQL writes its checkpoints."""
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.exports", str(seconds)]
    exports = machine.start("exports", command, machine.options.environment)
    is_over = threading.Event()
    checkpoints = threading.Thread(target=_write_checkpoints, args=(machine, is_over))
    checkpoints.start()
    try:
        yield
        status = exports.wait(timeout=60)
        if status != 0:
            raise RuntimeError(f"exports ended with {status}: {machine.log('exports')}")
    finally:
        is_over.set()
        checkpoints.join()


def _write_checkpoints(machine: Machine, is_over: threading.Event) -> None:
    with machine.connect() as connection:
        while not is_over.wait(CHECKPOINT_SECONDS):
            connection.execute("CHECKPOINT")


def _now(machine: Machine) -> Any:
    with machine.connect() as connection:
        row = connection.execute("SELECT now()").fetchone()
    return row[0] if row else None


def _wait_for_webhooks(machine: Machine) -> None:
    """Until none is due, so that a load does not carry what the load before left."""
    query = "SELECT NOT EXISTS (SELECT FROM webhooks_delivery WHERE status = 'PENDING')"
    with machine.connect() as connection:

        def none_is_due() -> bool:
            row = connection.execute(query).fetchone()
            return bool(row and row[0])

        wait_until(none_is_due, seconds=WEBHOOK_SECONDS, what="every webhook is delivered")


def _part(loads: list[Load], seconds: Seconds) -> Part:
    half = next(load for load in loads if load.traffic == READS and load.share == SHARES[0])
    spread = Sample(half.outcome.latencies[visits.READ], seconds.load)
    target = at_most(spread.percentile(0.999) / spread.percentile(0.5), SPREAD)
    return Part(
        name="latency",
        title="Waiting times at a fixed rate",
        method=(
            "Requests are sent at times that were fixed before, whatever the service does, and a "
            "request's time counts from that moment. The capacity is what "
            f"{CROWD} clients reach who wait for each response. Each load lasts "
            f"{number(seconds.load)} s. *{MIX}*: orders of {MERCHANTS} merchants; each is created, "
            "shown to its payer on three pages with two polls, paid by the simulated rail and read "
            f"three times; one payout in {visits.PAYOUT_OF} orders, one list in {visits.LIST_OF}, "
            "and the webhooks of all. During both traffics an operator exports all orders every "
            f"few seconds and PostgreSQL writes a checkpoint every {CHECKPOINT_SECONDS} s. The "
            "generator, the receiver, PostgreSQL and the service share the machine. *webhook*: "
            "from the event to the record of its delivery. Times in ms."
        ),
        tables=[
            Table(
                ["Traffic", "Load", "Request", "per s", "p50", "p99", "p99.9", "p99.9/p50", "n"],
                [row for load in loads for row in _rows(load, seconds)],
            ),
            Table(
                ["Subject", "Figure", "Target", "Verdict"],
                [[f"{visits.READ}, p99.9/p50 at half of the capacity", *target]],
            ),
        ],
    )


def _rows(load: Load, seconds: Seconds) -> Iterator[list[str]]:
    kinds: Mapping[str, list[float]] = load.outcome.latencies
    if len(kinds) > 1:
        every = [each for kind in kinds.values() for each in kind]
        kinds = {"all requests": every, **kinds, "webhook": load.webhooks}
    for kind, latencies in kinds.items():
        if not latencies:
            continue
        sample = Sample(latencies, seconds.load)
        p50, p99, p999 = (sample.percentile(part) for part in (0.5, 0.99, 0.999))
        yield [
            load.traffic,
            f"{load.share:.0%}",
            kind,
            number(sample.rate),
            milliseconds(p50),
            milliseconds(p99),
            milliseconds(p999),
            times(p999 / p50),
            number(len(latencies)),
        ]
