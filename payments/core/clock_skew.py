"""Whether the clock of this process agrees with the database's, which all processes share.

A worker whose clock is ahead would end orders that payers may still pay, close a day before it is
over, and sign webhooks that receivers refuse. So what is due is due by the database's clock, and a
worker whose own is wrong by more than CLOCK_SKEW_MAX_SECONDS does nothing until it is right again.
"""

import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.db import connection

from payments.core import clock
from payments.core.models import WrongClock

log = structlog.get_logger(__name__)
# A measurement serves for so long, unless the clock jumps meanwhile.
MEASURE_SECONDS = 5.0
JUMP_SECONDS = 0.5
# Below this it is the measurement's own.
NOISE_SECONDS = 0.001
# What is measured. Tests that move the service's time replace it by a clock that they do not move.
wall: Callable[[], float] = time.time


@dataclass(frozen=True, slots=True)
class _Measured:
    seconds: float
    wall: float
    monotonic: float

    def is_current(self) -> bool:
        passed = time.monotonic() - self.monotonic
        return passed < MEASURE_SECONDS and abs(wall() - self.wall - passed) < JUMP_SECONDS


_last: _Measured | None = None


def seconds() -> float:
    """How far this process's clock is ahead of the database's; below zero it is behind."""
    global _last
    if _last is None or not _last.is_current():
        _last = _Measured(_measure(), wall(), time.monotonic())
    return _last.seconds


def is_wrong() -> bool:
    """By more than CLOCK_SKEW_MAX_SECONDS: what this process would do by time, it must not do."""
    return bool(abs(seconds()) > settings.CLOCK_SKEW_MAX_SECONDS)


def now() -> datetime:
    """The present by the database's clock: whatever ends at a time ends by this one."""
    return clock.now() - timedelta(seconds=seconds())


def describe(ahead: float) -> str:
    """As in "12.5 s ahead"."""
    return f"{abs(ahead):.1f} s {'ahead' if ahead > 0 else 'behind'}"


def _measure() -> float:
    """The least that explains both clocks: a slow answer is no wrong clock."""
    before, began = wall(), time.monotonic()
    with connection.cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())::float8")
        theirs = float(cursor.fetchone()[0])
    # Also by our clock at the end: while a machine sleeps, monotonic time may stand still.
    ends = (before, before + time.monotonic() - began, wall())
    least, most = min(ends) - theirs, max(ends) - theirs
    ahead = least if least > 0 else min(most, 0.0)
    return ahead if abs(ahead) >= NOISE_SECONDS else 0.0


def watch(name: str) -> None:
    """Looks at the clock of this worker from now on, in a thread of its own.

    Not by a task: a worker whose clock is ahead finds every message of a right one too old.
    """
    worker = f"{name}@{socket.gethostname()}"[: WrongClock.WORKER_LENGTH]
    threading.Thread(target=_watch, args=(worker,), name="clock", daemon=True).start()


def _watch(worker: str) -> None:
    while True:
        try:
            note(worker)
        except Exception as error:  # the database is away: nothing is done meanwhile, either
            log.warning("clock.not_measured", error=type(error).__name__)
        finally:
            connection.close()
        time.sleep(MEASURE_SECONDS)


def note(worker: str) -> None:
    """Keeps the row of a wrong clock, for /readyz and the metrics, for as long as it is wrong."""
    if not is_wrong():
        if WrongClock.objects.filter(worker=worker).delete()[0]:
            log.info("clock.right", worker=worker)
        return
    ahead = seconds()
    log.error("clock.wrong", worker=worker, seconds_ahead=round(ahead, 3))
    row = {"seconds_ahead": ahead, "at": now()}
    WrongClock.objects.update_or_create(worker=worker, defaults=row)
