"""Errors of the service itself while it creates the payouts of a batch.

A chunk of lines that raises leaves nothing. Its lines are then tried one by one, and only those
that raise again are refused, with a reason for people. With several of them the error is not in a
line: the batch pauses, and an operator looks at it. So no error repeats for ever.
"""

from datetime import datetime
from typing import Any

import structlog
from django.db import InterfaceError, OperationalError, transaction
from django.utils.translation import gettext_noop as _

from payments.payout.models import Payout
from payments.payout_batches.models import (
    UNEXPECTED,
    BatchLine,
    BatchStatus,
    LineStatus,
    PayoutBatch,
)
from payments.payout_batches.services import batch_events, payout_creation
from payments.payout_batches.services.payout_creation import CHUNK, WORKER, Turn

log = structlog.get_logger(__name__)
# The database is away or busy. The same lines are tried again after the lease.
PASSING = (OperationalError, InterfaceError)
# Lines that are refused for an error before the batch pauses.
ERRORS_MAX = 5
REFUSAL = _(
    "An error of the service: no payout was created, and nothing was paid. An operator looks at "
    "it. Send the line again in another file."
)


def create_some(*, batch_id: str, now: datetime) -> Turn:
    """As payout_creation.create_some, but raises only what passes."""
    try:
        return payout_creation.create_some(batch_id=batch_id, now=now)
    except PASSING:
        raise
    except Exception:
        log.exception("payout_batch.chunk_failed", batch=batch_id)
        return _create_one_by_one(batch_id, now)


@transaction.atomic
def stop(*, batch_id: str, now: datetime) -> None:
    """Pauses it for an operator: its turns end without a result."""
    batch = payout_creation.lock(batch_id)
    if batch.status == BatchStatus.RUNNING:
        _pause(batch, now)


def _create_one_by_one(batch_id: str, now: datetime) -> Turn:
    for _each in range(CHUNK):
        line = _next(batch_id)
        if (turn := _create_one(batch_id, line, now)) != Turn.MORE:
            return turn
    return Turn.MORE


def _next(batch_id: str) -> BatchLine | None:
    waiting = BatchLine.objects.filter(batch=batch_id, status=LineStatus.WAITING)
    return waiting.order_by("number").first()


def _create_one(batch_id: str, line: BatchLine | None, now: datetime) -> Turn:
    try:
        return payout_creation.create_some(batch_id=batch_id, now=now, most=1)
    except PASSING:
        raise
    except Exception:
        if line is None:
            raise
        log.exception("payout_batch.line_failed", batch=batch_id, line=line.number)
        return _refuse(line, now)


@transaction.atomic
def _refuse(line: BatchLine, now: datetime) -> Turn:
    """Does nothing if another worker has created its payout since."""
    batch = payout_creation.lock(line.batch_id)
    if batch.status != BatchStatus.RUNNING:
        return Turn.ENDED
    waiting = batch.lines.filter(pk=line.pk, status=LineStatus.WAITING)
    if waiting.exists() and _has_payout(batch, line):
        return _pause(batch, now)  # refused it would be sent again, and paid twice
    waiting.update(status=LineStatus.REFUSED, refusal_code=UNEXPECTED, refusal=REFUSAL)
    failed = batch.lines.filter(status=LineStatus.REFUSED, refusal_code=UNEXPECTED)
    return _pause(batch, now) if failed.count() >= ERRORS_MAX else Turn.MORE


def _has_payout(batch: PayoutBatch, line: BatchLine) -> bool:
    return Payout.objects.filter(
        merchant=batch.merchant_id, idempotency_key=line.payout_key
    ).exists()


def _pause(batch: PayoutBatch, now: datetime) -> Turn:
    changes: dict[str, Any] = {"cause": UNEXPECTED, "cause_values": {}, "due_at": None}
    batch_events.move(batch, BatchStatus.PAUSED, now=now, actor=WORKER, attempts=0, **changes)
    log.error("payout_batch.stopped", batch=batch.pk, merchant=batch.merchant_id)
    return Turn.ENDED
