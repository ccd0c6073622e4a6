"""Collections by transfer: what orders were credited, beside the lines of the bank.

Our column has what the charge was credited (`received`), and not what its lines say. So a line
that was matched and never credited, or money without any line, is seen.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from django.db import connection

from payments.collect.models import Charge
from payments.core import days, money
from payments.reconciliation.models import Flow, LineMatch, MatchKind
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

ORDER = "collect.order"

# Charges of the day that were credited more than all statements have ever shown.
_WITHOUT_LINE_SQL = """
SELECT charge.id, charge.order_id, charge.received - transfer.received
FROM reconciliation_awaitedtransfer AS transfer
    JOIN collect_charge AS charge ON charge.id = transfer.charge_id
WHERE transfer.account = ANY(%(accounts)s)
    AND transfer.created_at >= %(start)s AND transfer.created_at < %(end)s
    AND charge.received > transfer.received
ORDER BY charge.id
"""


class Credited(NamedTuple):
    order_id: str
    received: Decimal


def items(day: BankDay) -> Iterator[Item]:
    lines = day.of_kind(MatchKind.CHARGE)
    charges = _charges(lines)
    shares = _shares(lines, charges)
    for line in lines:
        yield _item(day, line, charges.get(line.subject_id or ""), shares.get(line.pk, NOTHING))
    yield from _without_line(day)


def _charges(lines: Sequence[DayLine]) -> dict[str, Credited]:
    ids = {line.subject_id for line in lines if line.subject_id}
    rows = Charge.objects.filter(pk__in=ids).values_list("pk", "order_id", "received")
    return {pk: Credited(order, received) for pk, order, received in rows}


def _shares(lines: Sequence[DayLine], charges: Mapping[str, Credited]) -> dict[int, Decimal]:
    """{line: what of it its charge was credited}. The oldest lines of a charge come first."""
    matched: dict[str, list[tuple[int, Decimal]]] = defaultdict(list)
    left = {pk: charge.received for pk, charge in charges.items()}
    rows = LineMatch.objects.filter(kind=MatchKind.CHARGE, subject_id__in=charges)
    for charge, line, amount, undone_at in rows.order_by("line__booked_on", "line_id").values_list(
        "subject_id", "line_id", "amount", "undone_at"
    ):
        if undone_at is None:
            matched[charge].append((line, amount))
        else:
            # What a charge received never falls: the money was taken back from the order.
            left[charge] -= amount
    shares = {}
    for charge, found in matched.items():
        for line, amount in found:
            shares[line] = max(NOTHING, min(left[charge], amount))
            left[charge] -= shares[line]
    return shares


def _item(day: BankDay, line: DayLine, charge: Credited | None, share: Decimal) -> Item:
    columns = Columns(books=share, provider=line.amount, bank=line.amount)
    records = (line.record, *([Record(ORDER, charge.order_id)] if charge else []))
    return Item(
        flow=Flow.COLLECTIONS,
        key=f"line:{line.pk}",
        columns=columns,
        kind=Kind.AMOUNT_DIFFERS if share else Kind.MISSING_HERE,
        cause="not_credited" if charge else "of_no_order",
        facts={"line": money.text(line.amount), "credited": money.text(share)},
        records=records,
        due_on=at_once(day.day),
    )


def _without_line(day: BankDay) -> Iterator[Item]:
    if not day.payins:
        return
    limits = {"start": days.start_of(day.day), "end": days.start_of(day.day + days.ONE_DAY)}
    with connection.cursor() as cursor:
        cursor.execute(_WITHOUT_LINE_SQL, {"accounts": list(day.payins), **limits})
        found = cursor.fetchall()
    for charge, order, amount in found:
        yield Item(
            flow=Flow.COLLECTIONS,
            key=f"charge:{charge}",
            columns=Columns(books=amount),
            kind=Kind.MISSING_THERE,
            cause="no_bank_line",
            facts={"credited": money.text(amount)},
            records=(Record(ORDER, order),),
            due_on=within_window(day.day),
        )
