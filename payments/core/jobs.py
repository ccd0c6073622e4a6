"""The doorbell: asks a worker to look at the database sooner. It may be lost, never waited for.

Every job that matters is a row with a due time; a beat scanner finds what the doorbell lost.
"""

import os
import queue
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import structlog
from celery import current_app
from django.conf import settings
from django.db import transaction

log = structlog.get_logger(__name__)
Ring = tuple[str, tuple[Any, ...]]
RING_EXPIRES_SECONDS = 60


def enqueue(task: str, *args: Any) -> None:
    """Rings for the Celery task named by the dotted path `task`, once the transaction commits."""
    if settings.DOORBELL:
        request_id = structlog.contextvars.get_contextvars().get("request_id")
        transaction.on_commit(partial(_doorbell.ring, (task, args), request_id))


class Doorbell:
    """Sends rings from a thread of its own: a hanging Redis must not delay an API answer.

    Equal rings that wait together are sent once. When the thread cannot keep up, rings are
    dropped: the scanner will find the rows.
    """

    def __init__(self, send: Callable[[Ring, str | None], None], capacity: int = 1000) -> None:
        self._send = send
        self._capacity = capacity
        self._lock = threading.Lock()
        self._start()

    def _start(self) -> None:
        self._pid = os.getpid()
        self._waiting: queue.Queue[tuple[Ring, str | None]] = queue.Queue(self._capacity)
        self._queued: set[Ring] = set()
        self._thread: threading.Thread | None = None

    def ring(self, ring: Ring, request_id: str | None = None) -> None:
        """Queues the ring and returns at once. `request_id` goes into the log of the task."""
        with self._lock:
            if self._pid != os.getpid():  # threads do not survive a fork
                self._start()
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="doorbell", daemon=True)
                self._thread.start()
            if ring in self._queued:
                return
            try:
                self._waiting.put_nowait((ring, request_id))
            except queue.Full:
                log.warning("doorbell.dropped", task=ring[0])
                return
            self._queued.add(ring)

    def _work(self) -> None:
        while True:
            ring, request_id = self._waiting.get()
            with self._lock:
                self._queued.discard(ring)
            try:
                self._send(ring, request_id)
            except Exception as error:
                log.warning("doorbell.failed", task=ring[0], error=type(error).__name__)


def _send_to_celery(ring: Ring, request_id: str | None) -> None:
    task, args = ring
    headers = {"request_id": request_id} if request_id else None
    current_app.send_task(
        task,
        args,
        expires=RING_EXPIRES_SECONDS,
        # The scanners, whose messages are stale after seconds, must not wait behind a long queue
        # of rings for what they would find themselves.
        priority=settings.RING_PRIORITY,
        retry=False,
        headers=headers,
    )


_doorbell = Doorbell(_send_to_celery)
