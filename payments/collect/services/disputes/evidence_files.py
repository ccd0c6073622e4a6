"""Evidence of disputes as files."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_noop as _

from payments.collect.models import Dispute
from payments.collect.models.dispute_files import DisputeFile
from payments.collect.services.disputes.dispute_lookup import lock_dispute
from payments.collect.services.errors import DisputeClosed
from payments.core import audit
from payments.core.errors import ServiceError
from payments.core.kept_files import NewFile


class EvidenceRefused(ServiceError):
    code = "EVIDENCE_REFUSED"


class TooManyFiles(EvidenceRefused):
    message = _("The dispute has %(most)s files, and takes no more.")


class KnownFile(EvidenceRefused):
    message = _("The dispute has this file already.")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvidence:
    file: NewFile
    is_of_merchant: bool


@transaction.atomic
def add_file(
    *, dispute: Dispute, new: NewEvidence, actor: str, reason: str, now: datetime
) -> DisputeFile:
    """Raises DisputeClosed, EvidenceRefused, FileRefused."""
    values = new.file.values(
        most=settings.DISPUTE_FILE_MAX_BYTES, unnamed="evidence", added_by=actor, added_at=now
    )
    locked = lock_dispute(dispute)
    if locked.status != Dispute.Status.OPEN:
        raise DisputeClosed
    most = settings.DISPUTE_FILES_MAX
    if locked.files.count() >= most:
        raise TooManyFiles(values={"most": most})
    if locked.files.filter(sha256=values["sha256"]).exists():
        raise KnownFile
    file = DisputeFile.objects.create(dispute=locked, is_of_merchant=new.is_of_merchant, **values)
    facts = {"file": file.pk, "name": file.name, "sha256": file.sha256}
    audit.record(actor=actor, action="dispute.file_added", subject=locked, reason=reason, **facts)
    return file
