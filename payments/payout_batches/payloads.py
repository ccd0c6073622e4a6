"""`data` of each event about a batch: what is sent, and documented."""

from collections.abc import Mapping
from dataclasses import dataclass

from rest_framework import serializers

from payments.api.fields import AmountField, ChoiceField, TimestampField
from payments.outgoing.api import TextOrNull
from payments.outgoing.models import BalanceCurrency
from payments.payout_batches.models import BatchStatus, PayoutBatch

WAITS_FOR = "Why no payouts are created at this moment, such as INSUFFICIENT_BALANCE."


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchState:
    """`lines`: how many lines have which status; of a line with a payout it is the payout's."""

    batch: PayoutBatch
    lines: Mapping[str, int]


class BatchPayload(serializers.Serializer[BatchState]):
    """A batch at the time of the event, as GET /payout/batches/{id} shows it."""

    id = serializers.CharField(
        source="batch.pk", help_text="As `batchId` of GET /payout/batches/{id}."
    )
    status = ChoiceField(
        choices=BatchStatus.choices, component="PayoutBatchStatus", source="batch.status"
    )
    source = ChoiceField(  # type: ignore[assignment]
        choices=PayoutBatch.Source.choices, component="PayoutBatchSource", source="batch.source"
    )
    name = serializers.CharField(source="batch.name")
    currency = ChoiceField(
        choices=BalanceCurrency.choices, component="PayoutCurrency", source="batch.currency"
    )
    lineCount = serializers.IntegerField(
        source="batch.line_count", help_text="Lines that can be paid."
    )
    amount = AmountField(source="batch.amount", help_text="Of these lines, in COP.")
    feeAmount = AmountField(source="batch.fee_amount", help_text="On top, in COP.")
    lines = serializers.DictField(
        child=serializers.IntegerField(), help_text="How many lines have which status."
    )
    waitsFor = TextOrNull(source="batch.cause", help_text=WAITS_FOR)
    createdAt = TimestampField(source="batch.created_at")
    finishedAt = TimestampField(source="batch.finished_at", allow_null=True)
