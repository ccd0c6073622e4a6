"""The service as `make run` starts it, in a throw-away directory, and processes beside it.

Everything ends with the `with` block, or with this process if it is killed.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import redis
from psycopg import sql

from benchmarks.client import Address
from config.devstack.control import StopSignals
from config.devstack.demo.__main__ import KEPT_VARIABLES
from config.devstack.options import PROJECT, Options, read_options
from config.devstack.postgres import Postgres
from config.devstack.process import Program, spawn, stop, tail
from config.devstack.supervisor import Stack
from config.devstack.throwaway import make_throwaway
from config.devstack.valkey import Valkey, free_port

MERCHANTS = 1000
# Counted as ever, but never reached; and Prometheus is answered.
SETTINGS = {
    "RATE_LIMIT_COLLECT_CREATE": "100000000/m",
    "RATE_LIMIT_COLLECT_READ": "100000000/m",
    "RATE_LIMIT_WRITE": "100000000/m",
    "RATE_LIMIT_READ": "100000000/m",
    "METRICS_TOKEN": "benchmark",
}


class Machine:
    """The running service, its servers, and whatever is measured beside it."""

    def __init__(self, stack: Stack) -> None:
        self.options = stack.options
        services: dict[str, Any] = {kept.service.name: kept.service for kept in stack.services}
        self.services = services
        self.postgres: Postgres = services[Postgres.name]
        self.valkey: Valkey = services[Valkey.name]
        self._beside: list[subprocess.Popen[bytes]] = []
        self._merchants: list[dict[str, str]] = []

    @property
    def address(self) -> Address:
        """Where the service's web server listens."""
        return self.options.local_address

    @property
    def web(self) -> int:
        """The process group of the web server."""
        return int(self.services["web"].process.pid)

    def program(self, name: str) -> Path:
        """A program that came with the server: pgbench."""
        return self.postgres.paths.programs / name

    def connect(self, database: str = "") -> psycopg.Connection[Any]:
        """Each statement by itself."""
        url = self.database_url(database) if database else self.postgres.url
        return psycopg.connect(url, autocommit=True)

    def database_url(self, name: str) -> str:
        """Another database of the same server."""
        head, _, query = self.postgres.url.partition("?")
        return f"{head.rpartition('/')[0]}/{name}?{query}"

    def create_database(self, name: str) -> str:
        """An empty one; its address."""
        with self.connect() as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return self.database_url(name)

    def create_merchant(self, *arguments: str) -> dict[str, str]:
        """Café Andino with payouts enabled: its id and credentials."""
        command = ["manage.py", "create_merchant", "Café Andino"]
        enabled = ["--enable=payout", "--permission=payout:create"]
        created: dict[str, str] = json.loads(self.python(*command, *enabled, *arguments))
        return created

    def python(self, *arguments: str, **environment: str) -> str:
        """A Python process with the service's settings; what it printed."""
        done = subprocess.run(
            [sys.executable, "-W", "ignore", *arguments],
            cwd=PROJECT,
            env=self.options.environment | environment,
            capture_output=True,
            timeout=600,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{arguments} failed:\n{done.stderr.decode()[-4000:]}")
        return done.stdout.decode()

    def start(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        cwd: Path = PROJECT,
    ) -> subprocess.Popen[bytes]:
        """A process beside the service, which ends with it. Its log is named after it."""
        process = spawn(
            Program(command=command, log=self.log(name), env=dict(environment), cwd=cwd)
        )
        self._beside.append(process)
        return process

    def start_receiver(self, name: str, environment: Mapping[str, str]) -> Address:
        """A receiver of webhooks (benchmarks.receiver), once it listens."""
        address: Address = ("127.0.0.1", free_port())
        command = [sys.executable, "-m", "benchmarks.receiver", str(address[1])]
        self.start(name, command, environment)

        def listens() -> bool:
            with suppress(OSError):
                socket.create_connection(address, timeout=1).close()
                return True
            return False

        wait_until(listens, seconds=30, what="the receiver listens")
        return address

    def log(self, name: str) -> Path:
        """What a process writes."""
        return self.options.logs / f"{name}.log"

    def merchants(self) -> list[dict[str, str]]:
        """MERCHANTS of them with money and keys, made once."""
        if not self._merchants:
            made = self.python("-m", "benchmarks.merchants", str(MERCHANTS), "")
            self._merchants = json.loads(made)
        return self._merchants

    @contextmanager
    def paused(self, *names: str) -> Iterator[None]:
        """Processes of the service stand still: web, money, pump, beat."""
        groups = [self.services[name].process.pid for name in names]
        for group in groups:
            os.killpg(group, signal.SIGSTOP)
        try:
            yield
        finally:  # also because a process that stands still cannot be asked to end
            for group in groups:
                os.killpg(group, signal.SIGCONT)

    @contextmanager
    def payouts_unsent(self) -> Iterator[None]:
        """What is created here is never sent: the requests alone are measured, and what is
        measured afterwards does not run beside a backlog.
        """
        with self.paused("money", "beat"):
            yield
            with self.connect() as connection, connection.transaction():
                connection.execute(
                    "UPDATE payout_payout SET next_action_at = now() + interval '1 day' "
                    "WHERE status = 'PENDING'"
                )
            with redis.Redis.from_url(self.valkey.url) as broker:
                broker.flushall()

    def stop_beside(self) -> None:
        """Whatever `start` started."""
        for process in reversed(self._beside):
            stop(process, grace_seconds=3)
        self._beside.clear()


def clean_environment() -> dict[str, str]:
    """Nothing of the caller's own service may leak into what is measured."""
    return {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}


def options_for(data_dir: Path, **settings: str) -> Options:
    """What `make run` would have on a bare machine, on a free port, with limits set high."""
    own = {"DATA_DIR": str(data_dir), "PORT": str(free_port())}
    return read_options(clean_environment() | own | SETTINGS | settings)


@contextmanager
def running(**settings: str) -> Iterator[Machine]:
    """Starts everything and waits until it is ready; `settings` are environment variables."""
    data_dir = make_throwaway("bench")
    requests = StopSignals()  # only to hurry the end: Ctrl-C is an exception here
    stack = Stack(options_for(data_dir, **settings), requests, lambda _: None)
    machine = None
    try:
        stack.start()
        machine = Machine(stack)
        yield machine
    except Exception:
        show_logs(data_dir / "logs")
        raise
    finally:
        requests.count = 2
        if machine is not None:
            machine.stop_beside()
        stack.stop()
        shutil.rmtree(data_dir, ignore_errors=True)


def show_logs(logs: Path) -> None:
    """Their ends, before they are removed."""
    for log in sorted(logs.glob("*.log")):
        print(f"--- {log.name}\n{tail(log, 5)}", file=sys.stderr)


def wait_until(reached: Callable[[], bool], *, seconds: float, what: str) -> float:
    """Asks again and again; after how many seconds it was so. Raises TimeoutError."""
    began = time.monotonic()
    while not reached():
        if time.monotonic() - began > seconds:
            raise TimeoutError(f"not within {seconds} s: {what}")
        time.sleep(0.02)
    return time.monotonic() - began
