"""Stop signals, and the lock that allows one supervisor per DATA_DIR."""

import contextlib
import fcntl
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from config.devstack.defaults import make_data_dir
from config.devstack.process import StackError


class StopSignals:
    """Counts Ctrl-C, SIGTERM and SIGHUP (a closed terminal). The second one kills."""

    def __init__(self) -> None:
        self.count = 0

    def listen(self) -> None:
        """The signal handlers only count. Code that waits must check the count."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._count)

    def _count(self, number: int, frame: FrameType | None) -> None:
        self.count += 1

    def is_stop_requested(self) -> bool:
        return self.count > 0

    def is_kill_requested(self) -> bool:
        return self.count > 1


@contextlib.contextmanager
def single_instance(data_dir: Path) -> Iterator[None]:
    """Raises StackError while another supervisor uses this DATA_DIR."""
    make_data_dir(data_dir)
    # The kernel releases the lock whenever the process ends.
    with open(data_dir / "lock", "a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise StackError(
                f"Already running on {data_dir} (process {lock.read().strip() or 'unknown'}). "
                f"For a second one: make run PORT=8001 DATA_DIR=.data-2"
            ) from None
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        yield
