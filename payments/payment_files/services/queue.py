"""Payments that come to the open batch of their account."""

from dataclasses import asdict
from datetime import datetime

from django.db import transaction
from django.db.models import Max

from payments.payment_files.lines import NewLine
from payments.payment_files.models import BatchLine, PaymentBatch
from payments.payment_files.services import codes

Status = PaymentBatch.Status


def find_line(*, account: str, reference: str) -> BatchLine | None:
    return BatchLine.objects.filter(account=account, reference=reference).first()


@transaction.atomic
def add_line(*, account: str, new: NewLine, now: datetime) -> BatchLine:
    """The line of this reference, made if it is new. Raises IntegrityError if another account has
    the reference.
    """
    batch = _lock_open(account, now)
    if (line := find_line(account=account, reference=new.reference)) is not None:
        return line
    return BatchLine.objects.create(
        batch=batch, account=account, code=codes.new_code(), created_at=now, **asdict(new)
    )


def _lock_open(account: str, now: datetime) -> PaymentBatch:
    """The account's open batch, locked. So it cannot be closed before the line is in it."""
    rows = PaymentBatch.objects.filter(account=account, status=Status.OPEN)
    while (batch := rows.select_for_update(no_key=True).first()) is None:
        batches = PaymentBatch.objects.filter(account=account)
        last = batches.aggregate(last=Max("number"))["last"] or 0
        new = PaymentBatch(account=account, number=last + 1, created_at=now)
        PaymentBatch.objects.bulk_create([new], ignore_conflicts=True)
    return batch
