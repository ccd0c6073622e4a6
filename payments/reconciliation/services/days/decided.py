"""Costs, own movements, and what an operator decided: the ledger's entries beside the lines."""

from collections.abc import Iterator
from decimal import Decimal

from payments.core import money
from payments.ledger import services as ledger
from payments.ledger.models import Posting
from payments.reconciliation.models import Flow, MatchKind
from payments.reconciliation.services.days.bank_lines import BankDay, DayLine
from payments.reconciliation.services.days.paid_out import LINE_PREFIX
from payments.reconciliation.services.days.values import (
    NOTHING,
    Columns,
    Item,
    Kind,
    at_once,
)

FLOWS = {
    MatchKind.COST: Flow.COSTS,
    MatchKind.OTHER: Flow.OWN,
    MatchKind.MERCHANT: Flow.COLLECTIONS,
    MatchKind.RETURN: Flow.REFUNDS,
}


def items(day: BankDay) -> Iterator[Item]:
    lines = [
        line for line in day.of_kind(*FLOWS) if not (line.subject_id or "").startswith(LINE_PREFIX)
    ]
    booked = _booked([line.match_id or "" for line in lines])
    for line in lines:
        yield _item(day, line, booked.get(line.match_id or "", NOTHING))


def _booked(matches: list[str]) -> dict[str, Decimal]:
    """{match: the amount that left the account of undecided movements}"""
    if not matches:
        return {}
    undecided = ledger.undecided(money.BALANCE_OF_FIAT).code
    rows = Posting.objects.filter(entry__subject_id__in=matches, account__code=undecided)
    found: dict[str, Decimal] = {}
    for match, amount in rows.values_list("entry__subject_id", "amount"):
        found[match] = found.get(match, NOTHING) - amount
    return found


def _item(day: BankDay, line: DayLine, booked: Decimal) -> Item:
    return Item(
        flow=FLOWS[MatchKind(line.kind or "")],
        key=f"line:{line.pk}",
        columns=Columns(books=booked, provider=booked, bank=line.amount),
        kind=Kind.AMOUNT_DIFFERS if booked else Kind.MISSING_HERE,
        cause="not_booked",
        facts={"line": money.text(line.amount), "booked": money.text(booked)},
        records=(line.record,),
        due_on=at_once(day.day),
    )
