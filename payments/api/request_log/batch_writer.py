"""Writes calls to the table in batches, from a thread of its own.

The first call of each process starts the thread, because web servers fork or spawn after import.
The queue is bounded: without the database it keeps the newest calls, and counts and drops others.
"""

import os
import threading
from collections import deque
from contextlib import suppress
from multiprocessing import util

import structlog
from django.db import InterfaceError, OperationalError, connection, transaction

from payments.api.request_log.call import Call
from payments.api.request_log.rows import COLUMNS, as_row

log = structlog.get_logger(__name__)
QUEUE_MAX = 5_000
BATCH_MAX = 500
INTERVAL_SECONDS = 0.5
# After a failure.
PAUSE_SECONDS = 5.0
UNREACHABLE = (OperationalError, InterfaceError, OSError)
_COPY = f"COPY api_apicall ({', '.join(COLUMNS)}) FROM STDIN"


class Writer:
    """One for each process. Requests only call `add`."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Empties the queue after a fork, because the parent keeps its thread and its calls."""
        self.calls: deque[Call] = deque()
        self.lost = 0
        self.threaded = True
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()
        self._flushing = threading.Lock()
        self._stopping = threading.Event()

    def add(self, call: Call) -> None:
        """Never waits. A full queue drops its oldest call and counts it."""
        if len(self.calls) >= QUEUE_MAX:
            with suppress(IndexError):  # The thread may have emptied the queue.
                self.calls.popleft()
                self.lost += 1
        self.calls.append(call)
        if self._thread is None and self.threaded:
            self._start()

    def flush(self) -> bool:
        """Writes the queue. Returns False, and keeps the calls, if the database is unavailable."""
        # At the end of a process the thread may still be writing. The log is not worth a long wait.
        if not self._flushing.acquire(timeout=INTERVAL_SECONDS):
            return False
        try:
            for _batch in range(1 + len(self.calls) // BATCH_MAX):
                batch = [self.calls.popleft() for _ in range(min(BATCH_MAX, len(self.calls)))]
                if left := self._write(batch):
                    self._put_back(left)
                    return False
            return True
        finally:
            self._flushing.release()

    def _start(self) -> None:
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="api-log", daemon=True)
                self._thread.start()
                # Not atexit: processes of multiprocessing run only finalizers. In other processes
                # atexit runs the finalizers.
                util.Finalize(None, self.finish, exitpriority=0)

    def finish(self) -> None:
        """Called at the end of the process. Ends the thread and writes the queue."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(INTERVAL_SECONDS)
        self.flush()
        self._report_lost()

    def _run(self) -> None:
        while not self._stopping.wait(INTERVAL_SECONDS):
            if not self.flush():
                self._stopping.wait(PAUSE_SECONDS)
            self._report_lost()
        connection.close()

    def _report_lost(self) -> None:
        if self.lost:
            log.warning("api_log.lost", calls=self.lost)
            self.lost = 0

    def _put_back(self, batch: list[Call]) -> None:
        """Puts the newest calls of the batch back before later ones, if there is room."""
        room = min(len(batch), max(0, QUEUE_MAX - len(self.calls)))
        self.lost += len(batch) - room
        self.calls.extendleft(reversed(batch[len(batch) - room :]))

    def _write(self, batch: list[Call]) -> list[Call]:
        """Returns the calls that are left because the database is unavailable.

        Halves a batch until it finds the row that the database refuses. Only that row is lost.
        """
        if not batch:
            return []
        try:
            _copy([as_row(call) for call in batch])
        except UNREACHABLE as error:
            reason = str(error).partition("\n")[0]
            log.warning("api_log.not_written", error=reason, calls=len(batch))
            return batch
        except Exception as error:  # the database would refuse the row again
            if len(batch) > 1:
                middle = len(batch) // 2
                left = self._write(batch[:middle])
                return left + batch[middle:] if left else self._write(batch[middle:])
            log.warning("api_log.defect", error=type(error).__name__, exc_info=True)
            self.lost += 1
        return []


def _copy(rows: list[tuple[object, ...]]) -> None:
    if not connection.in_atomic_block:  # only in tests
        connection.close_if_unusable_or_obsolete()
    with transaction.atomic(), connection.cursor() as cursor:
        # A crash of the database may cost the last rows, so a commit need not wait for the disk.
        cursor.execute("SET LOCAL synchronous_commit TO off")
        # Django's cursor does not translate errors of COPY, which is a method of the driver.
        with connection.wrap_database_errors, cursor.copy(_COPY) as copy:
            for row in rows:
                copy.write_row(row)


writer = Writer()
os.register_at_fork(after_in_child=writer.reset)
