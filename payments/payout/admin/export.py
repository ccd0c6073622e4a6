"""The filtered list as CSV: every row of it, streamed, safe to open in a spreadsheet."""

import csv
from collections.abc import Iterator

from django.db.models import QuerySet

from payments.core import clock, money
from payments.payout.admin.story import destination, document
from payments.payout.models import Payout

CHUNK_SIZE = 1000
# Excel takes a file for UTF-8 only when it begins with this.
_MARK = "\ufeff"
# A cell that begins with one of these may be run as a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
HEADERS = [
    *("payoutId", "createdAt", "merchantId", "merchant", "idempotencyKey", "status"),
    *("amount", "feeAmount", "currency", "debit", "network", "recipientName"),
    *("recipientDocument", "destination", "description", "provider", "providerReference"),
    *("providerPayoutId", "failureReason", "needsApproval", "needsOperator", "completedAt"),
]


class _Line:
    """What csv.writer writes to: it gives the line back."""

    def write(self, line: str) -> str:
        """The line."""
        return line


def lines(payouts: QuerySet[Payout]) -> Iterator[str]:
    """The file, line by line, newest payout first."""
    writer = csv.writer(_Line())
    yield _MARK + writer.writerow(HEADERS)
    for payout in _all(payouts):
        yield writer.writerow([safe(cell) for cell in _row(payout)])


def safe(cell: str) -> str:
    """The text with an apostrophe before what a spreadsheet would run."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _all(payouts: QuerySet[Payout]) -> Iterator[Payout]:
    """Short queries instead of one that would stay open for as long as the reader is slow.

    Ids sort by time: what is created meanwhile is newer than where we are, and is left out.
    """
    ordered = payouts.order_by("-pk")
    chunk = list(ordered[:CHUNK_SIZE])
    while chunk:
        yield from chunk
        chunk = list(ordered.filter(pk__lt=chunk[-1].pk)[:CHUNK_SIZE])


def _row(payout: Payout) -> list[str]:
    return [
        *(payout.pk, clock.iso(payout.created_at) or "", payout.merchant_id, payout.merchant.name),
        *(payout.idempotency_key, payout.status, money.text(payout.amount)),
        *(money.text(payout.fee_amount), payout.currency, money.text(payout.debit), payout.network),
        *(payout.recipient_name, document(payout), destination(payout), payout.description),
        *(payout.provider, payout.provider_reference, payout.provider_id),
        *(payout.failure_reason, _yes(payout.needs_approval), _yes(payout.needs_operator)),
        clock.iso(payout.completed_at) or "",
    ]


def _yes(flag: bool) -> str:
    return "true" if flag else "false"
