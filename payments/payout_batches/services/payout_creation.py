"""Makes payouts of the lines of running batches, in the order of the file.

A line and its payout are committed together, so a process that dies between two lines leaves no
line half done. Behind that stands the unique idempotency key of the payout: the process that
creates it again gets the payout that exists. The money of each line is held when its payout is
created, not when the batch is approved, so a batch that waits keeps no money from other payments.
If the balance is not enough for a line, it and those after it wait, and a worker tries again.
The fee is that of the line, which people approved, also if the tariff has changed since.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from functools import partial
from typing import Any

from django.db import transaction

from payments.core.errors import ServiceError, Unavailable
from payments.ledger.services import InsufficientBalance
from payments.outgoing.creation import PaymentRequest
from payments.payout.models import Payout
from payments.payout.services.catalogue_reading import CatalogueReading
from payments.payout.services.payouts import NewPayout, create_payout
from payments.payout_batches.models import BatchLine, BatchStatus, LineStatus, PayoutBatch
from payments.payout_batches.services import batch_events

WORKER = "worker"
# Lines of one transaction. They lock the balance, for some 0.1 seconds.
CHUNK = 20
# Until lines that wait are tried again.
PATIENCE = timedelta(seconds=20)
NOT_ENABLED = "NOT_ENABLED"


class Turn(Enum):
    MORE = auto()
    ENDED = auto()
    WAITS = auto()


@dataclass(frozen=True, slots=True)
class _Requester:
    pk: str


@transaction.atomic
def create_some(*, batch_id: str, now: datetime, most: int = CHUNK) -> Turn:
    """The next lines of the batch. Pausing and cancelling wait for it, and it for them."""
    batch = lock(batch_id)
    if batch.status != BatchStatus.RUNNING:
        return Turn.ENDED
    if not (batch.merchant.is_active and batch.merchant.payout_enabled):
        return _wait(batch, NOT_ENABLED, {}, now)
    lines = list(
        batch.lines.filter(status=LineStatus.WAITING)
        .select_related("bank")
        .order_by("number")[:most]
    )
    if not lines:
        return _finish(batch, now)
    stop = _create(batch, lines, now)
    done = [line for line in lines if line.status != LineStatus.WAITING]
    BatchLine.objects.bulk_update(done, ["status", "payout", "refusal_code", "refusal"])
    if stop is not None:
        return _wait(batch, stop.code, _figures(stop), now)
    if batch.cause:
        batch.cause, batch.cause_values = "", {}
        batch.save(update_fields=["cause", "cause_values", "updated_at"])
    return Turn.MORE


def lock(batch_id: str) -> PayoutBatch:
    rows = PayoutBatch.objects.select_related("merchant").defer("merchant__webhook_secret")
    return rows.select_for_update(no_key=True, of=("self",)).get(pk=batch_id)


def _create(batch: PayoutBatch, lines: list[BatchLine], now: datetime) -> ServiceError | None:
    """Why the rest has to wait. None: each line has its payout, or was refused."""
    reading = CatalogueReading()
    for line in lines:
        try:
            line.payout, _replayed = create_payout(
                _request(batch, line),
                now=now,
                check=partial(_complete, batch, line, now),
                reading=reading,
                fee=line.fee_amount,
            )
        except (InsufficientBalance, Unavailable) as wait:
            return wait
        except ServiceError as error:
            line.status = LineStatus.REFUSED
            line.refusal_code, line.refusal = error.code, error.message[:300]
        else:
            line.status = LineStatus.CREATED
    return None


def _complete(batch: PayoutBatch, line: BatchLine, now: datetime, payout: Payout) -> None:
    """An operator who approved the sum of the batch has approved each payout of it."""
    payout.reference, payout.metadata = line.reference, line.metadata
    if batch.operator_approved:
        payout.needs_approval = False
        payout.next_action_at = now


def _request(batch: PayoutBatch, line: BatchLine) -> PaymentRequest[NewPayout]:
    assert line.amount is not None  # noqa: S101 - a constraint says so
    return PaymentRequest(
        merchant=batch.merchant,
        requester=_Requester(batch.submitted_by),
        idempotency_key=line.payout_key,
        wanted=NewPayout(
            amount=line.amount,
            currency=batch.currency,
            recipient_name=line.recipient_name,
            recipient_doc_type=line.doc_type,
            recipient_doc_number=line.doc_number,
            network=line.network,
            bank=line.bank_id,
            account_type=line.account_type or None,
            account_number=line.account_number or None,
            key_type=line.key_type or None,
            key_value=line.key_value or None,
            description=line.description,
        ),
    )


def _wait(batch: PayoutBatch, code: str, figures: dict[str, str], now: datetime) -> Turn:
    batch.cause, batch.cause_values = code, figures
    batch.due_at, batch.attempts = now + PATIENCE, 0
    batch.save(update_fields=["cause", "cause_values", "due_at", "attempts", "updated_at"])
    return Turn.WAITS


def _figures(error: ServiceError) -> dict[str, str]:
    return {name: str(value) for name, value in error.details.items()}


def _finish(batch: PayoutBatch, now: datetime) -> Turn:
    changes: dict[str, Any] = {"due_at": None, "finished_at": now, "cause": "", "cause_values": {}}
    batch_events.move(batch, BatchStatus.DONE, now=now, actor=WORKER, **changes)
    return Turn.ENDED
