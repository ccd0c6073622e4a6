"""The pump: a rolling window of sends between two short transactions (house.md, A webhook).

Each trip to the database records what has come back and leases what there is room for. Nothing
here waits for its slowest receiver, and no transaction is open while a receiver is waited for.
"""

import asyncio
import contextlib
import itertools
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connections

from payments.core import clock, clock_skew, jobs
from payments.core.tasks import beat
from webhooks import event_loop, leases, signing, waiting
from webhooks.models import Failure
from webhooks.sender import Answer, Sender
from webhooks.services import PUMP_TASK

log = structlog.get_logger(__name__)

T = TypeVar("T")
HEARTBEAT = "pump"
HEARTBEAT_SECONDS = 5.0
# Results are recorded in groups: so many at once, or after so long.
FLUSH_COUNT = 100
FLUSH_SECONDS = 0.05
# While a claim brings something there is probably more: the next one waits no longer than this.
EAGER_SECONDS = 0.01
# How often a pump that only waits for slow receivers looks for new events.
POLL_SECONDS = 0.1
# How often it looks for merchants that got a URL; a ring comes with each.
RELEASE_SECONDS = 0.25
# A database that went away is asked again, ever more slowly, and given up after the last pause:
# the leases expire, and the scanner rings for a new pump.
BACK_OFF_SECONDS = (0.2, 0.5, 1.0, 2.0, 4.0, 4.0, 4.0, 4.0)


@dataclass(slots=True)
class Summary:
    """What one run did; `unrecorded` results were sent but could not be written down."""

    sent: int = 0
    trips: int = 0
    unrecorded: int = 0


class Dispatcher:
    """One run: `loop.run(Pump().run())`. `wake` and `stop` may be called from other threads."""

    def __init__(
        self,
        *,
        now: Callable[[], datetime] = clock.now,
        open_sender: Callable[[], Sender] = Sender,
        run_seconds: float | None = None,
    ) -> None:
        self._now = now
        self._open_sender = open_sender
        self._run_seconds = settings.WEBHOOK_RUN_SECONDS if run_seconds is None else run_seconds
        self._flying: dict[asyncio.Task[None], float] = {}  # send -> when it began, oldest first
        self._results: list[leases.Result] = []
        self._oldest_result_at = 0.0
        self._brought = 0
        self._failures = 0
        self._beat_at = self._released_at = float("-inf")
        self._loop: asyncio.AbstractEventLoop | None = None
        self.is_stopping = False
        self.is_woken = False
        self.summary = Summary()

    async def run(self) -> Summary:
        """Sends until nothing is due or the time is up, then finishes what is under way."""
        self._loop = asyncio.get_running_loop()
        self._bell = asyncio.Event()
        # Django's connections belong to threads: a thread of our own, and so a connection too.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="webhook-pump-db")
        try:
            async with self._open_sender() as self._sender:
                await self._roll(ends_at=self._loop.time() + self._run_seconds)
        finally:
            self.summary.unrecorded = len(self._results)
            await self._in_thread(connections.close_all)
            self._thread.shutdown()
        return self.summary

    def stop(self) -> None:
        """No new claims; `run` returns when the sends under way have ended and are recorded."""
        self.is_stopping = True
        self.wake()

    def wake(self) -> None:
        """Something became due: look now."""
        self.is_woken = True
        # The loop is gone when the run has just ended; then whoever runs us looks at is_woken.
        with contextlib.suppress(RuntimeError, AttributeError):
            self._loop.call_soon_threadsafe(self._bell.set)  # type: ignore[union-attr]

    async def _roll(self, *, ends_at: float) -> None:
        try:
            while await self._trip():
                await self._pause()
                if self._time() > ends_at and not self.is_stopping:
                    self.is_stopping = True
                    await self._in_thread(jobs.enqueue, PUMP_TASK)
        finally:
            # Only when the database stayed away, or we were cancelled.
            for send in self._flying:
                send.cancel()
            await asyncio.gather(*self._flying, return_exceptions=True)

    async def _trip(self) -> bool:
        """Results out, leases in. False when there is nothing left to do."""
        self.is_woken = False
        results, self._results = self._results, []
        size = 0 if self.is_stopping else min(self._room(), settings.WEBHOOK_CLAIM_SIZE)
        try:
            claimed = await self._in_thread(self._exchange, results, size)
        except (DatabaseError, InterfaceError) as error:
            self._results = results + self._results
            return await self._back_off(error)
        self._failures = 0
        self._brought = len(claimed)
        self.summary.trips += 1
        for delivery in claimed:
            self._launch(delivery)
        return bool(self._flying or self._results or self.is_woken)

    def _exchange(self, results: list[leases.Result], size: int) -> list[leases.Claimed]:
        """The trip's part in the database thread."""
        try:
            leases.record(results)
            self._beat()
            self._release()
            if not size or clock_skew.is_wrong():
                return []  # its signatures would carry a wrong time
            return leases.claim(now=self._now(), size=size)
        except (DatabaseError, InterfaceError):
            # The next trip begins with a fresh connection.
            connections.close_all()
            raise

    def _beat(self) -> None:
        # While we run, a heartbeat task may have to wait behind us.
        if self._time() - self._beat_at > HEARTBEAT_SECONDS:
            beat(HEARTBEAT)
            self._beat_at = self._time()

    def _release(self) -> None:
        # What waited for a URL that is there now.
        if not self.is_stopping and self._time() - self._released_at > RELEASE_SECONDS:
            count = waiting.release(now=self._now())
            self._released_at = self._time()
            if count >= waiting.RELEASE_SIZE:
                self._released_at = float("-inf")
                self.is_woken = True

    async def _back_off(self, error: Exception) -> bool:
        """Waits for the database. False when it is not worth waiting for, or has been too long."""
        log.warning("webhook.database_away", error=type(error).__name__, results=len(self._results))
        worth_it = bool(self._flying or self._results)
        if not worth_it or self._failures >= len(BACK_OFF_SECONDS):
            return False
        await asyncio.sleep(BACK_OFF_SECONDS[self._failures])
        self._failures += 1
        return True

    async def _pause(self) -> None:
        """Until the next trip is worth its while: results to record, room to fill, or a wake."""
        until = self._time() + (EAGER_SECONDS if self._brought and self._room() else POLL_SECONDS)
        while self._flying and not self.is_woken and len(self._results) < FLUSH_COUNT:
            if self._results:
                until = min(until, self._oldest_result_at + FLUSH_SECONDS)
            self._bell.clear()
            try:
                async with asyncio.timeout(until - self._time()):
                    await self._bell.wait()
            except TimeoutError:
                return

    def _room(self) -> int:
        """How many more sends may begin. Slow ones no longer count, up to WEBHOOK_MAX_SENDS."""
        slow_since = self._time() - settings.WEBHOOK_SLOW_AFTER_SECONDS
        # In order of beginning, so the slow ones come first.
        slow = sum(1 for _ in itertools.takewhile(lambda t: t < slow_since, self._flying.values()))
        flying = len(self._flying)
        room: int = min(
            settings.WEBHOOK_WINDOW - (flying - slow), settings.WEBHOOK_MAX_SENDS - flying
        )
        return max(0, room)

    def _launch(self, delivery: leases.Claimed) -> None:
        send = asyncio.create_task(self._fly(delivery))
        self._flying[send] = self._time()
        send.add_done_callback(self._landed)

    def _landed(self, send: asyncio.Task[None]) -> None:
        del self._flying[send]
        if not self._flying or len(self._results) in (1, FLUSH_COUNT):
            self._bell.set()

    async def _fly(self, delivery: leases.Claimed) -> None:
        started_at = self._now()
        answer = await self._answer(delivery, started_at)
        if not self._results:
            self._oldest_result_at = self._time()
        self.summary.sent += 1
        self._results.append(
            leases.Result(
                claimed=delivery, started_at=started_at, finished_at=self._now(), answer=answer
            )
        )

    async def _answer(self, delivery: leases.Claimed, started_at: datetime) -> Answer:
        if delivery.secret is None:
            return Answer(duration_ms=0, error=Failure.INTERNAL)
        try:
            headers = signing.headers(
                event_id=delivery.event_id,
                attempt=delivery.number,
                body=delivery.body,
                secret=delivery.secret,
                at=started_at,
            )
            return await self._sender.post(delivery.url, delivery.body, headers)
        except Exception:
            # It counts as an attempt: otherwise the row would come back at once, for ever.
            log.exception("webhook.attempt_failed", delivery=delivery.id)
            return Answer(duration_ms=0, error=Failure.INTERNAL)

    def _time(self) -> float:
        return time.monotonic()

    async def _in_thread(self, function: Callable[..., T], *args: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, function, *args)


_lock = threading.Lock()
_current: Dispatcher | None = None


def run() -> Summary | None:
    """Runs the pump of this process, or wakes it when it runs already and returns None."""
    global _current
    with _lock:
        if _current is not None:
            _current.wake()
            return None
        pump = _current = Dispatcher()
    try:
        while True:
            summary = event_loop.run(pump.run())
            with _lock:
                # A ring that came after the last look would otherwise wait for the scanner.
                if pump.is_stopping or not pump.is_woken:
                    _current = None
                    return summary
                pump = _current = Dispatcher()
    except BaseException:
        with _lock:
            _current = None
        raise


def stop() -> None:
    """Asks the pump of this process to finish; the worker is shutting down."""
    with _lock:
        if _current is not None:
            _current.stop()
