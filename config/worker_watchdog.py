"""Kills a web worker that hangs, so that the web server starts another one.

Two workers share one port. A worker that hangs gets half of the connections, and a probe may not
notice, because it reaches the other worker. So each worker touches its file once a second, and
kills a worker whose file does not change. The supervisor of `make run` does the same.
"""

import contextlib
import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path

HEARTBEAT_SECONDS = 1.0
# Far above the delay that a busy machine causes.
SILENT_SECONDS = 20.0
# At most this much of the time between two checks counts as silence.
CHECK_SECONDS = 2 * HEARTBEAT_SECONDS


def touch_heartbeat(directory: Path) -> None:
    """Touches the file of this process, whose parent is the web server."""
    path = directory / f"{os.getppid()}-{os.getpid()}"
    with contextlib.suppress(OSError):  # the disk may be full
        directory.mkdir(parents=True, exist_ok=True)
        path.touch()


def silent_seconds(environment: Mapping[str, str]) -> float:
    return float(environment.get("WEB_SILENT_SECONDS") or SILENT_SECONDS)


class WorkerWatchdog:
    """Measures silence with its own clock, and only while it checks.

    Otherwise a suspended machine would look like processes that hang.
    """

    def __init__(self, directory: Path, silent_seconds: float = SILENT_SECONDS) -> None:
        self.directory = directory
        self.silent_seconds = silent_seconds
        self.checked_at = time.monotonic()
        # When each file was touched, and how long it has been silent since.
        self.seen: dict[Path, tuple[int, float]] = {}

    def kill_silent(self, server: int) -> list[int]:
        """Kills the silent workers of the web server with this process id. Returns their ids."""
        now = time.monotonic()
        passed = min(now - self.checked_at, CHECK_SECONDS)
        self.checked_at = now
        before, self.seen = self.seen, {}
        killed = []
        # The process may have no file descriptor left.
        with contextlib.suppress(OSError):
            for path in list(self.directory.glob(f"{server}-*")):
                pid = int(path.name.partition("-")[2])
                if pid != os.getpid() and self._is_silent(path, before.get(path), passed):
                    killed += _kill(pid, path, server)
        return killed

    def _is_silent(self, path: Path, before: tuple[int, float] | None, passed: float) -> bool:
        try:
            touched = path.stat().st_mtime_ns
        except OSError:  # removed
            return False
        silent = before[1] + passed if before and before[0] == touched else 0.0
        self.seen[path] = (touched, silent)
        return silent > self.silent_seconds


def _kill(pid: int, path: Path, server: int) -> list[int]:
    with contextlib.suppress(OSError):
        path.unlink()
        # The process id may belong to another process by now.
        if os.getsid(pid) == os.getsid(server):
            os.kill(pid, signal.SIGKILL)
            return [pid]
    return []
