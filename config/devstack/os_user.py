"""The operating-system user that runs PostgreSQL, and the directories that it can enter.

PostgreSQL refuses to run as root, so for root it runs as `nobody`.
"""

import os
import pwd
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict


class PopenOptions(TypedDict, total=False):
    user: int
    group: int | None
    extra_groups: list[int]


@dataclass(frozen=True)
class OsUser:
    """`uid` is None for the current user."""

    uid: int | None = None
    gid: int | None = None

    @property
    def owner(self) -> int:
        return os.geteuid() if self.uid is None else self.uid

    def run(
        self,
        command: Sequence[str | Path],
        *,
        check: bool = False,
        env: dict[str, str] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd="/",
            env=env,
            capture_output=True,
            text=True,
            check=check,
            **self.popen_options(),
        )

    def popen_options(self) -> PopenOptions:
        """Arguments of subprocess that drop all rights of root."""
        if self.uid is None:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def can_enter(self, path: Path) -> bool:
        """Tries it as that user, because it depends on every directory above."""
        if self.uid is None:
            return os.access(path, os.X_OK)
        return self.run(["/bin/sh", "-c", 'cd "$1"', "sh", path]).returncode == 0

    def make_private(self, path: Path) -> Path:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.uid is not None and self.gid is not None:
            os.chown(path, self.uid, self.gid)
        path.chmod(0o700)
        return path


def database_user() -> OsUser:
    """`nobody` for root, the current user otherwise."""
    if os.geteuid() != 0:
        return OsUser()
    unprivileged = pwd.getpwnam("nobody")
    return OsUser(uid=unprivileged.pw_uid, gid=unprivileged.pw_gid)
