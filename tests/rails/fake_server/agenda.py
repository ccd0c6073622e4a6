"""What the fake does later, on time: publish a URL, resolve, deliver. It survives a restart."""

import asyncio
import heapq
import time
from collections.abc import Awaitable, Callable

from tests.rails.fake_server.store import Table

Perform = Callable[[str, str], Awaitable[None]]


class Agenda:
    """An entry is removed after it was performed: a kill in between performs it again."""

    def __init__(self, table: Table, perform: Perform) -> None:
        self._table = table
        self._perform = perform
        self._heap = [(entry["due"], key) for key, entry in table.as_dict().items()]
        heapq.heapify(self._heap)
        self._wake = asyncio.Event()
        self._running: set[asyncio.Task[None]] = set()

    def add(self, delay_seconds: float, action: str, subject: str) -> None:
        due = time.time() + delay_seconds
        key = self._table.append({"due": due, "action": action, "subject": subject})
        heapq.heappush(self._heap, (due, key))
        self._wake.set()

    def clear(self) -> None:
        self._table.clear()
        self._heap.clear()

    async def stop(self) -> None:
        """What is under way stays in the table."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    async def run(self) -> None:
        while True:
            self._wake.clear()
            self._start_due()
            wait = self._heap[0][0] - time.time() if self._heap else None
            try:
                await asyncio.wait_for(self._wake.wait(), wait)
            except TimeoutError:
                continue

    def _start_due(self) -> None:
        while self._heap and self._heap[0][0] <= time.time():
            _, key = heapq.heappop(self._heap)
            if key in self._table:
                task = asyncio.get_running_loop().create_task(self._finish(key))
                self._running.add(task)
                task.add_done_callback(self._running.discard)

    async def _finish(self, key: str) -> None:
        entry = self._table[key]
        await self._perform(entry["action"], entry["subject"])
        self._table.remove(key)
