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


def beat(directory: Path) -> None:
    """Of this process, whose parent is the web server."""
    path = directory / f"{os.getppid()}-{os.getpid()}"
    with contextlib.suppress(OSError):  # a full disk: an empty file needs no room, a new one may
        directory.mkdir(parents=True, exist_ok=True)
        path.touch()


class Watch:
    """Of the workers of the web server `server`. Counts on our own clock, never on a file's.

    So a machine that slept has no frozen workers when it wakes up.
    """

    def __init__(self, directory: Path, silent_seconds: float = SILENT_SECONDS) -> None:
        self.directory = directory
        self.silent_seconds = silent_seconds
        self.seen: dict[Path, tuple[int, float]] = {}

    def end_silent(self, server: int) -> list[int]:
        """Kills them, and returns their ids."""
        now = time.monotonic()
        ended = []
        for path in self.directory.glob(f"{server}-*"):
            pid = int(path.name.partition("-")[2])
            if pid == os.getpid():
                continue
            with contextlib.suppress(OSError):
                touched = path.stat().st_mtime_ns
                if self.seen.get(path, (0, 0.0))[0] != touched:
                    self.seen[path] = (touched, now)
                elif now - self.seen[path][1] > self.silent_seconds:
                    path.unlink()
                    if _is_child(pid, server):
                        os.kill(pid, signal.SIGKILL)
                        ended.append(pid)
        return ended


def _is_child(pid: int, server: int) -> bool:
    """Its number may be somebody else's by now."""
    return os.getsid(pid) == os.getsid(server)
