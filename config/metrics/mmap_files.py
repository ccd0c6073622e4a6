"""Allocates disk space before prometheus_client writes its multiprocess files.

The package writes sparse files by mmap, so a full disk ends the process with SIGBUS. With this
module a value stays in memory, and out of scrapes, until there is space again.
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
# How long it does not write after the disk was full.
PAUSE_SECONDS = 10.0


class AllocatedMmapDict(MmapedDict):
    """Callers must hold the lock of prometheus_client."""

    def __init__(self, filename: str, read_mode: bool = False) -> None:
        self._name = filename
        # The file of the parent class. None until there is space for it.
        self._f: Any = None
        self._unwritten: dict[str, tuple[float, float]] = {}
        self._positions: dict[str, int] = {}
        self._next_try = 0.0
        if read_mode:
            super().__init__(filename, read_mode)
        else:
            self._allocate()

    def read_value(self, key: str) -> tuple[float, float]:
        if self._has_place(key):
            value: tuple[float, float] = super().read_value(key)
            return value
        return self._unwritten.setdefault(key, (0.0, 0.0))

    def write_value(self, key: str, value: float, timestamp: float) -> None:
        if self._has_place(key):
            super().write_value(key, value, timestamp)
            self._unwritten.pop(key, None)
        else:
            self._unwritten[key] = (value, timestamp)

    def _has_place(self, key: str) -> bool:
        if key in self._positions:
            return True
        if time.monotonic() < self._next_try or not self._allocate(key):
            return False
        self._init_value(key)
        if key in self._unwritten:
            super().write_value(key, *self._unwritten.pop(key))
        return True

    def _allocate(self, key: str = "") -> bool:
        try:
            self._open()
            # An entry has the key's length, the key, up to 7 bytes of padding, and two doubles.
            while self._used + len(key.encode()) + 32 > self._capacity:
                self._grow()
        except OSError as error:
            self._next_try = time.monotonic() + PAUSE_SECONDS
            log.warning("metrics.disk_full", file=self._name, error=str(error))
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
    """Call it before the first metric is made."""
    values.MmapedDict = AllocatedMmapDict  # type: ignore[misc]
