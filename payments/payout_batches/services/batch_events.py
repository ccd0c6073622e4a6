"""Changes the status of a batch, and tells merchants who have enabled its events."""

from datetime import datetime

from payments.api.serializing import serialize
from payments.core import states
from payments.payout_batches.models import BatchStatus, PayoutBatch
from payments.payout_batches.payloads import BatchPayload, BatchState
from payments.payout_batches.services import totals
from webhooks import services as webhooks

_KINDS = {
    BatchStatus.RUNNING: "batch.running",
    BatchStatus.PAUSED: "batch.paused",
    BatchStatus.DONE: "batch.done",
    BatchStatus.CANCELLED: "batch.cancelled",
    BatchStatus.REJECTED: "batch.rejected",
}


def move(
    batch: PayoutBatch,
    status: BatchStatus,
    *,
    now: datetime,
    actor: str,
    reason: str = "",
    **changes: object,
) -> None:
    """As states.move. Its row is locked, or it raises IllegalMove."""
    states.move(batch, status, now=now, actor=actor, reason=reason, **changes)
    publish(batch, now)


def publish(batch: PayoutBatch, now: datetime) -> None:
    """In the transaction of the change. A batch may pause and run several times."""
    kind = _KINDS.get(BatchStatus(batch.status))
    if kind is None or not webhooks.is_enabled(batch.merchant, kind):
        return
    state = BatchState(batch=batch, lines=totals.lines_by_status(batch))
    webhooks.publish(
        webhooks.NewEvent(
            merchant=batch.merchant,
            kind=kind,
            subject_id=batch.pk,
            data=serialize(BatchPayload, state),
            now=now,
        )
    )
