"""Tells charges what statements say of their transfers.

A transfer has a due time whenever a line was matched to it. It is cleared after the report, and
only if it is still the same: what came during the report is reported next.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction

from payments.collect.services.charges import charge_updates
from payments.core import due
from payments.core.request_clock import RequestClock
from payments.reconciliation.models import AwaitedTransfer
from payments.reconciliation.services import transfers

CLAIM_SIZE = 50
RETRY = timedelta(seconds=30)


def report_due(*, now: datetime, limit: int = 1000) -> int:
    clock = RequestClock(now)
    return due.process_due(
        partial(_claim_due, now),
        lambda transfer: report_transfer(transfer=transfer, now=clock.now()),
        batch_size=CLAIM_SIZE,
        limit=limit,
    )


def report_transfer(*, transfer: AwaitedTransfer, now: datetime) -> None:
    """Applies the sum of its matches, whatever was applied before."""
    if transfer.charge_id:
        update = replace(transfers.update_of(transfer), reference=transfer.charge_id)
        charge_updates.apply_charge_update(provider=transfer.account, update=update, now=now)
    done = AwaitedTransfer.objects.filter(pk=transfer.pk, report_at=transfer.report_at)
    done.update(report_at=None)


@transaction.atomic
def _claim_due(now: datetime) -> Sequence[AwaitedTransfer]:
    rows = AwaitedTransfer.objects.filter(report_at__lte=now).order_by("report_at")
    claimed = list(rows.select_for_update(skip_locked=True)[:CLAIM_SIZE])
    for transfer in claimed:
        transfer.report_at = now + RETRY
    AwaitedTransfer.objects.bulk_update(claimed, ["report_at"])
    return claimed
