"""Evidence of disputes as files."""

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_noop as _

from payments.collect.models import Dispute
from payments.collect.models.dispute_files import DisputeFile
from payments.collect.services.disputes.dispute_lookup import lock_dispute
from payments.collect.services.disputes.evidence_types import read_type
from payments.collect.services.errors import DisputeClosed
from payments.core import audit
from payments.core.errors import ServiceError

# Letters of all languages stay. A path, a control character or a quote does not.
_UNSAFE = re.compile(r"[^\w .,()\-]+")
NAME_MAX = 120


class EvidenceRefused(ServiceError):
    code = "EVIDENCE_REFUSED"


class NoSuchType(EvidenceRefused):
    message = _("The file is no whole PDF, PNG or JPEG.")


class TooLarge(EvidenceRefused):
    message = _("The file has %(size)s KB. At most %(most)s KB can be added.")


class TooManyFiles(EvidenceRefused):
    message = _("The dispute has %(most)s files, and takes no more.")


class KnownFile(EvidenceRefused):
    message = _("The dispute has this file already.")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFile:
    name: str
    content: bytes
    is_of_merchant: bool


@transaction.atomic
def add_file(
    *, dispute: Dispute, new: NewFile, actor: str, reason: str, now: datetime
) -> DisputeFile:
    """Raises DisputeClosed, EvidenceRefused."""
    media_type = _checked_type(new.content)
    locked = lock_dispute(dispute)
    if locked.status != Dispute.Status.OPEN:
        raise DisputeClosed
    most = settings.DISPUTE_FILES_MAX
    if locked.files.count() >= most:
        raise TooManyFiles(values={"most": most})
    digest = hashlib.sha256(new.content).hexdigest()
    if locked.files.filter(sha256=digest).exists():
        raise KnownFile
    file = DisputeFile.objects.create(
        dispute=locked,
        name=safe_name(new.name, media_type),
        media_type=media_type,
        size=len(new.content),
        sha256=digest,
        content=new.content,
        is_of_merchant=new.is_of_merchant,
        added_by=actor,
        added_at=now,
    )
    facts = {"file": file.pk, "name": file.name, "sha256": digest}
    audit.record(actor=actor, action="dispute.file_added", subject=locked, reason=reason, **facts)
    return file


def _checked_type(content: bytes) -> DisputeFile.MediaType:
    most = settings.DISPUTE_FILE_MAX_BYTES
    if len(content) > most:
        raise TooLarge(values={"size": len(content) // 1024 + 1, "most": most // 1024})
    if (found := read_type(content)) is None:
        raise NoSuchType
    return found


def safe_name(name: str, media_type: str) -> str:
    """A name with the suffix of its type, whatever the person's machine called the file."""
    stem = name.replace("\\", "/").rpartition("/")[2].rpartition(".")[0] or name
    suffix = {"application/pdf": ".pdf", "image/png": ".png", "image/jpeg": ".jpg"}[media_type]
    clean = " ".join(_UNSAFE.sub(" ", stem).split()).strip(" .") or "evidence"
    return clean[: NAME_MAX - len(suffix)] + suffix
