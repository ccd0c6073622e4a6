"""A web worker that stands still is noticed by the others, and by the supervisor of `make run`.

The processes of a web server share one port: of two, a frozen one takes half of the connections,
and probes that happen to reach the other say that all is well. So each touches a file of its own
once a second, and whoever sees that one stays as it was kills that process; the server starts
another in its place.
"""

import contextlib
import os
import signal
import time
from pathlib import Path

BEAT_SECONDS = 1.0
# Far above what a busy machine delays a beat by.
SILENT_SECONDS = 20.0
# Between two looks no more than that counts as silence, however long it was.
LOOK_SECONDS = 2 * BEAT_SECONDS


def beat(directory: Path) -> None:
    """Of this process, whose parent is the web server."""
    path = directory / f"{os.getppid()}-{os.getpid()}"
    with contextlib.suppress(OSError):  # a full disk: an empty file needs no room, a new one may
        directory.mkdir(parents=True, exist_ok=True)
        path.touch()


class Watch:
    """Of the workers of the web server `server`. Counts on our own clock, never on a file's.

    What counts is how long a worker was silent while we looked. When nobody ran for a while (a
    machine that slept, a container that was paused, a core that others took), we did not look
    either: then nobody is frozen.
    """

    def __init__(self, directory: Path, silent_seconds: float = SILENT_SECONDS) -> None:
        self.directory = directory
        self.silent_seconds = silent_seconds
        self.looked_at = time.monotonic()
        # When each file was touched, and how long it has been silent since.
        self.seen: dict[Path, tuple[int, float]] = {}

    def end_silent(self, server: int) -> list[int]:
        """Kills them, and returns their ids."""
        now = time.monotonic()
        passed = min(now - self.looked_at, LOOK_SECONDS)
        self.looked_at = now
        before, self.seen = self.seen, {}
        ended = []
        # Also when there is no descriptor left for the directory.
        with contextlib.suppress(OSError):
            for path in list(self.directory.glob(f"{server}-*")):
                pid = int(path.name.partition("-")[2])
                if pid != os.getpid() and self._is_silent(path, before.get(path), passed):
                    ended += _end(pid, path, server)
        return ended

    def _is_silent(self, path: Path, before: tuple[int, float] | None, passed: float) -> bool:
        try:
            touched = path.stat().st_mtime_ns
        except OSError:  # it has gone
            return False
        silent = before[1] + passed if before and before[0] == touched else 0.0
        self.seen[path] = (touched, silent)
        return silent > self.silent_seconds


def _end(pid: int, path: Path, server: int) -> list[int]:
    with contextlib.suppress(OSError):
        path.unlink()
        if _is_child(pid, server):
            os.kill(pid, signal.SIGKILL)
            return [pid]
    return []


def _is_child(pid: int, server: int) -> bool:
    """Its number may be somebody else's by now."""
    return os.getsid(pid) == os.getsid(server)
