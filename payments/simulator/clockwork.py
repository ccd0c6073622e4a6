"""The simulator's clock: a thread that applies and reports what becomes due.

It runs in the `money` worker and needs neither beat nor Redis. Several clocks may share a store:
one of them claims each change.
"""

import sqlite3
import threading

import structlog
from django.conf import settings
from django.db import close_old_connections, connections

from payments.core import clock
from payments.simulator import control, store

log = structlog.get_logger(__name__)
TICK_SECONDS = 0.5
TICKS_PER_CONNECTION = 120
# A store that cannot be read would fill the log.
PAUSE_AFTER_FAILURE_SECONDS = 5.0
STOP_SECONDS = 5.0


class SimulatorClock:
    def __init__(self) -> None:
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="simulator-clock", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Waits at most STOP_SECONDS. The next clock sends the rest."""
        self._stopping.set()
        self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                # The connection stays open, because closing the last one writes SQLite's log back
                # into the file. It is renewed, because the file may be replaced.
                with store.connect() as connection:
                    for _ in range(TICKS_PER_CONNECTION):
                        if self._stopping.wait(TICK_SECONDS):
                            break
                        tick(connection)
            except Exception:
                log.exception("simulator.clock_failed")
                self._stopping.wait(PAUSE_AFTER_FAILURE_SECONDS)
        connections.close_all()


def tick(connection: sqlite3.Connection | None = None) -> int:
    """Applies what is due now. Returns how many payments changed."""
    if connection is None:
        with store.connect() as own:
            return tick(own)
    if not store.is_anything_due(connection, clock.now()):
        return 0
    # A callback uses this thread's connection to our database, which may be closed by now.
    close_old_connections()
    return control.wake()


def start_clock() -> SimulatorClock | None:
    """Returns None when settings.SIMULATOR_CLOCK is off."""
    if not settings.SIMULATOR_CLOCK:
        return None
    started = SimulatorClock()
    started.start()
    return started
