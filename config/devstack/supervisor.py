"""Starts the servers and the service in order, watches them, and stops them in reverse order.

Used by `make run` and, on free ports and a throw-away directory, by `make demo`.
"""

import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from config.devstack.control import StopSignals
from config.devstack.defaults import make_data_dir
from config.devstack.logs import Follower, rotate
from config.devstack.options import Options, refuse_taken_port
from config.devstack.postgres import Postgres
from config.devstack.process import StackError, tail
from config.devstack.readiness import get_readyz
from config.devstack.valkey import Valkey
from config.devstack.workers import Worker, prepare_command, service_processes
from config.worker_watchdog import WorkerWatchdog

READY_SECONDS = 90
LOOK_SECONDS = 0.2
# Back-off between restarts of one child; a quiet minute forgives its past.
FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS, FORGIVEN_SECONDS = 1.0, 30.0, 60.0


class Service(Protocol):
    """What the supervisor needs of a server or worker."""

    name: str
    log: Path
    process: subprocess.Popen[bytes] | None

    def start(self) -> None: ...

    def stop(self, *, grace_seconds: float = ..., hurry: Callable[[], bool] = ...) -> None: ...


class StopRequested(Exception):
    """The operator asked to stop before everything was up."""


class SupervisedService:
    """A started service with the memory of its deaths."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.follower = Follower(service.name, service.log)
        self.started_at = time.monotonic()
        self.deaths = 0
        self.revive_at: float | None = None

    def is_dead(self) -> bool:
        """Whether the main process has ended."""
        return self.service.process is None or self.service.process.poll() is not None

    def note_death(self, now: float) -> float:
        """Seconds to wait before the next try."""
        self.deaths = 0 if now - self.started_at > FORGIVEN_SECONDS else self.deaths
        wait = min(FIRST_WAIT_SECONDS * 2.0**self.deaths, LONGEST_WAIT_SECONDS)
        self.deaths += 1
        self.revive_at = now + wait
        return wait

    def revive(self) -> None:
        """Start it again."""
        self.revive_at, self.started_at = None, time.monotonic()
        self.service.start()


class Stack:
    """`start()`, then `watch()` until asked to stop; `stop()` always, also after a failed start."""

    def __init__(self, options: Options, requests: StopSignals, say: Callable[[str], None]) -> None:
        self.options = options
        self.requests = requests
        self.say = say
        self.kept: list[SupervisedService] = []
        self.watchdog = WorkerWatchdog(Path(options.environment["WEB_PULSE_DIR"]))

    def start(self) -> None:
        """Returns when /readyz answers 200. Raises StackError, or Asked when told to stop."""
        make_data_dir(self.options.data_dir)
        self.options.logs.mkdir(mode=0o700, exist_ok=True)
        self._wait_for_port()
        if self.options.embeds_postgres:
            self._start(Postgres(self.options.data_dir, log=self.options.logs / "postgres.log"))
        if self.options.embeds_valkey:
            self._start(Valkey(self.options.data_dir, log=self.options.logs / "valkey.log"))
        self._prepare()
        for worker in service_processes(self.options):
            self._start(worker)
        self._wait_until_ready()

    def watch(self) -> None:
        """Until asked to stop. Raises StackError when the database is gone."""
        while not self.requests.asked():
            self.look()
            time.sleep(LOOK_SECONDS)

    def look(self) -> None:
        """Show what the logs complain about, and bring back what died or stands still."""
        self._end_silent_workers()
        for kept in self.kept:
            for line in kept.follower.news():
                self.say(line)
            if kept.revive_at is not None:
                if time.monotonic() >= kept.revive_at:
                    self._revive(kept)
            elif kept.is_dead():
                self._report_death(kept)

    def stop(self) -> None:
        """In reverse order: nobody loses the database while it still works."""
        if not all(kept.is_dead() for kept in self.kept):
            self.say("Stopping ... (Ctrl-C again: at once)")
        for kept in reversed(self.kept):
            kept.service.stop(hurry=self.requests.hurried)
        self.kept.clear()

    def _start(self, service: Service) -> None:
        self._check_asked()
        rotate(service.log)
        kept = SupervisedService(service)
        self.kept.append(kept)
        service.start()

    def _check_asked(self) -> None:
        if self.requests.asked():
            raise StopRequested

    def _wait_for_port(self) -> None:
        """A supervisor that was killed leaves its web server a moment behind."""
        deadline = time.monotonic() + 3
        while True:
            try:
                return refuse_taken_port(self.options)
            except StackError:
                self._check_asked()
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)

    def _prepare(self) -> None:
        prepare = Worker("prepare", prepare_command(), self.options)
        prepare.log.unlink(missing_ok=True)
        prepare.start()
        while prepare.process is not None and prepare.process.poll() is None:
            if self.requests.asked():
                prepare.stop(hurry=self.requests.hurried)
                raise StopRequested
            time.sleep(0.05)
        if prepare.process is None or prepare.process.returncode != 0:
            raise StackError(f"The tables could not be made ready:\n{tail(prepare.log, 30)}")

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + READY_SECONDS
        while True:
            self._check_asked()
            status, body = get_readyz(self.options)
            if status == 200:
                return
            dead = next((kept.service for kept in self.kept if kept.is_dead()), None)
            if dead is not None:
                raise StackError(f"`{dead.name}` did not start. {dead.log} ends:\n{tail(dead.log)}")
            if time.monotonic() > deadline:
                raise StackError(f"Not ready after {READY_SECONDS} s; /readyz says: {body}")
            time.sleep(LOOK_SECONDS)

    def _end_silent_workers(self) -> None:
        """The web server's own watch each other; this is for the last one, or all at once."""
        for kept in self.kept:
            process = kept.service.process
            if kept.service.name == "web" and process is not None and process.poll() is None:
                for pid in self.watchdog.kill_silent(process.pid):
                    self.say(f"A worker of `web` ({pid}) stood still; it starts again")

    def _report_death(self, kept: SupervisedService) -> None:
        service = kept.service
        code = service.process.returncode if service.process else "?"
        if service.name == Postgres.name:
            raise StackError(
                f"The database stopped by itself (exit {code}), so everything stops. "
                f"{service.log} ends:\n{tail(service.log)}"
            )
        wait = kept.note_death(time.monotonic())
        self.say(f"`{service.name}` ended by itself (exit {code}); starting it again in {wait:g} s")
        self.say(tail(service.log, 5))

    def _revive(self, kept: SupervisedService) -> None:
        try:
            kept.revive()
        except StackError as error:
            self.say(str(error))
            kept.note_death(time.monotonic())
