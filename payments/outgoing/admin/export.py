"""A filtered list as CSV: every row of it, streamed, safe to open in a spreadsheet."""

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import Any

from django.db.models import QuerySet

from payments.core import clock, csvtext, money
from payments.outgoing.models import OutgoingPayment

CHUNK_SIZE = 1000
# Header, and what stands under it.
Column = tuple[str, Callable[[Any], str]]


def columns(noun: str, own: Sequence[Column]) -> list[Column]:
    """The columns of a product: `own` between the money and the rail. `noun` as in the API."""
    return [
        (f"{noun}Id", lambda payment: payment.pk),
        ("createdAt", lambda payment: clock.iso(payment.created_at) or ""),
        ("merchantId", lambda payment: payment.merchant_id),
        ("merchant", lambda payment: payment.merchant.name),
        *_texts(idempotencyKey="idempotency_key", status="status"),
        ("amount", lambda payment: money.text(payment.amount)),
        ("feeAmount", lambda payment: money.text(payment.fee_amount)),
        *_texts(currency="currency"),
        ("debit", lambda payment: money.text(payment.debit)),
        *own,
        *_texts(provider="provider", providerReference="provider_reference"),
        *_texts(**{f"provider{noun[0].upper()}{noun[1:]}Id": "provider_id"}),
        *_texts(authorization="authorization", failureReason="failure_reason"),
        ("needsOperator", lambda payment: yes(payment.needs_operator)),
        ("completedAt", lambda payment: clock.iso(payment.completed_at) or ""),
    ]


def lines(payments: QuerySet[Any], columns: Sequence[Column]) -> Iterator[str]:
    """The file, line by line, newest payment first."""
    yield csvtext.MARK + csvtext.line(header for header, _cell in columns)
    for payment in _all(payments):
        yield csvtext.line(cell(payment) for _header, cell in columns)


def yes(flag: bool) -> str:
    """A truth value as JSON has it."""
    return "true" if flag else "false"


def _texts(**fields: str) -> Iterator[Column]:
    """Columns that show a field of text as it is."""
    for header, name in fields.items():
        yield header, attrgetter(name)


def _all(payments: QuerySet[Any]) -> Iterator[OutgoingPayment]:
    """Short queries instead of one that would stay open for as long as the reader is slow.

    Ids sort by time: what is created meanwhile is newer than where we are, and is left out.
    """
    ordered = payments.order_by("-pk")
    chunk = list(ordered[:CHUNK_SIZE])
    while chunk:
        yield from chunk
        chunk = list(ordered.filter(pk__lt=chunk[-1].pk)[:CHUNK_SIZE])
