"""The sums of a batch's lines."""

from collections.abc import Sequence
from decimal import Decimal

from django.db.models import Count, Q, Sum

from payments.payout_batches.models import BatchLine, LineStatus, PayoutBatch

FIELDS = ("line_count", "amount", "fee_amount", "wrong_count", "warning_count")
# Rows of one INSERT.
_CHUNK = 1000
_ZERO = Decimal(0)


def store_lines(batch: PayoutBatch, lines: Sequence[BatchLine]) -> None:
    for line in lines:
        line.batch = batch
    BatchLine.objects.bulk_create(lines, batch_size=_CHUNK)


def count(batch: PayoutBatch) -> None:
    """Sets FIELDS without saving them."""
    good = Q(status=LineStatus.WAITING)
    found = batch.lines.aggregate(
        line_count=Count("pk", filter=good),
        wrong_count=Count("pk", filter=Q(status=LineStatus.WRONG)),
        warning_count=Count("pk", filter=good & ~Q(warnings=[])),
        amount=Sum("amount", filter=good, default=_ZERO),
        fee_amount=Sum("fee_amount", filter=good, default=_ZERO),
    )
    for name in FIELDS:
        setattr(batch, name, found[name])


def by_status(batch: PayoutBatch) -> dict[str, tuple[int, Decimal]]:
    """Lines and pesos of each status."""
    rows = batch.lines.values_list("status").annotate(Count("pk"), Sum("amount", default=_ZERO))
    return {status: (lines, amount) for status, lines, amount in rows}


def count_by_payout_status(batch: PayoutBatch) -> dict[str, int]:
    return {status: lines for status, lines, _amount in by_payout_status(batch)}


def by_payout_status(batch: PayoutBatch) -> list[tuple[str, int, Decimal]]:
    """Of the lines that have a payout: its status, lines and pesos."""
    rows = batch.lines.filter(payout__isnull=False).values_list("payout__status")
    found = rows.annotate(Count("pk"), Sum("amount", default=_ZERO)).order_by("payout__status")
    return [(status, lines, amount) for status, lines, amount in found]


def lines_by_status(batch: PayoutBatch) -> dict[str, int]:
    """Of a line with a payout it is the payout's status."""
    counts = {status: count for status, (count, _sum) in by_status(batch).items()}
    counts.pop(LineStatus.CREATED, None)
    return counts | {status: count for status, count, _sum in by_payout_status(batch)}
