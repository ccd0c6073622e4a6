"""Lines that may be paid twice: inside the file, and against the last 30 days."""

import hashlib
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import connection
from django.db.models import Q

from payments.core import days
from payments.payout.models import Payout
from payments.payout_batches.models import BatchLine, BatchStatus, LineStatus, PayoutBatch
from payments.payout_batches.services import totals

WINDOW = timedelta(days=30)
# Bank or none, account or key, and amount.
Payment = tuple[str, str, Decimal]
# Rows of one UPDATE.
_CHUNK = 1000
_FAILED = (Payout.Status.FAILED, Payout.Status.REFUNDED)


# Warnings that appear with time, and what they say: the same payment, the same reference.
_RECENT = {"paid_before": "payment", "in_other_batch": "payment", "reference_before": "reference"}


def mark_inside(lines: Sequence[BatchLine]) -> None:
    """A reference that is there twice is a fault; the same payment twice is a warning."""
    references: dict[str, int] = {}
    payments: dict[Payment, int] = {}
    for line in lines:
        if line.reference and line.reference in references:
            fault = {"code": "reference_twice", "column": "reference", "value": line.reference}
            line.faults = [*line.faults, {**fault, "line": references[line.reference]}]
            line.status = LineStatus.WRONG
        references.setdefault(line.reference, line.number)
        if line.status == LineStatus.WAITING:
            if (first := payments.get(_payment(line))) is not None:
                _warn(line, "same_as_line", line=first)
            payments.setdefault(_payment(line), line.number)


def mark_recent(batch: PayoutBatch, lines: Sequence[BatchLine], now: datetime) -> None:
    """Against the merchant's payouts and the lines of its other batches that are on their way."""
    good = [line for line in lines if line.status == LineStatus.WAITING]
    paid = _paid(batch, good, now)
    planned = _planned(batch, good, now)
    used = _used_references(batch, good, now)
    for line in good:
        if (day := paid.get(_payment(line))) is not None:
            _warn(line, "paid_before", day=day.isoformat())
        elif (other := planned.get(_payment(line))) is not None:
            _warn(line, "in_other_batch", line=other[0], name=other[1])
        if (day := used.get(line.reference)) is not None:
            _warn(line, "reference_before", day=day.isoformat())


def mark_since_check(batch: PayoutBatch, now: datetime) -> bool:
    """Whether lines have new warnings, of what was paid or sent since the check. They are stored.

    Only one batch of a merchant at a time until the transaction ends, so that of two files with
    the same payments the second one sees the first.
    """
    digest = hashlib.sha256(f"payout_batch:{batch.merchant_id}".encode()).digest()
    with connection.cursor() as cursor:
        key = int.from_bytes(digest[:8], signed=True)
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [key])
    lines = list(batch.lines.filter(status=LineStatus.WAITING).defer("cells"))
    known = {line.pk: _recent(line) for line in lines}
    for line in lines:
        line.warnings = [one for one in line.warnings if one["code"] not in _RECENT]
    mark_recent(batch, lines, now)
    news = [line for line in lines if _recent(line) - known[line.pk]]
    if not news:
        return False
    BatchLine.objects.bulk_update(news, ["warnings"], batch_size=_CHUNK)
    totals.count(batch)
    batch.save(update_fields=[*totals.FIELDS, "updated_at"])
    return True


def _recent(line: BatchLine) -> set[str]:
    codes = [one["code"] for one in line.warnings]
    return {_RECENT[code] for code in codes if code in _RECENT}


def _warn(line: BatchLine, code: str, /, **figures: object) -> None:
    line.warnings = [*line.warnings, {"code": code, **figures}]


def _payment(line: BatchLine) -> Payment:
    assert line.amount is not None  # noqa: S101 - only of lines without a fault
    return (line.bank_id or "", line.account_number or line.key_value, line.amount)


def _paid(batch: PayoutBatch, lines: Sequence[BatchLine], now: datetime) -> dict[Payment, date]:
    """Payouts that failed or came back are no duplicates."""
    recent = Payout.objects.filter(merchant=batch.merchant_id, created_at__gte=now - WINDOW)
    rows = recent.exclude(status__in=_FAILED).filter(_to(lines))
    columns = ("bank_id", "account_number", "key_value", "amount", "created_at")
    return {
        (bank or "", account or key, amount): days.day_of(at)
        for bank, account, key, amount, at in rows.values_list(*columns).iterator()
    }


def _planned(
    batch: PayoutBatch, lines: Sequence[BatchLine], now: datetime
) -> dict[Payment, tuple[int, str]]:
    """Lines without a payout of batches that were sent."""
    open_states = (BatchStatus.WAITING, BatchStatus.RUNNING, BatchStatus.PAUSED)
    rows = _others(batch, now).filter(batch__status__in=open_states, status=LineStatus.WAITING)
    columns = ("bank_id", "account_number", "key_value", "amount", "number", "batch__name")
    return {
        (bank or "", account or key, amount): (number, name)
        for bank, account, key, amount, number, name in rows.filter(_to(lines)).values_list(
            *columns
        )
    }


def _used_references(
    batch: PayoutBatch, lines: Sequence[BatchLine], now: datetime
) -> dict[str, date]:
    wanted = [line.reference for line in lines if line.reference]
    sent = Q(status=LineStatus.CREATED) | Q(
        status=LineStatus.WAITING,
        batch__status__in=(BatchStatus.WAITING, BatchStatus.RUNNING, BatchStatus.PAUSED),
    )
    rows = _others(batch, now).filter(sent, reference__in=wanted)
    return {
        reference: days.day_of(at)
        for reference, at in rows.values_list("reference", "batch__created_at")
    }


def _others(batch: PayoutBatch, now: datetime) -> Any:
    return BatchLine.objects.filter(
        batch__merchant=batch.merchant_id, batch__created_at__gte=now - WINDOW
    ).exclude(batch=batch.pk)


def _to(lines: Sequence[BatchLine]) -> Q:
    accounts = sorted({line.account_number for line in lines if line.account_number})
    keys = sorted({line.key_value for line in lines if line.key_value})
    return Q(account_number__in=accounts) | Q(key_value__in=keys)
