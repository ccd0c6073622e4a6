"""Files that people upload, and the job that imports them.

A large file takes longer than a request may. So the request stores it, and a worker imports it.
"""

import hashlib
import io
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.utils.translation import gettext, gettext_noop

from payments.core import audit, clock, jobs
from payments.core.due import process_due
from payments.core.errors import ServiceError
from payments.core.failopen import FailOpen
from payments.reconciliation.formats.values import FileRefused
from payments.reconciliation.models import StatementFile, StatementUpload, UploadPart
from payments.reconciliation.services import imports
from payments.reconciliation.services.chain import GapFound

log = structlog.get_logger(__name__)
Status = StatementUpload.Status
TASK = "payments.reconciliation.tasks.import_uploads"
# Longer than the import of the largest file. After it the worker counts as dead.
LEASE = timedelta(minutes=3)
ATTEMPTS_MAX = 5
PART_BYTES = 1 << 20
_progress_cache = FailOpen("statement_progress.unknown")


class NotAGap(ServiceError):
    status = 409
    code = "CONFLICT"
    message = gettext_noop("The file does not wait for a reason any more.")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewUpload:
    """
    chunks  of the content, of whatever size.
    """

    name: str
    chunks: Iterable[bytes]
    account: str = ""
    accepted_gap: str = ""


@transaction.atomic
def store_upload(*, new: NewUpload, actor: str, now: datetime) -> StatementUpload:
    upload = StatementUpload(
        name=new.name[:200],
        account_id=new.account or None,
        accepted_gap=new.accepted_gap,
        due_at=now,
        uploaded_by=actor,
        uploaded_at=now,
        size=0,
    )
    upload.save(force_insert=True)
    digest = hashlib.sha256()
    for number, part in enumerate(_parts(new.chunks)):
        digest.update(part)
        upload.size += len(part)
        UploadPart.objects.create(upload=upload, number=number, content=zlib.compress(part))
    upload.sha256 = digest.hexdigest()
    upload.save(update_fields=["sha256", "size"])
    jobs.enqueue(TASK)
    return upload


def _parts(chunks: Iterable[bytes]) -> Iterator[bytes]:
    waiting = bytearray()
    for chunk in chunks:
        waiting += chunk
        while len(waiting) >= PART_BYTES:
            yield bytes(waiting[:PART_BYTES])
            del waiting[:PART_BYTES]
    if waiting:
        yield bytes(waiting)


def import_due() -> int:
    """Imports the uploaded files that are due, one after the other."""
    return process_due(
        lambda: claim_uploads(now=clock.now()),
        lambda upload: import_upload(upload=upload, now=clock.now()),
        batch_size=1,
    )


@transaction.atomic
def claim_uploads(*, now: datetime) -> list[StatementUpload]:
    """One at most. Its due time moves to the end of the lease."""
    due = StatementUpload.objects.filter(due_at__lte=now).order_by("due_at", "pk")
    claimed = list(due.select_for_update(of=["self"], no_key=True, skip_locked=True)[:1])
    for upload in claimed:
        upload.status, upload.due_at = Status.RUNNING, now + LEASE
        upload.attempts += 1
        upload.save(update_fields=["status", "due_at", "attempts"])
    return claimed


def import_upload(*, upload: StatementUpload, now: datetime) -> None:
    """A worker that dies leaves the upload due again. What it imported is found by its hash."""
    if upload.attempts > ATTEMPTS_MAX:
        text = gettext("The import was begun several times and never ended. Tell an administrator.")
        _end(upload, Status.REFUSED, now, reason=text)
        return
    try:
        file = imports.import_statement(
            new=_statement(upload), actor=upload.uploaded_by, now=now, progress=_Progress(upload)
        )
    except FileRefused as refused:
        reason, is_gap = refused.reason[:1000], isinstance(refused, GapFound)
        _end(upload, Status.REFUSED, now, reason=reason, line=refused.line, is_gap=is_gap)
    else:
        _end(upload, Status.DONE, now, file=file)


def _statement(upload: StatementUpload) -> imports.NewStatement:
    parts = upload.parts.order_by("number").values_list("content", flat=True)
    content = io.BytesIO()
    for part in parts.iterator(chunk_size=4):
        content.write(zlib.decompress(bytes(part)))
    return imports.NewStatement(
        name=upload.name,
        content=content,
        source=StatementFile.Source.CONSOLE,
        account=upload.account_id or "",
        accepted_gap=upload.accepted_gap,
    )


@transaction.atomic
def _end(upload: StatementUpload, status: Status, now: datetime, **changes: Any) -> None:
    """Does nothing if another worker has ended it."""
    mine = StatementUpload.objects.filter(pk=upload.pk, status=Status.RUNNING)
    if not mine.update(status=status, due_at=None, finished_at=now, **changes):
        return
    if status == Status.DONE:
        upload.parts.all().delete()


@transaction.atomic
def accept_gap(*, upload: StatementUpload, actor: str, reason: str, now: datetime) -> None:
    """Tries a refused file again, now with a reason for what is missing before it.

    Raises NotAGap.
    """
    refused = StatementUpload.objects.filter(pk=upload.pk, status=Status.REFUSED, is_gap=True)
    if not upload.parts.exists() or not refused.update(
        status=Status.WAITING,
        is_gap=False,
        accepted_gap=reason,
        uploaded_by=actor,
        due_at=now,
        finished_at=None,
        attempts=0,
    ):
        raise NotAGap
    audit.record(actor=actor, action="statement.gap_accepted", subject=upload, reason=reason)
    jobs.enqueue(TASK)


def forget_old(*, now: datetime) -> int:
    """Deletes the contents of refused files after BANK_STATEMENT_UPLOAD_DAYS; returns how many."""
    before = now - timedelta(days=settings.BANK_STATEMENT_UPLOAD_DAYS)
    old = StatementUpload.objects.filter(status=Status.REFUSED, finished_at__lt=before)
    forgotten = 0
    for upload in old.filter(parts__isnull=False).distinct():
        upload.parts.all().delete()
        StatementUpload.objects.filter(pk=upload.pk).update(is_gap=False)
        forgotten += 1
    return forgotten


class _Progress(imports.Progress):
    def __init__(self, upload: StatementUpload) -> None:
        self._key = _key(upload)
        self._total = 0

    def total(self, lines: int) -> None:
        self._total = lines
        self.stored(0)

    def stored(self, lines: int) -> None:
        seconds = int(LEASE.total_seconds())
        _progress_cache.call(lambda: cache.set(self._key, (lines, self._total), seconds))


def progress_of(upload: StatementUpload) -> tuple[int, int] | None:
    """Movements stored, and all movements. None until the file is read, or without Redis."""
    found = _progress_cache.call(lambda: cache.get(_key(upload)))
    return (int(found[0]), int(found[1])) if found else None


def _key(upload: StatementUpload) -> str:
    return f"statement-upload:{upload.pk}"
