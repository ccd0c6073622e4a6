"""An embedded PostgreSQL behind a private Unix socket.

`make run` keeps its cluster; tests delete theirs and trade durability for speed.
"""

import os
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
from psycopg import sql

from config.devstack import postgres_paths
from config.devstack.defaults import DATABASE, database_url
from config.devstack.os_user import database_user
from config.devstack.process import Program, Server, StackError, never, spawn

SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "shared_buffers": "128MB",
    "max_wal_size": "512MB",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "%m [%p] ",
    "log_min_duration_statement": "1000",
}
# Not durable: the cluster lives as long as the test run.
THROWAWAY = {
    # Each thread of a concurrency test has a connection of its own.
    "max_connections": "500",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "io_method": "sync",
    "log_min_duration_statement": "-1",
    "log_statement": "none",
    "log_min_error_statement": "panic",
    "autovacuum_naptime": "10s",
}
START_SECONDS = 60
PREDECESSOR_SECONDS = 15


class Postgres(Server):
    name = "postgres"
    title = "PostgreSQL"
    # A clean shutdown that does not wait for clients.
    first_signal = signal.SIGINT
    grace_seconds = 20.0

    def __init__(self, data_dir: Path, *, log: Path, throwaway: bool = False) -> None:
        super().__init__(log)
        self.data_dir = data_dir
        self.throwaway = throwaway
        self.user = database_user()

    @property
    def url(self) -> str:
        return database_url(self.data_dir)

    def start(self) -> None:
        """Makes the cluster and the database if there are none. Waits until it responds."""
        self.paths = postgres_paths.prepare_paths(self.data_dir, self.user)
        if not (self.paths.cluster / "PG_VERSION").exists():
            self._initdb()
        self._wait_for_predecessor()
        self._refuse_other_version()
        settings = SETTINGS | (THROWAWAY if self.throwaway else {})
        settings["unix_socket_directories"] = _quoted(str(self.paths.sockets))
        options = [f"--{name.replace('_', '-')}={value}" for name, value in settings.items()]
        postgres = str(self.paths.programs / "postgres")
        self.process = spawn(
            Program(
                command=[postgres, "-D", str(self.paths.cluster), *options],
                log=self.log,
                env=_clean_environment(),
                death_signal=signal.SIGINT,
                user=self.user,
            )
        )
        self.wait_until_ready(self._create_database, psycopg.OperationalError, START_SECONDS)

    def stop(self, *, grace_seconds: float = 0, hurry: Callable[[], bool] = never) -> None:
        """Ignores `hurry`: a kill saves little time, and the next start would need a recovery."""
        super().stop(grace_seconds=grace_seconds)

    def _initdb(self) -> None:
        # The directory gets its final name only when it is complete.
        fresh = self.paths.cluster.with_name("postgres.new")
        shutil.rmtree(fresh, ignore_errors=True)
        self.user.make_private(fresh)
        options = ["--no-sync", "--no-data-checksums"] if self.throwaway else []
        made = self.user.run(
            [
                self.paths.programs / "initdb",
                f"--pgdata={fresh}",
                "--username=postgres",
                # Only this user and root can enter the directory of the socket.
                "--auth=trust",
                "--encoding=UTF8",
                "--locale=C",
                # Upper and lower case of all letters, also on machines without locales.
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--no-instructions",
                *options,
            ],
            env=_clean_environment(),
        )
        if made.returncode != 0:
            raise StackError(f"PostgreSQL could not make its cluster:\n{made.stderr.strip()}")
        fresh.rename(self.paths.cluster)

    def _wait_for_predecessor(self) -> None:
        """A killed supervisor's PostgreSQL may still be shutting down."""
        deadline = time.monotonic() + PREDECESSOR_SECONDS
        while self._predecessor_runs() and time.monotonic() < deadline:
            time.sleep(0.1)

    def _predecessor_runs(self) -> bool:
        try:
            pid = (self.paths.cluster / "postmaster.pid").read_text().split()[0]
            return Path(f"/proc/{pid}/comm").read_text().strip() == "postgres"
        except (OSError, IndexError):
            return False

    def _refuse_other_version(self) -> None:
        cluster = (self.paths.cluster / "PG_VERSION").read_text().strip()
        version = self.user.run([self.paths.programs / "postgres", "--version"], check=True)
        program = version.stdout.split()[-1]
        if program.split(".")[0] != cluster:
            raise StackError(
                f"The data in {self.paths.cluster} was written by PostgreSQL {cluster}, but "
                f"version {program} is installed now. Dump it with the old version "
                f"(pg_dump) and load it into a new DATA_DIR, or start with an empty DATA_DIR."
            )

    def _create_database(self) -> None:
        with psycopg.connect(
            host=str(self.paths.sockets),
            dbname="postgres",
            user="postgres",
            connect_timeout=5,
            autocommit=True,
        ) as connection:
            found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE])
            if found.fetchone() is None:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))


def _quoted(path: str) -> str:
    """Quotes a path for a setting whose value is a list."""
    return '"' + path.replace('"', '""') + '"'


def _clean_environment() -> dict[str, str]:
    """Without the caller's PG* variables, which would change the server."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PG")}
