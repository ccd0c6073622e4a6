"""Payouts and refunds by payment files: our payments, the files' lines, the bank's debits."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import NamedTuple

from django.db.models import Q

from payments.collect.models import Refund
from payments.core import money
from payments.ledger.models import Entry
from payments.outgoing.models import OutgoingStatus
from payments.payment_files.models import BatchLine, LineStatus
from payments.payout.models import Payout
from payments.reconciliation.models import Flow, MatchKind
from payments.reconciliation.services.days.bank_lines import BankDay, DayLine
from payments.reconciliation.services.days.values import (
    NOTHING,
    Columns,
    Item,
    Kind,
    Record,
    at_once,
    within_window,
)

LINE = "payment_files.batchline"
LINE_PREFIX = "pfl_"
MODELS = {Payout.ID_PREFIX: "payout.payout", Refund.ID_PREFIX: "collect.refund"}
_PAID = (LineStatus.COMPLETED, LineStatus.RETURNED)
# Operators book money that left without a payment (payments.ledger.recipes.outgoing_lost).
_LOST = "_lost"


class Booked(NamedTuple):
    """What our books have of a payment. Both are above zero."""

    out: Decimal = NOTHING
    back: Decimal = NOTHING


def items(day: BankDay) -> Iterator[Item]:
    decided = [
        line
        for line in day.of_kind(MatchKind.PAYOUT_LINE, MatchKind.RETURN)
        if (line.subject_id or "").startswith(LINE_PREFIX)
    ]
    of_lines = {one.pk: one for one in _batch_lines(day, decided)}
    booked = _booked(of_lines.values())
    for line in decided:
        yield _seen(day, line, of_lines[line.subject_id or ""], booked)
    seen = {line.subject_id for line in decided}
    for one in of_lines.values():
        if one.pk not in seen:
            yield _unseen(day, one, booked.get(one.payment_id, Booked()))


def _batch_lines(day: BankDay, decided: Iterable[DayLine]) -> list[BatchLine]:
    """Those of the day's movements, and those that the bank should pay on the day."""
    ids = [line.subject_id for line in decided]
    awaited = Q(batch__pay_on=day.day, account__in=day.payouts, handed_over_at__isnull=False)
    awaited &= Q(debit_source="") & ~Q(status=LineStatus.FAILED)
    rows = BatchLine.objects.filter(Q(pk__in=ids) | awaited) if day.payouts or ids else ()
    return list(rows)


def _booked(lines: Iterable[BatchLine]) -> dict[str, Booked]:
    references = [line.reference for line in lines]
    if not references:
        return {}
    found: dict[str, Booked] = {}
    for model in (Payout, Refund):
        rows = model._default_manager.filter(provider_reference__in=references)
        for pk, status, amount in rows.values_list("pk", "status", "amount"):
            found[pk] = _of_status(status, amount)
    lost = Entry.objects.filter(subject_id__in=list(found), kind__endswith=_LOST)
    for pk in lost.values_list("subject_id", flat=True):
        found[pk] = Booked(out=_amount(found[pk], lines, pk), back=NOTHING)
    return found


def _of_status(status: str, amount: Decimal) -> Booked:
    if status == OutgoingStatus.COMPLETED:
        return Booked(out=amount)
    if status == OutgoingStatus.REFUNDED:
        return Booked(out=amount, back=amount)
    return Booked()


def _amount(booked: Booked, lines: Iterable[BatchLine], payment: str) -> Decimal:
    return booked.out or next(line.amount for line in lines if line.payment_id == payment)


def _seen(day: BankDay, line: DayLine, of_file: BatchLine, booked: Mapping[str, Booked]) -> Item:
    own = booked.get(of_file.payment_id, Booked())
    is_return = line.amount > 0
    # A line that FAILED may have a debit nevertheless: an operator has decided about it.
    is_paid = of_file.status in _PAID or of_file.debit_source == line.source
    provider = of_file.amount if is_paid else NOTHING
    columns = Columns(books=-own.out, provider=-provider, bank=line.amount)
    if is_return:
        provider = of_file.amount if of_file.status == LineStatus.RETURNED else NOTHING
        columns = Columns(books=own.back, provider=provider, bank=line.amount)
    return Item(
        flow=_flow(of_file, is_return=is_return),
        key=f"line:{line.pk}",
        columns=columns,
        has_provider=True,
        kind=Kind.AMOUNT_DIFFERS if columns.books else Kind.MISSING_HERE,
        cause="return_not_booked" if is_return else "payment_not_booked",
        facts=_facts(of_file),
        records=(line.record, *_records(of_file)),
        due_on=at_once(day.day),
    )


def _unseen(day: BankDay, of_file: BatchLine, own: Booked) -> Item:
    """The file told the bank to pay, and no movement shows it."""
    return Item(
        flow=_flow(of_file),
        key=f"file:{of_file.pk}",
        columns=Columns(books=-own.out, provider=-of_file.amount),
        has_provider=True,
        kind=Kind.MISSING_THERE,
        cause="not_debited",
        facts=_facts(of_file),
        records=_records(of_file),
        due_on=within_window(day.day),
    )


def _flow(line: BatchLine, *, is_return: bool = False) -> Flow:
    is_refund = line.payment_id.startswith(f"{Refund.ID_PREFIX}_")
    return Flow.REFUNDS if is_refund or is_return else Flow.PAYOUTS


def _facts(line: BatchLine) -> dict[str, str]:
    return {"code": line.code, "amount": money.text(line.amount)}


def _records(line: BatchLine) -> tuple[Record, ...]:
    model = MODELS.get(line.payment_id.partition("_")[0])
    payment = [Record(model, line.payment_id)] if model else []
    return (Record(LINE, line.pk), *payment)
