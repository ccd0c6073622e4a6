"""What a worker does with the batches that are due, one after the other."""

from datetime import datetime, timedelta
from itertools import cycle

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Case, Value, When

from payments.core import clock, jobs, states
from payments.core.due import process_due
from payments.core.request_clock import RequestClock
from payments.payout_batches.models import BatchFile, BatchLine, BatchStatus, PayoutBatch
from payments.payout_batches.services import checking, failures, key_holders
from payments.payout_batches.services.payout_creation import Turn
from payments.payout_batches.services.uploads import TASK

WORKER = "worker"
log = structlog.get_logger(__name__)
# Longer than a turn takes. After it the worker counts as dead.
LEASE = timedelta(seconds=60)
_NEVER_PAID = (*(BatchStatus.REFUSED, BatchStatus.REJECTED, BatchStatus.DISCARDED),)
# A check, or a creation of payouts, that kills its worker each time.
ATTEMPTS_MAX = 5
# Of one batch. Then the others have their turn.
TURN = timedelta(seconds=8)


def process_batches(*, now: datetime) -> int:
    """Gives each batch that is due a turn. Returns how many turns.

    A check may take half a minute: between two of them payouts of other batches are created.
    """
    moving = RequestClock(now)
    kinds = cycle((BatchStatus.RUNNING, BatchStatus.CHECKING))
    return process_due(
        lambda: _claim(moving.now(), next(kinds)),
        lambda batch: process(batch=batch, now=moving.now()),
        batch_size=1,
    )


@transaction.atomic
def _claim(now: datetime, first: BatchStatus) -> list[PayoutBatch]:
    """One at most, with this status if there is one. Its due time moves to the end of the lease."""
    others = Case(When(status=first, then=Value(0)), default=Value(1))
    due = PayoutBatch.objects.filter(due_at__lte=now).order_by(others, "due_at", "pk")
    claimed = list(
        due.select_related("merchant")
        .defer("merchant__webhook_secret")
        .select_for_update(of=("self",), no_key=True, skip_locked=True)[:1]
    )
    for batch in claimed:
        batch.due_at = now + LEASE
        batch.attempts = min(batch.attempts + 1, ATTEMPTS_MAX + 1)
        batch.save(update_fields=["due_at", "attempts", "updated_at"])
    return claimed


def process(*, batch: PayoutBatch, now: datetime) -> None:
    if batch.status == BatchStatus.CHECKING:
        _check(batch, now)
    elif batch.status == BatchStatus.RUNNING:
        _create(batch, now)
    else:
        _put_back(batch, None)


def _check(batch: PayoutBatch, now: datetime) -> None:
    if batch.attempts > ATTEMPTS_MAX:
        checking.refuse(batch=batch, code="no_end", values={}, now=now)
        return
    if BatchFile.objects.filter(batch=batch).exists():
        checking.check(batch=batch, now=now)
        batch.refresh_from_db(fields=["status"])
    if batch.status != BatchStatus.CHECKING:
        return
    if key_holders.ask(batch=batch, now=clock.now()):
        key_holders.finish(batch=batch, now=clock.now())
    else:
        _put_back(batch, clock.now())


def _create(batch: PayoutBatch, now: datetime) -> None:
    """Without a lock between two chunks, so that people can pause and cancel."""
    if batch.attempts > ATTEMPTS_MAX:
        failures.stop(batch_id=batch.pk, now=now)
        return
    turn = Turn.MORE
    while turn == Turn.MORE and clock.now() - now < TURN:
        turn = failures.create_some(batch_id=batch.pk, now=clock.now())
    if turn == Turn.MORE:
        _put_back(batch, clock.now())


def forget_drafts(*, now: datetime) -> int:
    """Deletes the lines of files that were never paid, after PAYOUT_BATCH_DRAFT_DAYS."""
    before = now - timedelta(days=settings.PAYOUT_BATCH_DRAFT_DAYS)
    deleted_drafts = _discard_drafts(before, now)
    old = PayoutBatch.objects.filter(status__in=_NEVER_PAID, updated_at__lt=before)
    deleted, _by_table = BatchLine.objects.filter(batch__in=old).delete()
    sent = BatchLine.objects.filter(batch__updated_at__lt=before, cells__isnull=False)
    sent = sent.exclude(batch__status__in=_NEVER_PAID)
    return deleted_drafts + deleted + sent.update(cells=None)


@transaction.atomic
def _discard_drafts(before: datetime, now: datetime) -> int:
    """Checked files end first, so that no file is sent whose lines are gone."""
    rows = PayoutBatch.objects.filter(status=BatchStatus.CHECKED, updated_at__lt=before)
    drafts = list(rows.select_for_update(no_key=True, skip_locked=True))
    for batch in drafts:
        states.move(batch, BatchStatus.DISCARDED, now=now, actor=WORKER, due_at=None)
    return BatchLine.objects.filter(batch__in=drafts).delete()[0]


def _put_back(batch: PayoutBatch, at: datetime | None) -> None:
    """If its due time is still that of the claim."""
    mine = PayoutBatch.objects.filter(pk=batch.pk, due_at=batch.due_at)
    if mine.update(due_at=at, attempts=0) and at is not None:
        jobs.enqueue(TASK)
