"""PgBouncer in front of an experiment's PostgreSQL, with the configuration of deploy/pgbouncer."""

import configparser
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row

from config.devstack.defaults import DATABASE
from config.devstack.options import PROJECT
from config.devstack.postgres import Postgres
from config.devstack.process import Program, StackError, never, spawn, stop, tail
from config.devstack.valkey import free_port

CONFIGURATION = PROJECT / "deploy/pgbouncer/pgbouncer.ini"
START_SECONDS = 15


def program() -> str:
    """Its path; skips the test where it is not installed."""
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"])
    found = shutil.which("pgbouncer", path=path)
    if found is None:
        pytest.skip("No pgbouncer: apt-get install pgbouncer. Nothing was tried behind a pooler.")
    return found


class PgBouncer:
    """What differs from the committed file: addresses, who may enter, and the size of the pool."""

    name = "pgbouncer"

    def __init__(self, postgres: Postgres, *, log: Path, connections: int) -> None:
        self.postgres = postgres
        self.log = log
        self.connections = connections
        self.program = program()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """For Django and psycopg."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{DATABASE}"

    def start(self) -> None:
        """Returns when it answers. As PostgreSQL's user: it does not run as root either."""
        self.port = free_port()
        user = self.postgres.user
        directory = user.make_private(self.log.parent.parent / "pgbouncer")
        file = directory / "pgbouncer.ini"
        with file.open("w") as output:
            self._configuration().write(output)
        os.chown(file, user.owner, -1)
        command = [self.program, str(file)]
        self.process = spawn(Program(command=command, log=self.log, user=user))
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                self.ask("SHOW VERSION")
                return
            except psycopg.OperationalError as error:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise StackError(f"PgBouncer: {error}\n{tail(self.log)}") from error
                time.sleep(0.05)

    def stop(self, *, grace_seconds: float = 5, hurry: Callable[[], bool] = never) -> None:
        """At once, with all connections."""
        if self.process is not None:
            stop(self.process, first=signal.SIGTERM, grace_seconds=grace_seconds)

    def ask(self, question: str) -> list[dict[str, Any]]:
        """A command of its console, such as SHOW POOLS."""
        address = self.url.replace(f"/{DATABASE}", "/pgbouncer")
        with psycopg.connect(address, autocommit=True, row_factory=dict_row) as console:
            answer = console.execute(question)
            return answer.fetchall() if answer.description else []

    def clients(self) -> int:
        """How many connections of the service it holds open."""
        return sum(row["database"] == DATABASE for row in self.ask("SHOW CLIENTS"))

    def servers(self) -> int:
        """How many connections to PostgreSQL these share."""
        return sum(row["database"] == DATABASE for row in self.ask("SHOW SERVERS"))

    def transactions(self) -> tuple[int, float]:
        """How many it has passed on, and how many milliseconds one waited for a connection."""
        (row,) = (row for row in self.ask("SHOW STATS") if row["database"] == DATABASE)
        count = int(row["total_xact_count"])
        return count, int(row["total_wait_time"]) / 1000 / max(count, 1)

    def _configuration(self) -> configparser.ConfigParser:
        given = configparser.ConfigParser(interpolation=None)
        given.read(CONFIGURATION)
        host = self.postgres.paths.sockets
        given["databases"] = {DATABASE: f"host={host} dbname={DATABASE} user=postgres"}
        given["pgbouncer"].update(
            {
                "listen_addr": "127.0.0.1",
                "listen_port": str(self.port),
                "unix_socket_dir": "",
                "auth_type": "any",
                "admin_users": "postgres",
                "default_pool_size": str(self.connections),
            }
        )
        return given
