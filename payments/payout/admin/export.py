"""The filtered list as CSV: every row of it, streamed, safe to open in a spreadsheet."""

from collections.abc import Iterator

from django.db.models import QuerySet

from payments.core import clock, csvtext, money
from payments.payout.admin.story import destination, document
from payments.payout.models import Payout

CHUNK_SIZE = 1000
HEADERS = [
    *("payoutId", "createdAt", "merchantId", "merchant", "idempotencyKey", "status"),
    *("amount", "feeAmount", "currency", "debit", "network", "recipientName"),
    *("recipientDocument", "destination", "description", "provider", "providerReference"),
    *("providerPayoutId", "failureReason", "needsApproval", "needsOperator", "completedAt"),
]


def lines(payouts: QuerySet[Payout]) -> Iterator[str]:
    """The file, line by line, newest payout first."""
    yield csvtext.MARK + csvtext.line(HEADERS)
    for payout in _all(payouts):
        yield csvtext.line(_row(payout))


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
