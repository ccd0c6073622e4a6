"""Sends due deliveries, many at once, without an open transaction.

Each cycle records the results that have arrived and leases as many deliveries as there are free
slots. No cycle waits for the slowest receiver.
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
from typing import TypeVar

import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connections

from payments.core import clock, clock_skew, jobs
from payments.core.tasks import beat
from webhooks import event_loop, leases, signing, waiting
from webhooks.models import Failure
from webhooks.sender import DeliveryResponse, Sender
from webhooks.services import DISPATCH_TASK

log = structlog.get_logger(__name__)

T = TypeVar("T")
HEARTBEAT = "pump"
HEARTBEAT_SECONDS = 5.0
# Results are written to the database in groups: when there are so many, or after so long.
FLUSH_COUNT = 100
FLUSH_SECONDS = 0.05
# A claim that found deliveries will probably find more, so the next claim waits no longer than
# this.
EAGER_SECONDS = 0.01
# How often it looks for new events while it only waits for slow receivers.
POLL_SECONDS = 0.1
# How often it looks for merchants that got a URL. Each of them also sends a wake-up.
RELEASE_SECONDS = 0.25
# Pauses between attempts to reach an unavailable database. After the last one the run ends, the
# leases expire, and the scanner starts another run.
BACK_OFF_SECONDS = (0.2, 0.5, 1.0, 2.0, 4.0, 4.0, 4.0, 4.0)


@dataclass(slots=True)
class Summary:
    """What one run did. `unrecorded` deliveries were sent, but the database was unavailable."""

    sent: int = 0
    cycles: int = 0
    unrecorded: int = 0


class Dispatcher:
    """One run: `event_loop.run(Dispatcher().run())`. Other threads may call `wake` and `stop`."""

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
        self._sends: dict[asyncio.Task[None], float] = {}  # send -> its start, oldest first
        self._results: list[leases.Result] = []
        self._oldest_result_at = 0.0
        self._claimed_count = 0
        self._failures = 0
        self._beat_at = self._released_at = float("-inf")
        self._event_loop: asyncio.AbstractEventLoop | None = None
        self.is_stopping = False
        self.is_woken = False
        self.summary = Summary()

    async def run(self) -> Summary:
        """Sends until nothing is due or the time is over, then waits for the sends in flight."""
        self._event_loop = asyncio.get_running_loop()
        self._wakeup = asyncio.Event()
        # The thread of all queries, because Django's connections belong to threads.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="webhook-dispatcher-db")
        try:
            async with self._open_sender() as self._sender:
                await self._loop(ends_at=self._event_loop.time() + self._run_seconds)
        finally:
            self.summary.unrecorded = len(self._results)
            await self._in_thread(connections.close_all)
            self._thread.shutdown()
        return self.summary

    def stop(self) -> None:
        """Claims nothing more. `run` returns when the sends in flight are recorded."""
        self.is_stopping = True
        self.wake()

    def wake(self) -> None:
        """Starts the next cycle at once."""
        self.is_woken = True
        # A run that has just ended has no loop. Then run() below reads is_woken.
        with contextlib.suppress(RuntimeError, AttributeError):
            self._event_loop.call_soon_threadsafe(self._wakeup.set)  # type: ignore[union-attr]

    async def _loop(self, *, ends_at: float) -> None:
        try:
            while await self._cycle():
                await self._pause()
                if time.monotonic() > ends_at and not self.is_stopping:
                    self.is_stopping = True
                    await self._in_thread(jobs.enqueue, DISPATCH_TASK)
        finally:
            # Only after a lasting loss of the database, or a cancellation.
            for send in self._sends:
                send.cancel()
            await asyncio.gather(*self._sends, return_exceptions=True)

    async def _cycle(self) -> bool:
        """Records results and claims deliveries. Returns False when nothing is left to do."""
        self.is_woken = False
        results, self._results = self._results, []
        size = 0 if self.is_stopping else min(self._free_slots(), settings.WEBHOOK_CLAIM_SIZE)
        try:
            claimed = await self._in_thread(self._sync, results, size)
        except (DatabaseError, InterfaceError) as error:
            self._results = results + self._results
            return await self._back_off(error)
        self._failures = 0
        self._claimed_count = len(claimed)
        self.summary.cycles += 1
        for delivery in claimed:
            self._start(delivery)
        return bool(self._sends or self._results or self.is_woken)

    def _sync(self, results: list[leases.Result], size: int) -> list[leases.Claimed]:
        """Runs in the thread of all queries."""
        try:
            leases.record(results)
            self._beat()
            self._mark_pending()
            if not size or clock_skew.is_wrong():
                return []  # the signatures would have a wrong time
            return leases.claim(now=self._now(), size=size)
        except (DatabaseError, InterfaceError):
            # The next cycle opens another connection.
            connections.close_all()
            raise

    def _beat(self) -> None:
        # The heartbeat task may wait until this run ends.
        if time.monotonic() - self._beat_at > HEARTBEAT_SECONDS:
            beat(HEARTBEAT)
            self._beat_at = time.monotonic()

    def _mark_pending(self) -> None:
        if not self.is_stopping and time.monotonic() - self._released_at > RELEASE_SECONDS:
            count = waiting.mark_pending(now=self._now())
            self._released_at = time.monotonic()
            if count >= waiting.MARK_PENDING_SIZE:
                self._released_at = float("-inf")
                self.is_woken = True

    async def _back_off(self, error: Exception) -> bool:
        """Waits for the database. Returns False after the last pause or without work."""
        log.warning("webhook.database_away", error=type(error).__name__, results=len(self._results))
        is_needed = bool(self._sends or self._results)
        if not is_needed or self._failures >= len(BACK_OFF_SECONDS):
            return False
        await asyncio.sleep(BACK_OFF_SECONDS[self._failures])
        self._failures += 1
        return True

    async def _pause(self) -> None:
        """Waits for results to record, free slots or a wake-up."""
        until = time.monotonic() + (
            EAGER_SECONDS if self._claimed_count and self._free_slots() else POLL_SECONDS
        )
        while self._sends and not self.is_woken and len(self._results) < FLUSH_COUNT:
            if self._results:
                until = min(until, self._oldest_result_at + FLUSH_SECONDS)
            self._wakeup.clear()
            try:
                async with asyncio.timeout(until - time.monotonic()):
                    await self._wakeup.wait()
            except TimeoutError:
                return

    def _free_slots(self) -> int:
        """Slow sends take no slot until there are WEBHOOK_MAX_SENDS in all."""
        slow_since = time.monotonic() - settings.WEBHOOK_SLOW_AFTER_SECONDS
        # The oldest come first.
        slow = sum(1 for _ in itertools.takewhile(lambda t: t < slow_since, self._sends.values()))
        in_flight = len(self._sends)
        slots: int = min(
            settings.WEBHOOK_WINDOW - (in_flight - slow), settings.WEBHOOK_MAX_SENDS - in_flight
        )
        return max(0, slots)

    def _start(self, delivery: leases.Claimed) -> None:
        send = asyncio.create_task(self._send(delivery))
        self._sends[send] = time.monotonic()
        send.add_done_callback(self._on_done)

    def _on_done(self, send: asyncio.Task[None]) -> None:
        del self._sends[send]
        if not self._sends or len(self._results) in (1, FLUSH_COUNT):
            self._wakeup.set()

    async def _send(self, delivery: leases.Claimed) -> None:
        started_at = self._now()
        response = await self._response(delivery, started_at)
        if not self._results:
            self._oldest_result_at = time.monotonic()
        self.summary.sent += 1
        self._results.append(
            leases.Result(
                claimed=delivery, started_at=started_at, finished_at=self._now(), response=response
            )
        )

    async def _response(self, delivery: leases.Claimed, started_at: datetime) -> DeliveryResponse:
        if delivery.secret is None:
            return DeliveryResponse(duration_ms=0, error=Failure.INTERNAL)
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
            # The failure counts as an attempt, because otherwise the delivery would be due again at
            # once, for ever.
            log.exception("webhook.attempt_failed", delivery=delivery.id)
            return DeliveryResponse(duration_ms=0, error=Failure.INTERNAL)

    async def _in_thread(self, function: Callable[..., T], *args: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, function, *args)


_lock = threading.Lock()
_current: Dispatcher | None = None


def run() -> Summary | None:
    """Runs the dispatcher of this process. If it runs already, wakes it and returns None."""
    global _current
    with _lock:
        if _current is not None:
            _current.wake()
            return None
        dispatcher = _current = Dispatcher()
    try:
        while True:
            summary = event_loop.run(dispatcher.run())
            with _lock:
                # A wake-up after the last cycle starts another run now.
                if dispatcher.is_stopping or not dispatcher.is_woken:
                    _current = None
                    return summary
                dispatcher = _current = Dispatcher()
    except BaseException:
        with _lock:
            _current = None
        raise


def stop() -> None:
    """Called when the worker shuts down."""
    with _lock:
        if _current is not None:
            _current.stop()
