"""Starts and stops child processes, which end with their parent.

Each child leads its own session, so that Ctrl-C reaches only the supervisor, which stops the
children in order.
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
    """Its text is printed for the operator without a traceback."""


def never() -> bool:
    return False


@dataclass(frozen=True, kw_only=True)
class Program:
    """The kernel sends `death_signal` when the thread that started the program ends."""

    command: Sequence[str]
    log: Path
    env: dict[str, str] | None = None
    cwd: Path | str = "/"
    death_signal: signal.Signals = signal.SIGTERM
    user: OsUser = field(default_factory=OsUser)


def spawn(program: Program) -> subprocess.Popen[bytes]:
    """Call it in the main thread only (see `death_signal`). The output is appended to the log."""
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
    """Runs as preexec_fn, after the change of user, because a change of user clears the setting."""
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
    """Sends the signal `first`.

    Kills the session after the grace time, or when `hurry()` is true.
    """
    deadline = time.monotonic() + grace_seconds
    if process.poll() is None:
        process.send_signal(first)
    while process.poll() is None and time.monotonic() < deadline and not hurry():
        time.sleep(0.02)
    sweep(process)
    process.wait()


def sweep(process: subprocess.Popen[bytes]) -> None:
    """Kills what is left of the child's session, so that its port is free for a restart."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def tail(log: Path, lines: int = 15) -> str:
    try:
        text = log.read_text(errors="replace")
    except FileNotFoundError:
        return ""
    return "\n".join(text.splitlines()[-lines:])


class Server:
    """A child process that is started and stopped with others."""

    name: str
    title: str
    first_signal = signal.SIGTERM
    grace_seconds = 10.0

    def __init__(self, log: Path) -> None:
        self.log = log
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        raise NotImplementedError

    def stop(self, *, grace_seconds: float = 0, hurry: Callable[[], bool] = never) -> None:
        if self.process is not None:
            grace = grace_seconds or self.grace_seconds
            stop(self.process, first=self.first_signal, grace_seconds=grace, hurry=hurry)

    def has_ended(self) -> bool:
        return self.process is None or self.process.poll() is not None

    def wait_until_ready(
        self,
        connect: Callable[[], object],
        refused: type[Exception] | tuple[type[Exception], ...],
        seconds: float,
    ) -> None:
        """Returns when `connect` raises no `refused`. Else stops the child, raises StackError."""
        deadline = time.monotonic() + seconds
        try:
            while not self.has_ended():
                try:
                    connect()
                    return
                except refused as error:
                    if time.monotonic() > deadline:
                        raise StackError(f"{self.title} does not respond: {error}") from error
                    time.sleep(0.02)
            raise StackError(f"{self.title} did not start. Its log ends:\n{tail(self.log)}")
        except BaseException:
            self.stop()
            raise
