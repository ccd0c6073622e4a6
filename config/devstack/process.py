"""Starting and stopping one child process so that nothing outlives whoever started it.

Every child leads a session of its own: a Ctrl-C in the terminal reaches the supervisor alone,
which then stops the children in its own order.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from config.devstack.os_user import OsUser

PR_SET_PDEATHSIG = 1


class StackError(Exception):
    """Something an operator can act upon; the text is shown as it stands."""


def never() -> bool:
    """Nobody is in a hurry."""
    return False


def spawn(
    command: Sequence[str],
    *,
    log: Path,
    env: Mapping[str, str] | None = None,
    cwd: Path | str = "/",
    death_signal: signal.Signals = signal.SIGTERM,
    identity: OsUser | None = None,
) -> subprocess.Popen[bytes]:
    """Start `command` with its output appended to `log`. Call it from the main thread only.

    The kernel sends `death_signal` when the thread that made the child ends, hence the rule.
    """
    with open(log, "ab") as output:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=dict(env) if env is not None else None,
            cwd=cwd,
            start_new_session=True,
            preexec_fn=_die_with_parent(death_signal),
            **(identity or OsUser()).popen_options(),
        )


def _die_with_parent(death_signal: signal.Signals) -> Callable[[], None]:
    """For the child, after it changed its user: changing the user would clear the request."""
    parent = os.getpid()
    prctl = ctypes.CDLL(None, use_errno=True).prctl if sys.platform == "linux" else None

    def prepare() -> None:
        if prctl is not None:
            prctl(PR_SET_PDEATHSIG, death_signal)
            if os.getppid() != parent:  # The parent died before the kernel knew of the wish.
                os._exit(1)

    return prepare


def stop(
    process: subprocess.Popen[bytes],
    *,
    first: signal.Signals = signal.SIGTERM,
    grace_seconds: float = 10,
    hurry: Callable[[], bool] = never,
) -> None:
    """Ask the main process to end; after the grace, or once `hurry()` says so, kill its session."""
    deadline = time.monotonic() + grace_seconds
    if process.poll() is None:
        process.send_signal(first)
    while process.poll() is None and time.monotonic() < deadline and not hurry():
        time.sleep(0.02)
    sweep(process)
    process.wait()


def sweep(process: subprocess.Popen[bytes]) -> None:
    """Kill what is left of the child's session, so that a restart finds its port free."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def tail(log: Path, lines: int = 15) -> str:
    """The end of a log, for a message about the process that wrote it."""
    try:
        text = log.read_text(errors="replace")
    except FileNotFoundError:
        return ""
    return "\n".join(text.splitlines()[-lines:])
