"""Starts servers and service in order, restarts what ends, and stops them in reverse order."""

import time
from collections.abc import Callable
from pathlib import Path

from config.devstack.chains.servers import chain_servers, refuse_missing_programs
from config.devstack.control import StopSignals
from config.devstack.defaults import make_data_dir
from config.devstack.fakes import fake_servers
from config.devstack.logs import Follower, rotate
from config.devstack.options import Options, refuse_taken_port
from config.devstack.postgres import Postgres
from config.devstack.process import Server, StackError, tail
from config.devstack.readiness import get_readyz
from config.devstack.valkey import Valkey
from config.devstack.workers import Worker, prepare_command, service_processes
from config.worker_watchdog import WorkerWatchdog, silent_seconds

READY_SECONDS = 90
CHECK_SECONDS = 0.2
# Back-off between restarts of a child; reset after it has run for a minute.
FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS, RESET_SECONDS = 1.0, 30.0, 60.0


class StopRequested(Exception):
    """The operator stopped the stack during its start."""


class SupervisedService:
    def __init__(self, service: Server) -> None:
        self.service = service
        self.follower = Follower(service.name, service.log)
        self.started_at = time.monotonic()
        self.ends = 0
        self.restart_at: float | None = None

    def record_end(self, now: float) -> float:
        """Returns the seconds until it is restarted."""
        self.ends = 0 if now - self.started_at > RESET_SECONDS else self.ends
        wait = min(FIRST_WAIT_SECONDS * 2.0**self.ends, LONGEST_WAIT_SECONDS)
        self.ends += 1
        self.restart_at = now + wait
        return wait

    def restart(self) -> None:
        self.restart_at, self.started_at = None, time.monotonic()
        self.service.start()


class Stack:
    """Call `start()`, then `watch()`, and always `stop()`, also after a failed start."""

    def __init__(
        self, options: Options, signals: StopSignals, print_line: Callable[[str], None]
    ) -> None:
        self.options = options
        self.signals = signals
        self.print_line = print_line
        self.services: list[SupervisedService] = []
        environment = options.environment
        self.watchdog = WorkerWatchdog(
            Path(environment["WEB_PULSE_DIR"]), silent_seconds(environment)
        )

    def start(self) -> None:
        """Returns when /readyz is 200. Raises StackError, or StopRequested after a signal."""
        refuse_missing_programs(self.options)
        make_data_dir(self.options.data_dir)
        self.options.logs.mkdir(mode=0o700, exist_ok=True)
        self._wait_for_port()
        if self.options.embeds_postgres:
            self._start(Postgres(self.options.data_dir, log=self.options.logs / "postgres.log"))
        if self.options.embeds_valkey:
            self._start(Valkey(self.options.data_dir, log=self.options.logs / "valkey.log"))
        for fake in fake_servers(self.options):
            self._start(fake)
        for chain in chain_servers(self.options):
            self._start(chain)
        self._prepare()
        for worker in service_processes(self.options):
            self._start(worker)
        self._wait_until_ready()

    def watch(self) -> None:
        """Returns after a stop signal. Raises StackError when the database has ended."""
        while not self.signals.is_stop_requested():
            self.check()
            time.sleep(CHECK_SECONDS)

    def check(self) -> None:
        """Prints problems in the logs, and restarts what has ended or hangs."""
        self._kill_silent_workers()
        for supervised in self.services:
            for line in supervised.follower.new_lines():
                self.print_line(line)
            if supervised.restart_at is not None:
                if time.monotonic() >= supervised.restart_at:
                    self._restart(supervised)
            elif supervised.service.has_ended():
                self._handle_end(supervised)

    def stop(self) -> None:
        """In reverse order, so that the database ends last."""
        if not all(supervised.service.has_ended() for supervised in self.services):
            self.print_line("Stopping ... (Ctrl-C again: at once)")
        for supervised in reversed(self.services):
            supervised.service.stop(hurry=self.signals.is_kill_requested)
        self.services.clear()

    def _start(self, service: Server) -> None:
        self._raise_if_stopped()
        rotate(service.log)
        supervised = SupervisedService(service)
        self.services.append(supervised)
        service.start()

    def _raise_if_stopped(self) -> None:
        if self.signals.is_stop_requested():
            raise StopRequested

    def _wait_for_port(self) -> None:
        """A killed supervisor's web server may still be shutting down."""
        deadline = time.monotonic() + 3
        while True:
            try:
                return refuse_taken_port(self.options)
            except StackError:
                self._raise_if_stopped()
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)

    def _prepare(self) -> None:
        prepare = Worker("prepare", prepare_command(), self.options)
        prepare.log.unlink(missing_ok=True)
        prepare.start()
        while not prepare.has_ended():
            if self.signals.is_stop_requested():
                prepare.stop(hurry=self.signals.is_kill_requested)
                raise StopRequested
            time.sleep(0.05)
        if prepare.process is None or prepare.process.returncode != 0:
            raise StackError(f"The tables could not be prepared:\n{tail(prepare.log, 30)}")

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + READY_SECONDS
        while True:
            self._raise_if_stopped()
            status, body = get_readyz(self.options)
            if status == 200:
                return
            if ended := [each.service for each in self.services if each.service.has_ended()]:
                name, log = ended[0].name, ended[0].log
                raise StackError(f"`{name}` did not start. {log} ends:\n{tail(log)}")
            if time.monotonic() > deadline:
                raise StackError(f"Not ready after {READY_SECONDS} s; /readyz: {body}")
            time.sleep(CHECK_SECONDS)

    def _kill_silent_workers(self) -> None:
        """Web workers watch each other. This function handles the case that all of them hang."""
        for supervised in self.services:
            process = supervised.service.process
            if supervised.service.name == "web" and process is not None and process.poll() is None:
                for pid in self.watchdog.kill_silent(process.pid):
                    self.print_line(f"A worker of `web` ({pid}) hung and is replaced")

    def _handle_end(self, supervised: SupervisedService) -> None:
        service = supervised.service
        code = service.process.returncode if service.process else "?"
        if service.name == Postgres.name:
            raise StackError(
                f"The database ended (exit {code}), so everything stops. "
                f"{service.log} ends:\n{tail(service.log)}"
            )
        wait = supervised.record_end(time.monotonic())
        self.print_line(f"`{service.name}` ended (exit {code}); it restarts in {wait:g} s")
        self.print_line(tail(service.log, 5))

    def _restart(self, supervised: SupervisedService) -> None:
        try:
            supervised.restart()
        except StackError as error:
            self.print_line(str(error))
            supervised.record_end(time.monotonic())
