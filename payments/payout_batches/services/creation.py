"""Batches that a merchant's backend creates: every line is right, or nothing is stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction

from merchants.models import Merchant
from payments.api.idempotency import create_once, fingerprint
from payments.core import jobs, money
from payments.core.errors import ValidationFailed
from payments.payout.models import Bank, Network
from payments.payout_batches.files.values import WrongValue
from payments.payout_batches.models import BatchLine, BatchStatus, LineStatus, PayoutBatch
from payments.payout_batches.services import batch_events, duplicates, open_batches, totals
from payments.payout_batches.services.terms import Terms
from payments.payout_batches.services.uploads import TASK

NO_METADATA = "{}"
# Wrong values in one response.
SHOWN_MAX = 100
_MESSAGES = {
    "network_off": ("network", "This kind of payout is not available now."),
    "amount_max": ("amount", "Is above the cap per transaction."),
    "amount_min": ("amount", "Is below the minimum."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NewLine:
    """A line of POST /payout/batches, as POST /payout takes one."""

    reference: str
    amount: Decimal
    recipient_name: str
    recipient_doc_type: str
    recipient_doc_number: str
    network: str
    bank: str | None
    account_type: str | None
    account_number: str | None
    key_type: str | None
    key_value: str | None
    description: str
    # JSON text.
    metadata: str = NO_METADATA

    def written(self) -> list[str]:
        """For the fingerprint. Without metadata it is what it was before lines had any."""
        texts = [
            *(self.reference, money.text(self.amount), self.recipient_name),
            *(self.recipient_doc_type, self.recipient_doc_number, self.network, self.bank),
            *(self.account_type, self.account_number, self.key_type, self.key_value),
            self.description,
        ]
        if self.metadata != NO_METADATA:
            texts.append(self.metadata)
        return [text or "" for text in texts]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewBatch:
    """`requested_by` is the id of the API key."""

    merchant: Merchant
    requested_by: str
    idempotency_key: str
    name: str
    currency: str
    lines: Sequence[NewLine]


def create_batch(new: NewBatch, *, now: datetime) -> tuple[PayoutBatch, bool]:
    """Creates it once for each idempotency key. Returns it and whether it was replayed.

    Its lines get their payouts from a worker. Raises IdempotencyKeyReused, ValidationFailed, and
    TooManyBatches.
    """
    print_ = fingerprint(
        {
            "name": new.name,
            "currency": new.currency,
            "lines": [line.written() for line in new.lines],
        }
    )
    rows = PayoutBatch.objects.filter(merchant=new.merchant, idempotency_key=new.idempotency_key)
    return create_once(print_, find=rows.first, create=lambda: _create(new, print_, now))


def _create(new: NewBatch, print_: bytes, now: datetime) -> PayoutBatch:
    open_batches.check_running(new.merchant)
    batch = PayoutBatch(
        merchant=new.merchant,
        source=PayoutBatch.Source.API,
        idempotency_key=new.idempotency_key,
        fingerprint=print_,
        name=new.name,
        currency=new.currency,
        status=BatchStatus.RUNNING,
        created_by=new.requested_by,
        submitted_by=new.requested_by,
        created_at=now,
        submitted_at=now,
        approved_at=now,
        due_at=now,
    )
    lines = _lines(new)
    duplicates.mark_recent(batch, lines, now)
    with transaction.atomic():
        batch.save(force_insert=True)
        totals.store_lines(batch, lines)
        totals.count(batch)
        batch.save(update_fields=[*totals.FIELDS])
        batch_events.publish(batch, now)
        jobs.enqueue(TASK)
    return batch


def _lines(new: NewBatch) -> list[BatchLine]:
    """Raises ValidationFailed with the wrong lines."""
    terms, wrong = Terms(new.merchant), dict[str, str]()
    lines = []
    references: dict[str, int] = {}
    for place, one in enumerate(new.lines):
        if one.reference and one.reference in references:
            text = f"Is also the reference of lines.{references[one.reference]}."
            wrong[f"lines.{place}.reference"] = text
        references.setdefault(one.reference, place)
        try:
            lines.append(_line(one, place + 1, terms))
        except _WrongLine as found:
            wrong[f"lines.{place}.{found.field}"] = found.message
        if len(wrong) >= SHOWN_MAX:
            break
    if wrong:
        raise ValidationFailed(wrong)
    return lines


class _WrongLine(Exception):
    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field, self.message = field, message


def _line(one: NewLine, number: int, terms: Terms) -> BatchLine:
    bank = _bank(one, terms)
    try:
        fee = terms.fee_of(one.network, one.amount)
    except WrongValue as found:
        raise _WrongLine(*_MESSAGES[found.code]) from found
    if not terms.account_for(one.network, one.amount, bank):
        field = "bankCanonicalId" if bank else "network"
        raise _WrongLine(field, "Cannot be paid now: no payment network reaches it.")
    return BatchLine(
        number=number,
        status=LineStatus.WAITING,
        reference=one.reference,
        recipient_name=one.recipient_name,
        doc_type=one.recipient_doc_type,
        doc_number=one.recipient_doc_number,
        network=one.network,
        bank=bank,
        account_type=(one.account_type or "") if bank else "",
        account_number=(one.account_number or "") if bank else "",
        key_type="" if bank else one.key_type or "",
        key_value="" if bank else one.key_value or "",
        amount=one.amount,
        fee_amount=fee,
        description=one.description,
        metadata=one.metadata,
    )


def _bank(one: NewLine, terms: Terms) -> Bank | None:
    if one.network != Network.BANK:
        return None
    bank = terms.by_slug.get(one.bank or "")
    if bank is None:
        raise _WrongLine("bankCanonicalId", "Is not a bank of GET /payout/methods.")
    return bank
