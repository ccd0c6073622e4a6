"""The API under 8 clients, beside PostgreSQL alone, the bare framework and a published peer."""

import json
import re
import sys
import time
from collections.abc import Mapping
from contextlib import nullcontext, suppress
from dataclasses import replace

from benchmarks import limit, messages
from benchmarks.client import Request, ask
from benchmarks.machine import Machine, wait_until
from benchmarks.messages import credentials
from benchmarks.peers import lnbits
from benchmarks.report import Part, Table, at_least, at_most, milliseconds, number, times
from benchmarks.rounds import Endpoint, Figures, Round, Size, alternate, ratio
from config.devstack.process import tail
from config.devstack.valkey import free_port
from config.devstack.workers import web_command

API = "/api/v1"
BALANCE = 900_000_000_000
READ_ORDERS = 1000
SERVICE, LIMIT, FLOOR, PEER = "service", "PostgreSQL alone", "bare DRF", "LNbits"
CREATE, READ, LIST, STATS, PAYOUT = (
    "POST /collect",
    "GET /collect/{id}",
    "GET /collect",
    "GET /collect/stats",
    "POST /payout",
)
AGAINST_FLOOR = {CREATE: 1.2, READ: 2.1}
AGAINST_PEER = {CREATE: 7.0, READ: 8.0}
AGAINST_LIMIT = {PAYOUT: 0.35}
# Processor time of the web server for one request against another's.
CPU = {LIST: (READ, 2.5), PAYOUT: (CREATE, 2.0)}
SPREAD = 2.5


def measure(machine: Machine, size: Size) -> Part:
    """Endpoint by endpoint; in each the contestants take turns."""
    keys = machine.create_merchant(f"--balance=COPM={BALANCE}")
    floor = _floor(machine)
    peer = lnbits.start(machine)
    questions = _questions(machine, keys)
    found: dict[str, dict[str, Figures]] = {}
    for name, request in questions.items():
        others = {FLOOR: floor.get(name), PEER: peer.endpoints.get(name)}
        with machine.payouts_unsent() if name == PAYOUT else nullcontext():
            contestants = {SERVICE: Endpoint(machine.address, request, machine.web).round}
            contestants |= _limit(machine, name, request, keys)
            contestants |= {label: other.round for label, other in others.items() if other}
            found[name] = alternate(contestants, size)
    return _part(found, peer.version, peer.problem)


def _questions(machine: Machine, keys: Mapping[str, str]) -> dict[str, Request]:
    """Payouts come last: they leave the workers something to do."""
    headers = credentials(keys)
    create = messages.request("POST", f"{API}/collect", headers, messages.order_body())
    made = [ask(machine.address, create(number)) for number in range(READ_ORDERS)]
    ids = [json.loads(body)["data"]["id"] for body in made]
    reads = [messages.request("GET", f"{API}/collect/{order}", headers) for order in ids]
    key = {**headers, "Idempotency-Key": f"nomina-{messages.NUMBER}"}
    return {
        CREATE: create,
        READ: messages.in_turn(reads),
        LIST: messages.request("GET", f"{API}/collect", headers),
        STATS: messages.request("GET", f"{API}/collect/stats", headers),
        PAYOUT: messages.request("POST", f"{API}/payout", key, messages.payout_body()),
    }


def _limit(
    machine: Machine, name: str, request: Request, keys: Mapping[str, str]
) -> dict[str, Round]:
    """Nothing, with a warning, when the statements cannot be repeated: the rest can be measured."""
    first = time.time_ns() // 1000 + 10**12  # far from the numbers of the rounds
    made = limit.capture(
        machine, lambda number: ask(machine.address, request(first + number)), keys["apiKey"]
    )
    alone = limit.Limit(machine, made, re.sub(r"\W+", "-", name)).round
    try:
        alone(1)
    except RuntimeError as error:
        print(f"{name}: not measured through pgbench: {error}", file=sys.stderr, flush=True)
        return {}
    return {LIMIT: alone}


def _floor(machine: Machine) -> dict[str, Endpoint]:
    """A process of its own with the service's web server, workers and threads."""
    settings = {
        "DJANGO_SETTINGS_MODULE": "benchmarks.floor.settings",
        "FLOOR_DATABASE_URL": machine.create_database("floor"),
    }
    keys = json.loads(machine.python("-m", "benchmarks.floor.prepare", **settings))
    address = ("127.0.0.1", free_port())
    *command, _ = web_command(replace(machine.options, port=address[1]))
    command.append("benchmarks.floor.rsgi:application")
    process = machine.start("floor", command, machine.options.environment | settings)
    headers = credentials(keys)
    create = messages.request("POST", "/orders", headers, messages.order_body())

    def answers() -> bool:
        if process.poll() is not None:
            raise RuntimeError(tail(machine.log("floor")))
        with suppress(OSError):
            ask(address, create(1))
            return True
        return False

    wait_until(answers, seconds=20, what="the bare framework answers")
    made = [ask(address, create(number)) for number in range(2, READ_ORDERS + 2)]
    reads = [messages.request("GET", f"/orders/{json.loads(body)['id']}", headers) for body in made]
    return {
        CREATE: Endpoint(address, create, process.pid),
        READ: Endpoint(address, messages.in_turn(reads), process.pid),
    }


def _part(found: dict[str, dict[str, Figures]], peer: str, problem: str) -> Part:
    return Part(
        name="http",
        title="The API",
        method=(
            "8 clients keep their connections and send requests without a pause. Authentication, "
            "rate limits, metrics and the log of calls are on; the limits are set out of reach. "
            f"*{LIMIT}*: the statements of one request, as the server logged them, through pgbench "
            f"on the same tables. *{FLOOR}*: a plain view and Serializer, one insert or read and "
            "the key through the ORM, same web server, workers and threads. "
            f"*{PEER}*: {peer or 'not measured, ' + problem}; it creates and reads invoices "
            "with its FakeWallet. Payouts are measured while the worker that sends them is "
            "stopped. p50 and p99 in ms. CPU: microseconds that the web server's own processes "
            "compute for a response; other load on the machine changes this figure least."
        ),
        tables=[_rates(found), _targets(found, problem)],
    )


def _rates(found: dict[str, dict[str, Figures]]) -> Table:
    rows = [
        [
            name,
            contestant,
            number(figures.rate),
            milliseconds(figures.percentile(0.5)),
            milliseconds(figures.percentile(0.99)),
            times(figures.spread),
            "" if figures.cpu is None else number(figures.cpu * 1e6),
            number(figures.answers),
            "" if contestant == SERVICE else times(ratio(contestants[SERVICE], figures)),
        ]
        for name, contestants in found.items()
        for contestant, figures in contestants.items()
    ]
    head = ["Request", "Who", "per s", "p50", "p99", "p99/p50", "CPU", "answers", "service is"]
    return Table(head, rows)


def _targets(found: dict[str, dict[str, Figures]], problem: str) -> Table:
    rows = []
    for name, contestants in found.items():
        for other, targets in (
            (FLOOR, AGAINST_FLOOR),
            (PEER, AGAINST_PEER),
            (LIMIT, AGAINST_LIMIT),
        ):
            if name not in targets:
                continue
            if other in contestants:
                value = ratio(contestants[SERVICE], contestants[other])
                rows.append([f"{name} against {other}", *at_least(value, targets[name])])
            else:
                wanted = f">= {times(targets[name])}"
                why = problem if other == PEER else ""
                rows.append([f"{name} against {other}", "not measured", wanted, why])
        rows.append([f"{name}: p99/p50", *at_most(contestants[SERVICE].spread, SPREAD)])
    for name, (other, most) in CPU.items():
        one, two = found[name][SERVICE].cpu, found[other][SERVICE].cpu
        if one and two:
            rows.append([f"{name} against {other}, processor time", *at_most(one / two, most)])
    return Table(["Subject", "Figure", "Target", "Verdict"], rows)
