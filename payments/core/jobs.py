"""Wake-ups: messages that make a worker look at the database sooner.

Every job is a row with a due time, so a scanner finds it when its message is lost.
"""

import os
import queue
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from functools import partial

import structlog
from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string

from payments.core import celery_message
from payments.core.celery_message import Message

log = structlog.get_logger(__name__)
# A Celery task by its dotted path, and its arguments.
WakeUp = tuple[str, tuple[object, ...]]
EXPIRES_SECONDS = 60
# Under load, wake-ups for single rows leave together: up to so many rows, once in so many seconds.
# A message took as long as the rest of POST /payout (docs/decisions/0008).
MOST_TOGETHER = 10
GATHER_SECONDS = 0.05


def enqueue(task: str, *args: object) -> None:
    """Sends a wake-up for the Celery task with this dotted path after the transaction commits.

    A task with arguments takes any number of them: it may get those of several wake-ups.
    """
    if settings.DOORBELL:
        request_id = structlog.contextvars.get_contextvars().get("request_id")
        sender = _gathering_sender if args else _sender
        transaction.on_commit(partial(sender.send_soon, (task, args), request_id))


class WakeUpSender:
    """Sends from its own thread, because a Redis that hangs must not delay an API response.

    Equal wake-ups in the queue are sent once. A full queue drops new ones. The first wake-up
    after a pause leaves at once; with `gather_seconds` later ones wait so long for each other, and
    up to `most` of one task are one message.
    """

    def __init__(
        self,
        send: Callable[[WakeUp, str | None], None],
        capacity: int = 1000,
        *,
        gather_seconds: float = 0,
        most: int = 1,
    ) -> None:
        self._send = send
        self._capacity = capacity
        self._gather_seconds = gather_seconds
        self._most = most
        self._lock = threading.Lock()
        self._reset()

    def _reset(self) -> None:
        self._pid = os.getpid()
        self._waiting: queue.Queue[tuple[WakeUp, str | None]] = queue.Queue(self._capacity)
        self._queued: set[WakeUp] = set()
        self._thread: threading.Thread | None = None

    def send_soon(self, wake_up: WakeUp, request_id: str | None = None) -> None:
        """Never waits. `request_id` goes into the log of the task."""
        with self._lock:
            if self._pid != os.getpid():  # threads do not survive a fork
                self._reset()
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="wake-ups", daemon=True)
                self._thread.start()
            if wake_up in self._queued:
                return
            try:
                self._waiting.put_nowait((wake_up, request_id))
            except queue.Full:
                log.warning("wake_up.dropped", task=wake_up[0])
                return
            self._queued.add(wake_up)

    def _work(self) -> None:
        while True:
            for wake_up, request_id in self._take():
                try:
                    self._send(wake_up, request_id)
                except Exception as error:
                    log.warning("wake_up.failed", task=wake_up[0], error=type(error).__name__)
            if self._gather_seconds:
                time.sleep(self._gather_seconds)

    def _take(self) -> list[tuple[WakeUp, str | None]]:
        """Waits for the first. Messages for several requests have no request id."""
        taken = [self._waiting.get()]
        while len(taken) < self._most and not self._waiting.empty():
            taken.append(self._waiting.get())  # only this thread takes
        with self._lock:
            self._queued.difference_update(wake_up for wake_up, _ in taken)
        if len(taken) == 1:
            return taken
        together: dict[str, list[object]] = defaultdict(list)
        for (task, args), _ in taken:
            together[task].extend(args)
        return [((task, tuple(args)), None) for task, args in together.items()]


def _send_to_celery(wake_up: WakeUp, request_id: str | None) -> None:
    task, args = wake_up
    sent = Message(
        task=task,
        args=args,
        expires_seconds=EXPIRES_SECONDS,
        # Messages of the scanners expire after seconds and must not wait behind many wake-ups.
        priority=settings.WAKE_UP_PRIORITY,
        headers={"request_id": request_id} if request_id else {},
    )
    if not celery_message.push(sent):
        _send_by_celery(sent)


def _send_by_celery(message: Message) -> None:
    """For brokers other than Redis. Celery is imported here: it takes 7 MB of a web worker."""
    import_string(settings.TASKS_APP).send_task(
        message.task,
        message.args,
        expires=message.expires_seconds,
        priority=message.priority,
        retry=False,
        headers=message.headers or None,
    )


_sender = WakeUpSender(_send_to_celery)
_gathering_sender = WakeUpSender(_send_to_celery, gather_seconds=GATHER_SECONDS, most=MOST_TOGETHER)
