"""Disbursements of acquirers: our payments, their files, the bank's lines."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db import connection
from django.db.models import Q

from payments.core import money
from payments.reconciliation.models import (
    BankAccount,
    Disbursement,
    DisbursementStatus,
    Flow,
    LineMatch,
    MatchKind,
)
from payments.reconciliation.services.days.bank_lines import BankDay, DayLine
from payments.reconciliation.services.days.values import (
    NOTHING,
    Columns,
    Item,
    Kind,
    Record,
    at_once,
)

DISBURSEMENT = "reconciliation.disbursement"
ORDER = "collect.order"

# Payments that the files have and that our charges have not, or with a smaller amount. A charge
# may be paid by several transactions.
_UNKNOWN_SQL = """
SELECT payment.disbursement_id, payment.id, payment.transaction_id, payment.gross,
    charge.order_id,
    greatest(0, COALESCE(charge.received, 0) - (all_of.gross - payment.gross)) AS known
FROM reconciliation_disbursementrow AS payment
    LEFT JOIN collect_charge AS charge ON charge.id = payment.charge_id
    LEFT JOIN LATERAL (
        SELECT sum(gross) AS gross FROM reconciliation_disbursementrow
        WHERE charge_id = payment.charge_id AND NOT is_reversal
    ) AS all_of ON payment.charge_id IS NOT NULL
WHERE payment.disbursement_id = ANY(%(disbursements)s) AND NOT payment.is_reversal
    AND (charge.id IS NULL OR all_of.gross > charge.received)
ORDER BY payment.id
"""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A payment of a file. `known` is what our books have of it."""

    row_id: int
    transaction_id: str
    gross: Decimal
    order_id: str | None
    known: Decimal


def items(day: BankDay) -> Iterator[Item]:
    lines = day.of_kind(MatchKind.DISBURSEMENT)
    arrived = _together(lines)
    waiting = _waiting(day)
    unknown = find_unknown([one for rows in arrived.values() for one in rows] + waiting)
    for line in lines:
        rows = arrived.get(line.subject_id or "", [])
        yield from _of_line(day, line, rows, unknown)
    for one in waiting:
        yield from _of_waiting(day, one, unknown[one.pk])


def find_unknown(rows: Iterable[Disbursement]) -> defaultdict[str, list[Unknown]]:
    found: defaultdict[str, list[Unknown]] = defaultdict(list)
    ids = [row.pk for row in rows]
    if not ids:
        return found
    with connection.cursor() as cursor:
        cursor.execute(_UNKNOWN_SQL, {"disbursements": ids})
        for disbursement, *values in cursor.fetchall():
            found[disbursement].append(Unknown(*values))
    return found


def _together(lines: Sequence[DayLine]) -> dict[str, list[Disbursement]]:
    """{the one that the match names: those that came as one sum}"""
    heads = [line.subject_id or "" for line in lines]
    found: dict[str, list[Disbursement]] = {}
    if heads:
        for row in Disbursement.objects.filter(Q(pk__in=heads) | Q(arrived_with__in=heads)):
            found.setdefault(row.arrived_with_id or row.pk, []).append(row)
    return found


def _waiting(day: BankDay) -> list[Disbursement]:
    """Those of the day that no line shows, if this is the account where their money arrives."""
    rows = Disbursement.objects.filter(day=day.day).exclude(status=DisbursementStatus.ARRIVED)
    found = list(rows.order_by("pk"))
    own = {slug for slug in {row.account_id for row in found} if _arrives_at(slug, day.account)}
    return [row for row in found if row.account_id in own]


def _arrives_at(slug: str, account: BankAccount) -> bool:
    """Where its last one arrived; before the first one, at our only bank account."""
    last = Disbursement.objects.filter(account=slug, status=DisbursementStatus.ARRIVED)
    head = last.filter(arrived_with=None).order_by("-day", "-pk").first()
    if head is not None:
        matches = LineMatch.objects.filter(kind=MatchKind.DISBURSEMENT, subject_id=head.pk)
        where = matches.filter(undone_at=None).values_list("line__account_id", flat=True).first()
        if where is not None:
            return where == account.pk
    return BankAccount.objects.count() == 1


def _of_line(
    day: BankDay,
    line: DayLine,
    rows: Sequence[Disbursement],
    unknown: defaultdict[str, list[Unknown]],
) -> Iterator[Item]:
    strange = [one for row in rows for one in unknown[row.pk]]
    apart = sum((one.gross for one in strange), NOTHING)
    net = sum((row.net for row in rows), NOTHING) - apart
    records = tuple(Record(DISBURSEMENT, row.pk) for row in rows)
    yield Item(
        flow=Flow.DISBURSEMENTS,
        key=f"line:{line.pk}",
        columns=Columns(books=net, provider=net, bank=line.amount - apart),
        has_provider=True,
        cause="other_sum",
        facts={"line": money.text(line.amount), "net": money.text(net + apart)},
        records=(line.record, *records),
        due_on=at_once(day.day),
    )
    for one in strange:
        yield _of_unknown(day, one, records, arrived=one.gross)


def _of_waiting(day: BankDay, row: Disbursement, unknown: Sequence[Unknown]) -> Iterator[Item]:
    apart = sum((one.gross for one in unknown), NOTHING)
    record = Record(DISBURSEMENT, row.pk)
    yield Item(
        flow=Flow.DISBURSEMENTS,
        key=f"disbursement:{row.pk}",
        columns=Columns(books=row.net - apart, provider=row.net - apart),
        has_provider=True,
        kind=Kind.MISSING_THERE,
        cause="not_arrived",
        facts={"account": row.account_id, "net": money.text(row.net)},
        records=(record,),
        due_on=row.due_on,
    )
    for one in unknown:
        yield _of_unknown(day, one, (record,), arrived=NOTHING)


def _of_unknown(
    day: BankDay, one: Unknown, records: tuple[Record, ...], *, arrived: Decimal
) -> Item:
    of_order = (Record(ORDER, one.order_id),) if one.order_id else ()
    return Item(
        flow=Flow.DISBURSEMENTS,
        key=f"payment:{one.row_id}",
        columns=Columns(books=one.known, provider=one.gross, bank=arrived),
        has_provider=True,
        kind=Kind.AMOUNT_DIFFERS if one.known else Kind.MISSING_HERE,
        cause="payment_unknown" if one.order_id is None else "payment_smaller_here",
        facts={
            "transaction": one.transaction_id,
            "gross": money.text(one.gross),
            "known": money.text(one.known),
        },
        records=(*records, *of_order),
        due_on=at_once(day.day),
    )
