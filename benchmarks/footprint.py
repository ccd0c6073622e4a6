"""`make run` itself: how soon it is ready, how soon a webhook arrives, how much memory it holds."""

import json
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from benchmarks import messages
from benchmarks.client import Address, ask, drive
from benchmarks.endpoints import API
from benchmarks.machine import Machine, options_for, wait_until
from benchmarks.messages import credentials
from benchmarks.processes import Memory, memory
from benchmarks.report import Part, Table, below, number
from benchmarks.rounds import Size
from config.devstack.defaults import database_url
from config.devstack.options import PROJECT, Options
from config.devstack.process import Program, spawn, stop
from config.devstack.readiness import get_readyz
from config.devstack.throwaway import make_throwaway

READY_SECONDS, STOP_SECONDS = 180, 40
# Between two events, so that the pump has gone to sleep again.
PAUSE_SECONDS = 0.15
WEB_MB, CELERY_MB = 85.0, 190.0
P50_SECONDS, P95_SECONDS = 0.5, 2.0
WEB, MONEY, PUMP, BEAT = "web worker (role api)", "Celery: money", "Celery: pump", "Celery: beat"
# What the processes of the service are known by, in their command lines.
NAMES = {"config.worker money": MONEY, "config.worker pump": PUMP, "config.beat": BEAT}


@dataclass(frozen=True, slots=True)
class Found:
    """Everything that this part measures. Seconds, and bytes by process."""

    first_start: float
    second_start: float
    arrivals: list[float]
    memory: dict[str, list[Memory]]
    requests: int


def measure(machine: Machine, size: Size) -> Part:
    """A stack of its own: that of the other parts was started otherwise, and has worked."""
    data_dir = make_throwaway("bench")
    try:
        return _part(_measure(machine, options_for(data_dir, WEB_ROLE="api"), size))
    finally:
        shutil.rmtree(data_dir, ignore_errors=True)


def _measure(machine: Machine, options: Options, size: Size) -> Found:
    with machine.paused("web", "money", "pump", "beat"):
        with _started(options) as first_start:
            _note_commits(options)
        with _started(options) as second_start:
            arrivals = _arrivals(machine, options, 20 if size.is_quick else 100)
            requests = _load(options, size)
            held = _held(options)
    return Found(first_start, second_start, arrivals, held, requests)


@contextmanager
def _started(options: Options) -> Iterator[float]:
    """`make run`; after how many seconds /readyz answered 200."""
    options.data_dir.mkdir(exist_ok=True)
    log = options.data_dir / "make-run.log"
    began = time.monotonic()
    make = ["make", "--silent", "run"]
    process = spawn(Program(command=make, log=log, env=options.environment, cwd=PROJECT))
    try:
        wait_until(
            lambda: _is_ready(options, process, log),
            seconds=READY_SECONDS,
            what="make run is ready",
        )
        yield time.monotonic() - began
    finally:
        stop(process, grace_seconds=STOP_SECONDS)


def _is_ready(options: Options, process: subprocess.Popen[bytes], log: Path) -> bool:
    if process.poll() is not None:
        raise RuntimeError(f"make run ended: {log.read_text()[-2000:]}")
    return get_readyz(options)[0] == 200


def _note_commits(options: Options) -> None:
    """From the next start on the server knows when each transaction was committed."""
    with psycopg.connect(database_url(options.data_dir), autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET track_commit_timestamp = on")


def _arrivals(machine: Machine, options: Options, count: int) -> list[float]:
    """Seconds from an event's commit to its arrival, one event at a time."""
    receiver = machine.start_receiver("receiver-idle", options.environment)
    keys = _merchant(options, f"http://{receiver[0]}:{receiver[1]}/fast")
    headers = credentials(keys)
    create = messages.request("POST", f"{API}/collect", headers, messages.order_body())
    for number_ in range(count):
        made = json.loads(ask(options.local_address, create(number_)))
        path = f"{API}/sandbox/collect/{made['data']['id']}"
        pay = messages.request("POST", path, headers, {"status": "COMPLETED"})
        ask(options.local_address, pay(0))
        wait_until(
            lambda wanted=number_: len(_events(receiver)) > wanted,  # type: ignore[misc]
            seconds=30,
            what="the webhook arrives",
        )
        time.sleep(PAUSE_SECONDS)
    arrived = _events(receiver)
    return [arrived[event] - committed for event, committed in _commits(options).items()]


def _events(receiver: Address) -> dict[str, float]:
    report: dict[str, Any] = json.loads(ask(receiver, messages.request("GET", "/", {})(0)))
    events: dict[str, float] = report["events"]
    return events


def _commits(options: Options) -> dict[str, float]:
    query = "SELECT id, extract(epoch FROM pg_xact_commit_timestamp(xmin)) FROM webhooks_event"
    with psycopg.connect(database_url(options.data_dir), autocommit=True) as connection:
        return {event: float(at) for event, at in connection.execute(query)}


def _merchant(options: Options, webhook_url: str) -> dict[str, str]:
    command = [sys.executable, "-W", "ignore", "manage.py", "create_merchant", "Café Andino"]
    enabled = ["--enable=payout", "--permission=payout:create", "--balance=COPM=900000000000"]
    done = subprocess.run(
        [*command, *enabled, f"--webhook-url={webhook_url}"],
        cwd=PROJECT,
        env=options.environment,
        capture_output=True,
        check=True,
    )
    created: dict[str, str] = json.loads(done.stdout)
    return created


def _load(options: Options, size: Size) -> int:
    """Orders, lists and payouts, so that every worker has worked; how many requests."""
    headers = credentials(_merchant(options, ""))
    key = {**headers, "Idempotency-Key": f"nomina-{messages.NUMBER}"}
    requests = [
        messages.request("POST", f"{API}/collect", headers, messages.order_body()),
        messages.request("GET", f"{API}/collect", headers),
        messages.request("POST", f"{API}/payout", key, messages.payout_body()),
    ]
    seconds = size.round_seconds * size.rounds / 3
    return sum(
        len(drive(options.local_address, request, first=10_000, seconds=seconds).latencies)
        for request in requests
    )


def _held(options: Options) -> dict[str, list[Memory]]:
    """By name. The web server's workers are its largest processes; the others only watch them."""
    held: dict[str, list[Memory]] = {WEB: [], MONEY: [], PUMP: [], BEAT: []}
    for command, size in memory(f"DATA_DIR={options.data_dir}"):
        for mark, name in NAMES.items():
            if mark in command:
                held[name].append(size)
        if "granian" in command or "multiprocessing.spawn" in command:
            held[WEB].append(size)
    held[WEB] = sorted(held[WEB], key=lambda size: size.pss)[-options.web_workers :]
    return held


def _part(found: Found) -> Part:
    arrivals = sorted(found.arrivals)
    p95 = arrivals[int(len(arrivals) * 0.95)]
    web = max(size.pss for size in found.memory[WEB])
    celery = sum(size.pss for name in (MONEY, PUMP, BEAT) for size in found.memory[name])
    rows = [
        [name, str(len(sizes)), _mb(max(s.pss for s in sizes)), _mb(max(s.rss for s in sizes))]
        for name, sizes in found.memory.items()
    ]
    figures = [
        ["first start: cluster, tables, demo merchant", f"{found.first_start:.1f} s"],
        ["every later start", f"{found.second_start:.1f} s"],
    ]
    targets = [
        ["commit to arrival, p50", *below(statistics.median(arrivals), P50_SECONDS, "s")],
        ["commit to arrival, p95", *below(p95, P95_SECONDS, "s")],
        ["web worker (role api), PSS", *below(web / 1e6, WEB_MB, "MB")],
        ["Celery in all, PSS", *below(celery / 1e6, CELERY_MB, "MB")],
    ]
    return Part(
        name="footprint",
        title="Start, memory, and a webhook on an idle service",
        method=(
            f"`make run` on an empty directory and again. {len(arrivals)} payments one after the "
            "other: from the commit of the event, as the server recorded it, to the arrival at the "
            f"receiver. Memory after {number(found.requests)} requests (orders, lists, payouts), "
            "of the largest process of each kind, in MB of 1,000,000 bytes."
        ),
        tables=[
            Table(["make run is ready after", "Figure"], figures),
            Table(["Process", "how many", "PSS, MB", "RSS, MB"], rows),
            Table(["Subject", "Figure", "Target", "Verdict"], targets),
        ],
    )


def _mb(size: int) -> str:
    return number(size / 1e6)
