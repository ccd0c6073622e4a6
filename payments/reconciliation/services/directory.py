"""Imports the files that appear in a directory, such as those that a bank sends by SFTP.

Files are never deleted. They move to `done/`, or to `refused/` with a text that has the reason. If
the worker dies between import and move, the file is found by its hash the next time.
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import BinaryIO

import structlog
from django.conf import settings
from django.db.models import Q

from payments.core import clock
from payments.reconciliation.formats.values import FileRefused
from payments.reconciliation.models import BankAccount, StatementFile, WatchedFile
from payments.reconciliation.services import imports

log = structlog.get_logger(__name__)
ACTOR = "directory"
DONE, REFUSED = "done", "refused"
# Longer than the import of the largest file.
LEASE = timedelta(minutes=5)
# Of a name that gets a number and the ending of the reason: a directory takes 255.
NAME_BYTES = 200
# Names of files that programs are still writing.
UNFINISHED = (".part", ".filepart", ".partial", ".tmp", ".swp", ".crdownload")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """account  slug: the name of the directory that the file is in. Empty: the top."""

    path: Path
    account: str
    size: int
    modified_ns: int

    @property
    def name(self) -> str:
        """Below the watched directory, as WatchedFile has it."""
        return str(Path(self.account) / self.shown)

    @property
    def shown(self) -> str:
        """A name that is no UTF-8 is read as Latin-1: the database takes no other text."""
        name = os.fsencode(self.path.name)
        try:
            return name.decode()
        except UnicodeDecodeError:
            return name.decode("latin-1")


def import_files(*, now: datetime) -> int:
    """Imports what has not changed since an earlier look. Returns how many files it took."""
    if not settings.STATEMENT_DIRECTORY:
        return 0
    root = Path(settings.STATEMENT_DIRECTORY)
    found = list(_files(root))
    WatchedFile.objects.exclude(path__in=[one.name for one in found]).delete()
    taken = [one for one in found if _take(one, now)]
    for one in taken:
        try:
            _import(root, one)
        except Exception:
            # It is tried again after the lease.
            log.exception("statement_directory.not_imported", file=one.name)
    return len(taken)


def _files(root: Path) -> Iterator[Found]:
    """Those of the directory itself, then those of the directories named after bank accounts."""
    yield from _files_of(root, "")
    for slug in BankAccount.objects.order_by("pk").values_list("pk", flat=True):
        folder = root / slug
        if slug not in (DONE, REFUSED) and folder.is_dir() and not folder.is_symlink():
            yield from _files_of(folder, slug)


def _files_of(folder: Path, account: str) -> Iterator[Found]:
    """No links, directories, pipes or hidden files."""
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda one: one.name):
            is_hidden = entry.name.startswith(".") or entry.name.lower().endswith(UNFINISHED)
            if is_hidden or not entry.is_file(follow_symlinks=False):
                continue
            status = entry.stat(follow_symlinks=False)
            yield Found(
                path=Path(entry.path),
                account=account,
                size=status.st_size,
                modified_ns=status.st_mtime_ns,
            )


def _take(found: Found, now: datetime) -> bool:
    """Whether the file has not changed since an earlier look, and no other worker has it."""
    same = {"path": found.name, "size": found.size, "modified_ns": found.modified_ns}
    earlier = now - timedelta(seconds=settings.STATEMENT_DIRECTORY_SECONDS / 2)
    free = Q(taken_until=None) | Q(taken_until__lte=now)
    unchanged = WatchedFile.objects.filter(free, **same, unchanged_since__lte=earlier)
    if unchanged.update(taken_until=now + LEASE):
        return True
    if not WatchedFile.objects.filter(**same).exists():
        seen = {**same, "unchanged_since": now, "taken_until": None}
        WatchedFile.objects.update_or_create(path=found.name, defaults=seen)
    return False


def _import(root: Path, found: Found) -> None:
    with _open(found.path) as content:
        new = imports.NewStatement(
            name=found.shown,
            content=content,
            source=StatementFile.Source.DIRECTORY,
            account=found.account,
        )
        try:
            imports.import_statement(new=new, actor=ACTOR, now=clock.now())
            reason = ""
        except FileRefused as refused:
            reason = str(refused)
        if not _is_unchanged(content, found):
            return
    _move(found.path, root / (REFUSED if reason else DONE), reason)
    WatchedFile.objects.filter(path=found.name).delete()
    log.info("statement_directory.imported", file=found.name, refused=reason)


def _open(path: Path) -> BinaryIO:
    """Raises OSError if the name is a link or a pipe by now."""
    file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise OSError(f"{path} is not a file any more.")
    return os.fdopen(file, "rb")


def _is_unchanged(content: BinaryIO, found: Found) -> bool:
    """A file that was written to during the import is looked at again."""
    status = os.fstat(content.fileno())
    return (status.st_size, status.st_mtime_ns) == (found.size, found.modified_ns)


def _move(path: Path, folder: Path, reason: str) -> None:
    folder.mkdir(exist_ok=True)
    target = _free_name(folder, path.name)
    if reason:
        target.with_name(f"{target.name}.reason.txt").write_text(f"{reason}\n")
    path.replace(target)


def _free_name(folder: Path, name: str) -> Path:
    """A new empty file, so that no other file is replaced: statement.csv, statement-1.csv ..."""
    stem, suffix = _shortened(Path(name).stem, NAME_BYTES), _shortened(Path(name).suffix, 20)
    for number in count():
        target = folder / (f"{stem}-{number}{suffix}" if number else f"{stem}{suffix}")
        try:
            target.touch(exist_ok=False)
        except FileExistsError:
            continue
        return target
    raise AssertionError  # never: count() does not end


def _shortened(text: str, size: int) -> str:
    return os.fsdecode(os.fsencode(text)[:size])
