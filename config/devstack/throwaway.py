"""Temporary directories for the servers of a test run or a demo."""

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

from config.devstack.os_user import database_user
from config.devstack.process import StackError

PLACES = ("/tmp", "/var/tmp")


def make_throwaway(purpose: str) -> Path:
    """A new directory in the first place that the database's user can enter."""
    sweep_abandoned(purpose)
    user = database_user()
    for place in (tempfile.gettempdir(), *PLACES):
        if user.can_enter(Path(place)):
            root = Path(tempfile.mkdtemp(prefix=f"{_prefix(purpose)}{os.getpid()}-", dir=place))
            root.chmod(0o711 if os.geteuid() == 0 else 0o700)
            return root
    raise StackError("No temporary directory that PostgreSQL's user can enter.")


def sweep_abandoned(purpose: str) -> None:
    """Removes directories of processes that were killed."""
    prefix = _prefix(purpose)
    for place in {tempfile.gettempdir(), *PLACES}:
        for left in Path(place).glob(f"{prefix}*"):
            owner = left.name.removeprefix(prefix).partition("-")[0]
            # Another run may sweep at the same time.
            with contextlib.suppress(FileNotFoundError):
                if left.stat().st_uid == os.geteuid() and not _alive(owner):
                    shutil.rmtree(left, ignore_errors=True)


def _prefix(purpose: str) -> str:
    return f"pasarela-{purpose}-"


def _alive(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except PermissionError:  # another user's
        return True
    except (ValueError, ProcessLookupError):
        return False
    return True
