"""The service on several machines: one PostgreSQL, one Redis, and processes that share no file.

What machines have in common is what their environment says: addresses, keys, and the books of the
simulated rails, which stand for the world outside.
"""

import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from config.devstack import defaults, places
from config.devstack.control import StopRequests
from config.devstack.options import Options, read_options
from config.devstack.postgres import Postgres
from config.devstack.readiness import answer_of_readyz
from config.devstack.supervisor import Stack
from config.devstack.valkey import Valkey, free_port
from config.devstack.workers import Worker, service_processes
from tests.scaling.pooler import PgBouncer
from tests.support.live_service import wait_until

READY_SECONDS = 60


class Fleet(Stack):
    """`machines` times web, money worker, pump and beat; behind a pooler of `pooled` connections;
    with a replica if `replicated`.
    """

    def __init__(
        self,
        options: Options,
        requests: StopRequests,
        say: Callable[[str], None],
        *,
        machines: int = 1,
        pooled: int = 0,
        replicated: bool = False,
    ) -> None:
        super().__init__(options, requests, say)
        self.root = options
        self.count = machines
        self.pooled = pooled
        self.replicated = replicated
        self.machines: list[Options] = []
        self.pooler: PgBouncer | None = None

    def start(self) -> None:
        """Returns when each machine is ready. From then on `options` are the first machine's."""
        self.root.logs.mkdir(mode=0o700, exist_ok=True)
        postgres = Postgres(self.root.data_dir, log=self.root.logs / "postgres.log")
        valkey = Valkey(self.root.data_dir, log=self.root.logs / "valkey.log")
        self._start(postgres)
        self._start(valkey)
        self._prepare()  # past the pooler, as docs/scaling.md says
        shared = self._shared(postgres, valkey)
        self.machines = [self._machine(number + 1, shared) for number in range(self.count)]
        for number, options in enumerate(self.machines, start=1):
            for worker in service_processes(options):
                self._start(_renamed(worker, f"{worker.name}-{number}", options))
        for options in self.machines:
            _wait_until_ready(options)
        self.options = self.machines[0]

    def _shared(self, postgres: Postgres, valkey: Valkey) -> dict[str, str]:
        shared = {
            "DATABASE_URL": postgres.url,
            "REDIS_URL": valkey.url,
            "PUBLIC_URL": self.root.public_url,
            "SIMULATOR_STATE": str(self.root.data_dir / "simulator.sqlite3"),
            **defaults.development_keys(self.root.data_dir),
        }
        if self.pooled:
            log = self.root.logs / "pgbouncer.log"
            self.pooler = PgBouncer(postgres, log=log, connections=self.pooled)
            self._start(self.pooler)
            shared |= {"DATABASE_URL": self.pooler.url, "DATABASE_POOLER": "transaction"}
        if self.replicated:
            copy = copy_of(postgres, self.root)
            self._start(copy)
            shared["DATABASE_REPLICA_URL"] = copy.url
        return shared

    def _machine(self, number: int, shared: dict[str, str]) -> Options:
        data_dir = self.root.data_dir / f"machine-{number}"
        port = self.root.port if number == 1 else free_port()
        given = {"DATA_DIR": str(data_dir), "PORT": str(port)}
        environment = {**self.root.environment, **shared, **given}
        del environment["PROMETHEUS_MULTIPROC_DIR"]  # of the root's own
        options = read_options(environment)
        defaults.make_data_dir(data_dir)
        options.logs.mkdir(mode=0o700)
        (data_dir / "metrics").mkdir()
        return options


class Replica(Postgres):
    """Follows another server by streaming."""

    name = "replica"


def copy_of(postgres: Postgres, root: Options) -> Replica:
    """Made as an operator would: pg_basebackup, which writes down whom to follow."""
    copy = Replica(root.data_dir / "replica", log=root.logs / "replica.log")
    place = places.settle(copy.data_dir, copy.identity)
    command = [
        str(place.programs / "pg_basebackup"),
        f"--host={postgres.places.sockets}",
        "--username=postgres",
        f"--pgdata={place.cluster}",
        *("--write-recovery-conf", "--checkpoint=fast", "--no-sync"),
    ]
    options = copy.identity.popen_options()
    subprocess.run(command, cwd="/", check=True, capture_output=True, **options)
    return copy


def _renamed(worker: Worker, name: str, options: Options) -> Worker:
    """Workers of a name are told apart by their machine; here all are on one."""
    command = [part.replace("@%h", f"@{Path(options.data_dir).name}") for part in worker.command]
    return Worker(name, command, replace(options))


def _wait_until_ready(options: Options) -> None:
    wait_until(
        lambda: answer_of_readyz(options)[0] == 200,
        seconds=READY_SECONDS,
        what=f"{options.data_dir.name} ready: {answer_of_readyz(options)}",
    )
