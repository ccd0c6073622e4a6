"""The files in which processes add up their figures, with room that is theirs.

prometheus_client makes them sparse and writes by mmap: on a full disk the first byte of a page that
has no room ends the process (SIGBUS). Here the room is taken first. Where there is none the value
is kept in memory, is in no scrape, and is written once there is room again.
"""

import mmap
import os
import time
from typing import Any

import structlog
from prometheus_client import values
from prometheus_client.mmap_dict import MmapedDict

log = structlog.get_logger(__name__)
FIRST_BYTES = 1 << 16
# A full disk is tried again after so long, by the next figure that is written.
PAUSE_SECONDS = 10.0


class AllocatedDict(MmapedDict):
    """Never longer than what the disk has given. Callers hold prometheus_client's lock."""

    def __init__(self, filename: str, read_mode: bool = False) -> None:
        self._name = filename
        self._f: Any = None
        self._homeless: dict[str, tuple[float, float]] = {}
        self._positions: dict[str, int] = {}
        self._next_try = 0.0
        if read_mode:
            super().__init__(filename, read_mode)
        else:
            self._allocate()

    def read_value(self, key: str) -> tuple[float, float]:
        """As its parent, also without a place for it."""
        if self._has_place(key):
            found: tuple[float, float] = super().read_value(key)
            return found
        return self._homeless.setdefault(key, (0.0, 0.0))

    def write_value(self, key: str, value: float, timestamp: float) -> None:
        """As its parent, also without a place for it."""
        if self._has_place(key):
            super().write_value(key, value, timestamp)
            self._homeless.pop(key, None)
        else:
            self._homeless[key] = (value, timestamp)

    def _has_place(self, key: str) -> bool:
        """Makes one, where there is room."""
        if key in self._positions:
            return True
        if time.monotonic() < self._next_try or not self._allocate(key):
            return False
        self._init_value(key)
        if key in self._homeless:
            super().write_value(key, *self._homeless.pop(key))
        return True

    def _allocate(self, key: str = "") -> bool:
        try:
            self._open()
            # Its length, 7 for the padding, and two doubles.
            while self._used + len(key.encode()) + 32 > self._capacity:
                self._grow()
        except OSError as error:
            self._next_try = time.monotonic() + PAUSE_SECONDS
            log.warning("metrics.no_room", file=self._name, error=str(error))
            return False
        return True

    def _open(self) -> None:
        if self._f is not None:
            return
        with open(self._name, "ab") as file:
            size = os.fstat(file.fileno()).st_size or FIRST_BYTES
            os.posix_fallocate(file.fileno(), 0, size)
        super().__init__(self._name)

    def _grow(self) -> None:
        os.posix_fallocate(self._f.fileno(), 0, self._capacity * 2)
        self._m = mmap.mmap(self._f.fileno(), self._capacity * 2)
        self._capacity *= 2


def install() -> None:
    """Before the first figure is made."""
    values.MmapedDict = AllocatedDict  # type: ignore[misc]
