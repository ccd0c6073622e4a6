"""A file of a person becomes a batch that a worker checks."""

import hashlib
import zlib
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_noop as _

from merchants.models import Merchant
from payments.core import audit, jobs, states
from payments.core.errors import NotAllowed
from payments.payout_batches.models import BatchFile, BatchStatus, PayoutBatch
from payments.payout_batches.services import open_batches

TASK = "payments.payout_batches.tasks.process_batches"
# A file that is being mended may be replaced; one that was sent may not.
REPLACEABLE = (BatchStatus.REFUSED, BatchStatus.CHECKED, BatchStatus.CHECKING)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFile:
    """
    currency  of the balance that pays.
    replaces  the id of the batch whose file was mended; it is discarded.
    """

    merchant: Merchant
    name: str
    content: bytes
    currency: str
    replaces: str = ""


@transaction.atomic
def store_file(*, new: NewFile, actor: str, now: datetime) -> PayoutBatch:
    """Raises NotAllowed if the batch that it replaces was sent, or replaced before, or if too many
    files of the merchant are being checked.
    """
    digest = hashlib.sha256(new.content)
    batch = PayoutBatch(
        merchant=new.merchant,
        source=PayoutBatch.Source.FILE,
        name=new.name[:200],
        sha256=digest.hexdigest(),
        fingerprint=digest.digest(),
        currency=new.currency,
        created_by=actor,
        created_at=now,
        due_at=now,
    )
    batch.idempotency_key = batch.pk
    if new.replaces:
        batch.replaces = _replaced(new, actor, now)
    open_batches.check_checking(new.merchant)
    batch.save(force_insert=True)
    BatchFile.objects.create(batch=batch, content=zlib.compress(new.content))
    audit.record(actor=actor, action="payout_batch.uploaded", subject=batch, sha256=batch.sha256)
    jobs.enqueue(TASK)
    return batch


def _replaced(new: NewFile, actor: str, now: datetime) -> PayoutBatch:
    rows = PayoutBatch.objects.select_for_update(no_key=True)
    former = rows.filter(merchant=new.merchant, pk=new.replaces).first()
    if former is None or former.status not in REPLACEABLE:
        raise NotAllowed(_("The file cannot be replaced any more."))
    BatchFile.objects.filter(batch=former).delete()
    states.move(former, BatchStatus.DISCARDED, now=now, actor=actor, due_at=None)
    return former
