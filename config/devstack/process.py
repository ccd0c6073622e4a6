"""Starts and stops child processes that end with their parent.

Each child leads its own session: Ctrl-C reaches the supervisor only, which stops the children in
order.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from config.devstack.os_user import OsUser

PR_SET_PDEATHSIG = 1


class StackError(Exception):
    """An error for the operator; the text is printed without a traceback."""


def never() -> bool:
    return False


@dataclass(frozen=True, kw_only=True)
class Program:
    """The kernel sends `death_signal` when the thread that started it ends."""

    command: Sequence[str]
    log: Path
    env: dict[str, str] | None = None
    cwd: Path | str = "/"
    death_signal: signal.Signals = signal.SIGTERM
    user: OsUser = field(default_factory=OsUser)


def spawn(program: Program) -> subprocess.Popen[bytes]:
    """Appends the output to its log. Call it in the main thread only."""
    with open(program.log, "ab") as output:
        return subprocess.Popen(
            program.command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=program.env,
            cwd=program.cwd,
            start_new_session=True,
            preexec_fn=_die_with_parent(program.death_signal),
            **program.user.popen_options(),
        )


def _die_with_parent(death_signal: signal.Signals) -> Callable[[], None]:
    """Runs in the child after the change of user, which would clear the setting."""
    parent = os.getpid()
    prctl = ctypes.CDLL(None, use_errno=True).prctl if sys.platform == "linux" else None

    def prepare() -> None:
        if prctl is not None:
            prctl(PR_SET_PDEATHSIG, death_signal)
            if os.getppid() != parent:  # the parent had ended before the call
                os._exit(1)

    return prepare


def stop(
    process: subprocess.Popen[bytes],
    *,
    first: signal.Signals = signal.SIGTERM,
    grace_seconds: float = 10,
    hurry: Callable[[], bool] = never,
) -> None:
    """Sends `first`; kills the session after the grace, or as soon as `hurry()` is true."""
    deadline = time.monotonic() + grace_seconds
    if process.poll() is None:
        process.send_signal(first)
    while process.poll() is None and time.monotonic() < deadline and not hurry():
        time.sleep(0.02)
    sweep(process)
    process.wait()


def sweep(process: subprocess.Popen[bytes]) -> None:
    """Kills the rest of the child's session, so that its port is free for a restart."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def tail(log: Path, lines: int = 15) -> str:
    try:
        text = log.read_text(errors="replace")
    except FileNotFoundError:
        return ""
    return "\n".join(text.splitlines()[-lines:])
