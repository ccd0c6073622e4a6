"""Compares the clock of this process with the database's clock, which all processes share.

A worker whose clock is ahead would expire payable orders, close days too early and sign webhooks
that receivers refuse. So due times follow the database's clock, and a worker whose clock is wrong
by more than CLOCK_SKEW_MAX_SECONDS does no work until it is right again.
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
# How long a measurement is valid, unless the clock jumps.
MEASURE_SECONDS = 5.0
JUMP_SECONDS = 0.5
# Smaller differences are measurement errors.
NOISE_SECONDS = 0.001
# Tests that change the service's time replace it with an unchanged clock.
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
    """How far this process's clock is ahead of the database's. Negative: it is behind."""
    global _last
    if _last is None or not _last.is_current():
        _last = _Measured(_measure(), wall(), time.monotonic())
    return _last.seconds


def is_wrong() -> bool:
    return bool(abs(seconds()) > settings.CLOCK_SKEW_MAX_SECONDS)


def now() -> datetime:
    """The time by the database's clock, which decides what is due."""
    return clock.now() - timedelta(seconds=seconds())


def describe(ahead: float) -> str:
    return f"{abs(ahead):.1f} s {'ahead' if ahead > 0 else 'behind'}"


def _measure() -> float:
    """The smallest difference that explains both clocks, so that a slow query adds nothing."""
    before, began = wall(), time.monotonic()
    with connection.cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())::float8")
        theirs = float(cursor.fetchone()[0])
    # Also the wall clock at the end, because monotonic time may stop while the machine sleeps.
    ends = (before, before + time.monotonic() - began, wall())
    least, most = min(ends) - theirs, max(ends) - theirs
    ahead = least if least > 0 else min(most, 0.0)
    return ahead if abs(ahead) >= NOISE_SECONDS else 0.0


def watch(name: str) -> None:
    """Records wrong clocks from a thread, because a worker that is ahead drops every task."""
    worker = f"{name}@{socket.gethostname()}"[: WrongClock.WORKER_LENGTH]
    threading.Thread(target=_watch, args=(worker,), name="clock", daemon=True).start()


def _watch(worker: str) -> None:
    while True:
        try:
            record(worker)
        except Exception as error:  # without the database there are no tasks to run
            log.warning("clock.not_measured", error=type(error).__name__)
        finally:
            connection.close()
        time.sleep(MEASURE_SECONDS)


def record(worker: str) -> None:
    """Keeps a row for /readyz and the metrics while the clock is wrong."""
    if not is_wrong():
        if WrongClock.objects.filter(worker=worker).delete()[0]:
            log.info("clock.right", worker=worker)
        return
    ahead = seconds()
    log.error("clock.wrong", worker=worker, seconds_ahead=round(ahead, 3))
    row = {"seconds_ahead": ahead, "at": now()}
    WrongClock.objects.update_or_create(worker=worker, defaults=row)
