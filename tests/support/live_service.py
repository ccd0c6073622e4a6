"""A whole service of an experiment's own: servers that may be killed, web, workers and beat.

The stack of `make run` on free ports, in a directory of its own. Nothing of the test run's servers
is shared, and everything ends with the `with` block or, if this process is killed, with it.
"""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import psycopg
import psycopg.sql
import redis

from config.devstack.control import StopSignals
from config.devstack.demo.__main__ import demo_options
from config.devstack.fakes import FAKES, FakeServer, fake_servers
from config.devstack.options import PROJECT, Options
from config.devstack.postgres import Postgres
from config.devstack.process import tail
from config.devstack.supervisor import Stack, SupervisedService
from config.devstack.throwaway import make_throwaway
from config.devstack.valkey import Valkey
from payments.core import jsontext
from payments.simulator import failures
from tests.support import template_database

BALANCE = Decimal(900_000_000_000)
SIMULATOR_BOOKS = "simulator.sqlite3"
# No client is refused for many requests, and a payout in doubt is queried soon.
SETTINGS = {
    "RATE_LIMIT_COLLECT_CREATE": "1000000/m",
    "RATE_LIMIT_WRITE": "1000000/m",
    "RATE_LIMIT_READ": "1000000/m",
    "OUTGOING_RECONCILE_DELAYS": "1,2,5",
    "OUTGOING_BUDGET_SECONDS": "1",
    "PROVIDER_TIMEOUT_SECONDS": "1",
    "WEBHOOK_RETRY_DELAYS": "0,1,2,5,10",
}


class LiveService:
    """The running service, and the hand that breaks it. Call it from the main thread."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        self.options: Options = stack.options
        self._services: dict[str, Any] = {
            kept.service.name: kept.service for kept in stack.services
        }
        self.postgres: Postgres = self._services[Postgres.name]
        self.valkey: Valkey = self._services[Valkey.name]
        self._stopped_by_hand: set[str] = set()
        self._commands: subprocess.Popen[bytes] | None = None

    def service(self, name: str) -> Any:
        """A server or process by its name."""
        return self._services[name]

    @property
    def address(self) -> tuple[str, int]:
        """Where the web server listens."""
        return self.options.local_address

    def crash_database(self) -> tuple[float, float]:
        """What `pg_ctl restart -m immediate` does; returns when it was gone and when it was back.

        SIGQUIT lets no session finish and writes no checkpoint, so the start begins with recovery.
        """
        self.postgres.process.send_signal(signal.SIGQUIT)
        self.postgres.process.wait(30)
        gone_at = time.monotonic()
        self.postgres.start()
        return gone_at, time.monotonic()

    @contextmanager
    def read_only_database(self) -> Iterator[None]:
        """As a failover leaves it: all sessions are cut, and new ones may only read.

        At the end no session is cut: those that began in it stay read-only.
        """
        self._let_write(False)
        try:
            yield
        finally:
            self._let_write(True)

    def _let_write(self, allowed: bool) -> None:
        with self.connection() as connection:
            connection.execute("SET default_transaction_read_only = off")
            name = psycopg.sql.Identifier(connection.info.dbname)
            value = psycopg.sql.SQL("off" if allowed else "on")
            change = "ALTER DATABASE {} SET default_transaction_read_only = {}"
            connection.execute(psycopg.sql.SQL(change).format(name, value))
            if not allowed:
                connection.execute(
                    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )

    def stop_redis(self) -> None:
        """As an operator would; what it held is gone, and nothing revives it."""
        self._stopped_by_hand.add(Valkey.name)
        self.valkey.stop()

    def start_redis(self) -> None:
        """Empty, at the same address."""
        address = self.valkey.url
        self.valkey.start()
        assert self.valkey.url == address, "another process took the port"
        self._stopped_by_hand.discard(Valkey.name)

    def flush_redis(self) -> None:
        """FLUSHALL."""
        with redis.Redis.from_url(self.valkey.url) as client:
            client.flushall()

    @contextmanager
    def hanging_redis(self) -> Iterator[None]:
        """Connections stay open, the kernel takes new ones, and no process replies."""
        self.valkey.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.valkey.process.send_signal(signal.SIGCONT)

    @contextmanager
    def provider_away(self) -> Iterator[None]:
        """No rail can be reached (docs/simulator.md, An outage)."""
        away = self.options.data_dir / f"{SIMULATOR_BOOKS}{failures.AWAY_SUFFIX}"
        away.touch()
        try:
            yield
        finally:
            away.unlink()

    def kill(self, name: str) -> None:
        """SIGKILL to the main process of web, money, pump or beat, and to no other."""
        process = self._services[name].process
        process.kill()
        process.wait(30)

    def start(self, name: str) -> None:
        """What a supervisor does with a process that has ended."""
        self._services[name].start()

    def kill_web_worker(self, choose: Callable[[list[int]], int]) -> None:
        """SIGKILL to one of the processes that answer requests; the web server replaces it."""
        main = self._services["web"].process.pid
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        if workers := [int(pid) for pid in children]:
            with suppress(ProcessLookupError):  # it may just have been replaced
                os.kill(choose(workers), signal.SIGKILL)

    @contextmanager
    def connection(self) -> Iterator[psycopg.Connection]:
        """To look at the tables, and to move a deadline; each statement by itself."""
        with psycopg.connect(self.postgres.url, autocommit=True) as connection:
            yield connection

    def charges_with_money(self) -> list[str]:
        """The references of those that the simulated rail was paid for, by its own books."""
        books = self.options.data_dir / SIMULATOR_BOOKS
        with closing(sqlite3.connect(f"file:{books}?mode=ro", uri=True, timeout=10)) as opened:
            rows = opened.execute("SELECT reference, received FROM charges").fetchall()
        return [reference for reference, received in rows if Decimal(received)]

    def ended(self) -> list[str]:
        """Which processes have ended by themselves. Nothing starts them again here."""
        return [
            name
            for name, service in self._services.items()
            if name not in self._stopped_by_hand and service.process.poll() is not None
        ]

    def revive(self) -> list[str]:
        """Starts again what has ended by itself, as every supervisor does; what that was."""
        ended = self.ended()
        for name in ended:
            self.start(name)
        return ended

    def show_logs(self) -> None:
        """Pytest shows them with a failure; the files are about to go."""
        _show(self.options.data_dir)

    def log(self, name: str) -> str:
        """What a process has written so far: web, money, pump, beat."""
        return (self.options.logs / f"{name}.log").read_text(errors="replace")

    def create_merchant(self, *arguments: str) -> dict[str, str]:
        """Café Andino, with a balance that outlasts the experiment; its id and credentials."""
        given = ["Café Andino", f"--balance=COPM={BALANCE}", "--enable=payout"]
        created: dict[str, str] = self._command(
            "create_merchant", [*given, "--permission=payout:create", *arguments]
        )
        return created

    def start_fakes(self, merchant_id: str) -> dict[str, FakeServer]:
        """By account: the fake rails of `make run RAILS=fake`. Only this merchant pays over them.

        They run until the service ends, and serve one merchant at a time.
        """
        if not any(fake.account in self._services for fake in FAKES):
            for server in fake_servers(replace(self.options, has_fake_rails=True)):
                self._services[server.name] = server
                self.stack.services.append(SupervisedService(server))
                server.start()
        self._command("connect_fakes", merchant_id)
        return {fake.account: self._services[fake.account] for fake in FAKES}

    def connect_coins(self, merchant_id: str, accounts: list[Any], prices: dict[str, int]) -> None:
        """`accounts`: slug, provider, address, credentials of each."""
        given = {"merchantId": merchant_id, "accounts": accounts, "prices": prices}
        self._command("connect_coins", given)

    def compare(self, merchant_id: str, log: dict[str, Any]) -> dict[str, Any]:
        """What does not agree: the clients' log with the tables, or the tables with each other."""
        found: dict[str, Any] = self._command("compare", {"merchantId": merchant_id, **log})
        return found

    def _command(self, name: str, given: Any) -> Any:
        """Fails with the traceback of the command (tests.support.service_commands)."""
        if self._commands is None:
            self._commands = subprocess.Popen(
                [sys.executable, "-W", "ignore", "-m", "tests.support.service_commands"],
                cwd=PROJECT,
                env=self.options.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        assert self._commands.stdin
        assert self._commands.stdout
        self._commands.stdin.write(f"{jsontext.dumps([name, given])}\n".encode())
        self._commands.stdin.flush()
        line = self._commands.stdout.readline()
        assert line, f"the process of the commands ended during {name}"
        answer = json.loads(line)
        assert "failed" not in answer, answer["failed"][-4000:]
        return answer["done"]

    def close(self) -> None:
        """Ends the process of the commands; the stack ends the others."""
        if self._commands is not None:
            self._commands.kill()
            self._commands.communicate()

    def run(self, arguments: Sequence[str]) -> str:
        """A Python process with the service's settings; fails with what it wrote if it fails."""
        done = subprocess.run(
            [sys.executable, "-W", "ignore", *arguments],
            cwd=PROJECT,
            env=self.options.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()[-4000:]
        return done.stdout.decode()


@contextmanager
def running(
    make: Callable[..., Stack] = Stack,
    /,
    *,
    web_workers: int = 1,
    **settings: str,
) -> Iterator[LiveService]:
    """Starts everything and waits until it is ready; `settings` are environment variables."""
    data_dir = make_throwaway("faults")
    options = demo_options(data_dir)
    environment = {**options.environment, **SETTINGS, **settings}
    options = replace(options, environment=environment, web_workers=web_workers)
    requests = StopSignals()
    stack = make(options, requests, lambda _: None)
    _begin_migrated(stack)
    live_service = None
    try:
        stack.start()
        live_service = LiveService(stack)
        yield live_service
    except BaseException:
        _show(data_dir)
        raise
    finally:
        if live_service is not None:
            live_service.close()
        for kept in stack.services:
            if kept.service.process is not None:  # what was left hanging could not end
                kept.service.process.send_signal(signal.SIGCONT)
        requests.count = 2  # at once: nothing of it is kept
        stack.stop()
        shutil.rmtree(data_dir, ignore_errors=True)


def _begin_migrated(stack: Stack) -> None:
    """Its tables are those of the test run's template, where there is one: nothing to migrate."""
    prepare = stack._prepare

    def prepare_copy() -> None:
        services = (kept.service for kept in stack.services)
        template_database.pour(next(each for each in services if isinstance(each, Postgres)))
        prepare()

    stack._prepare = prepare_copy  # type: ignore[method-assign]


def _show(data_dir: Path) -> None:
    """Pytest shows it with the failure; the files are about to go."""
    for log in sorted([*data_dir.glob("logs/*.log"), *data_dir.glob("*/logs/*.log")]):
        print(f"--- {log.name}\n{tail(log)}")


def wrong_in(found: dict[str, Any]) -> dict[str, Any]:
    """What of a comparison does not agree; empty is well."""
    return {kind: value for kind, value in found.items() if kind != "counts" and value}


def wait_until(reached: Callable[[], bool], *, seconds: float, what: str) -> float:
    """Asks again and again; returns after how many seconds it was so. Fails at the deadline."""
    began = time.monotonic()
    while not reached():
        assert time.monotonic() - began < seconds, f"not within {seconds} s: {what}"
        time.sleep(0.05)
    return time.monotonic() - began
