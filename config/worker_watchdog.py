"""Kills a web worker that hangs, so that the web server starts another one.

The processes of a web server share one port: of two, a frozen one gets half of the connections,
and probes that happen to reach the other one succeed. So each touches a file of its own once a
second and kills a process whose file stays unchanged; so does the supervisor of `make run`.
"""

import contextlib
import os
import signal
import time
from pathlib import Path

HEARTBEAT_SECONDS = 1.0
# Far above the delay that a busy machine causes.
SILENT_SECONDS = 20.0
# Between two checks no more than this counts as silence, however long it was.
CHECK_SECONDS = 2 * HEARTBEAT_SECONDS


def touch_heartbeat(directory: Path) -> None:
    """Of this process, whose parent is the web server."""
    path = directory / f"{os.getppid()}-{os.getpid()}"
    with contextlib.suppress(OSError):  # a full disk: touching needs no space, a new file may
        directory.mkdir(parents=True, exist_ok=True)
        path.touch()


class WorkerWatchdog:
    """Counts on our own clock, never on a file's, and only the silence while we checked.

    When no process ran (a suspended machine, a paused container), we did not check either.
    """

    def __init__(self, directory: Path, silent_seconds: float = SILENT_SECONDS) -> None:
        self.directory = directory
        self.silent_seconds = silent_seconds
        self.checked_at = time.monotonic()
        # When each file was touched, and how long it has been silent since.
        self.seen: dict[Path, tuple[int, float]] = {}

    def kill_silent(self, server: int) -> list[int]:
        """Kills the silent workers of the web server with this id; their ids."""
        now = time.monotonic()
        passed = min(now - self.checked_at, CHECK_SECONDS)
        self.checked_at = now
        before, self.seen = self.seen, {}
        killed = []
        # Also when no descriptor is left for the directory.
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
        # The id may belong to another process by now.
        if os.getsid(pid) == os.getsid(server):
            os.kill(pid, signal.SIGKILL)
            return [pid]
    return []
