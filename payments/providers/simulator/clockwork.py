"""The simulator's own clock: a thread that tells us what time has decided, without being asked.

It runs in the worker of money, beside its tasks, and needs neither beat nor Redis. Several may run
on the same books: each change is taken by one of them.
"""

import threading

import structlog
from django.conf import settings
from django.db import close_old_connections, connections

from payments.core import clock
from payments.providers.simulator import books, control, outgoing_books, outgoing_control

log = structlog.get_logger(__name__)
TICK_SECONDS = 0.5
# Books that cannot be read would fill the log.
PAUSE_AFTER_FAILURE_SECONDS = 5.0
STOP_SECONDS = 5.0


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
        pause = TICK_SECONDS
        while not self._stopping.wait(pause):
            try:
                tick()
                pause = TICK_SECONDS
            except Exception:
                log.exception("simulator.clock_failed")
                pause = PAUSE_AFTER_FAILURE_SECONDS
        connections.close_all()


def tick() -> int:
    """One look at the books; returns how many payments were told of."""
    now = clock.now()
    if not (books.due(now) or outgoing_books.due(now)):
        return 0
    # A callback uses this thread's connection, which may have gone since the last one.
    close_old_connections()
    return control.wake() + outgoing_control.wake()


def started() -> Clock | None:
    """The clock of this process, going; None where there is none (SIMULATOR_CLOCK, SANDBOX)."""
    if not settings.SIMULATOR_CLOCK:
        return None
    found = Clock()
    found.start()
    return found
