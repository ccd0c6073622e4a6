"""The simulator's own clock: a thread that tells us what time has decided, without being asked.

It runs in the worker of money, beside its tasks, and needs neither beat nor Redis. Several may run
on the same books: each change is taken by one of them.
"""

import sqlite3
import threading

import structlog
from django.conf import settings
from django.db import close_old_connections, connections

from payments.core import clock
from payments.simulator import books, control, outgoing_control

log = structlog.get_logger(__name__)
TICK_SECONDS = 0.5
LOOKS_PER_CONNECTION = 120
# Books that cannot be read would fill the log.
PAUSE_AFTER_FAILURE_SECONDS = 5.0
STOP_SECONDS = 5.0
# One statement on two small indexes: what an idle clock costs.
_IS_ANYTHING_DUE = """
SELECT EXISTS (SELECT 1 FROM charges WHERE due_at <= :now AND status = 'PENDING')
    OR EXISTS (SELECT 1 FROM outgoing WHERE due_at <= :now)
"""


class Clock:
    """`start()`, then `stop()`, which lets a callback that is under way end."""

    def __init__(self) -> None:
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="simulator-clock", daemon=True)

    def start(self) -> None:
        """Returns at once."""
        self._thread.start()

    def stop(self) -> None:
        """At most STOP_SECONDS: what is not told by then is told by the next clock."""
        self._stopping.set()
        self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                # Kept open: who closes the last connection to the books writes their log back, for
                # each look. Not for ever: the file may be replaced.
                with books.connect() as connection:
                    for _ in range(LOOKS_PER_CONNECTION):
                        if self._stopping.wait(TICK_SECONDS):
                            break
                        tick(connection)
            except Exception:
                log.exception("simulator.clock_failed")
                self._stopping.wait(PAUSE_AFTER_FAILURE_SECONDS)
        connections.close_all()


def tick(connection: sqlite3.Connection | None = None) -> int:
    """One look at the books; returns how many payments were told of."""
    if connection is None:
        with books.connect() as own:
            return tick(own)
    now = books.write_moment(clock.now())
    if not connection.execute(_IS_ANYTHING_DUE, {"now": now}).fetchone()[0]:
        return 0
    # A callback uses this thread's connection to our database, which may have gone since.
    close_old_connections()
    return control.wake() + outgoing_control.wake()


def started() -> Clock | None:
    """The clock of this process, going; None where there is none (SIMULATOR_CLOCK, SANDBOX)."""
    if not settings.SIMULATOR_CLOCK:
        return None
    found = Clock()
    found.start()
    return found
