"""Reports what became of lines to the engines of their payments.

A line has a due time whenever it changed. It is cleared after the report, and only if it is still
the same: what came during the report is reported next. The engine ignores what it knows.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction

from payments.core import due
from payments.core.request_clock import RequestClock
from payments.payment_files.lines import update_of
from payments.payment_files.models import BatchLine, FindingKind
from payments.payment_files.services.payments import engine_of
from payments.providers.ports import OutgoingState

CLAIM_SIZE = 50
# A report that a process left unfinished, or that failed, is repeated after this time.
RETRY = timedelta(seconds=30)


def report_lines(*, now: datetime, limit: int = 1000) -> int:
    clock = RequestClock(now)
    return due.process_due(
        partial(_claim_due, now),
        lambda line: report_line(line=line, now=clock.now()),
        batch_size=CLAIM_SIZE,
        limit=limit,
    )


def report_line(*, line: BatchLine, now: datetime) -> None:
    """Applies the newest state, whatever was applied before."""
    newest = BatchLine.objects.get(pk=line.pk)
    engine = engine_of(newest.reference)
    _apply(engine, newest, now)
    done = BatchLine.objects.filter(pk=line.pk, report_at=line.report_at)
    done.update(report_at=None)


def _apply(engine: Any, line: BatchLine, now: datetime) -> None:
    update = update_of(line)
    engine.apply_update(provider=line.account, update=update, now=now)
    if line.findings.filter(kind=FindingKind.PAID_AFTER_FAILED).exists():
        # The merchant has the money again, and the bank paid: the payment's operators decide.
        paid = replace(update, state=OutgoingState.COMPLETED, reason="")
        engine.apply_update(provider=line.account, update=paid, now=now)


@transaction.atomic
def _claim_due(now: datetime) -> Sequence[BatchLine]:
    rows = BatchLine.objects.filter(report_at__lte=now).order_by("report_at")
    claimed = list(rows.select_for_update(skip_locked=True, no_key=True)[:CLAIM_SIZE])
    for line in claimed:
        line.report_at = now + RETRY
    BatchLine.objects.bulk_update(claimed, ["report_at"])
    return claimed
