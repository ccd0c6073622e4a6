"""Compares what the service decided with what the bank's lines truly are."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from payments.ledger.models import Cost
from payments.payment_files.models import BatchLine
from payments.reconciliation.models import (
    Disbursement,
    LineMatch,
    LineStatus,
    MatchKind,
    StatementLine,
)
from tests.reconciliation.shop.lines import BankLine
from tests.reconciliation.shop.plan import Kind
from tests.reconciliation.told_service import ToldService

COSTS = {
    Kind.GMF: Cost.GMF,
    Kind.COMMISSION: Cost.BANK_COMMISSION,
    Kind.VAT: Cost.VAT,
    Kind.WITHHOLDING: Cost.INCOME_WITHHOLDING,
}
WAITING = (LineStatus.NEW, LineStatus.AMBIGUOUS, LineStatus.UNMATCHED)

Slot = tuple[date, Decimal]


@dataclass
class Compared:
    """Stored lines by what became of them; wrong ones as sentences."""

    lines: int = 0
    decided: int = 0
    ambiguous: int = 0
    unmatched: int = 0
    wrong: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    waiting: dict[str, int] = field(default_factory=dict)

    @property
    def share(self) -> float:
        return self.decided / self.lines if self.lines else 0


def truths(told: ToldService) -> dict[int, BankLine]:
    """The bank's line of each stored line: by day and amount, then by what else both say."""
    booked: dict[Slot, list[BankLine]] = defaultdict(list)
    for line in told.bank.lines:
        booked[line.day, line.amount].append(line)
    stored: dict[Slot, list[StatementLine]] = defaultdict(list)
    for row in StatementLine.objects.order_by("pk"):
        stored[row.booked_on, row.amount].append(row)
    found: dict[int, BankLine] = {}
    for slot, rows in stored.items():
        found.update(_paired(rows, booked[slot]))
    return found


def _paired(rows: list[StatementLine], lines: list[BankLine]) -> dict[int, BankLine]:
    """The pairs that are most alike first."""
    assert len(rows) <= len(lines), f"more movements are stored than the bank has: {rows}"
    pairs = [(row, line) for row in rows for line in lines]
    found: dict[int, BankLine] = {}
    taken: set[str] = set()
    for row, line in sorted(pairs, key=lambda pair: _likeness(*pair), reverse=True):
        if row.pk not in found and line.operation not in taken:
            found[row.pk] = line
            taken.add(line.operation)
    return found


def _likeness(stored: StatementLine, line: BankLine) -> tuple[bool, bool, bool]:
    typed = line.typed.replace(" ", "").lstrip("0")
    return (
        stored.operation_id.startswith(line.operation),
        bool(stored.description) and stored.description.split() == line.text.split(),
        bool(typed) and stored.reference.replace(" ", "").lstrip("0") == typed,
    )


def compare(told: ToldService) -> Compared:
    result = Compared()
    of_line = truths(told)
    matches = {one.line_id: one for one in LineMatch.objects.filter(undone_at=None)}
    for stored in StatementLine.objects.order_by("pk"):
        truth = of_line[stored.pk]
        result.lines += 1
        match stored.status:
            case LineStatus.AMBIGUOUS:
                result.ambiguous += 1
            case LineStatus.UNMATCHED | LineStatus.NEW:
                result.unmatched += 1
            case _:
                result.decided += 1
                fault = _fault(told, truth, matches[stored.pk])
                if fault:
                    result.wrong.append(f"{stored} [{truth.kind} {truth.subject}]: {fault}")
        if stored.status in WAITING:
            kind = f"{truth.kind}, {stored.status}"
            result.waiting[kind] = result.waiting.get(kind, 0) + 1
    stored_slots = len(of_line)
    expected = len(told.bank.lines)
    if stored_slots != expected:
        result.missing.append(f"{expected} movements, {stored_slots} stored")
    return result


def _fault(told: ToldService, truth: BankLine, found: LineMatch) -> str:
    """What is wrong with the match; empty if it is right."""
    right = _right(told, truth)
    if right is None:
        # No payment of ours: whatever a person books it as, it must be no payment.
        is_right = found.kind in (MatchKind.MERCHANT, MatchKind.OTHER, MatchKind.COST)
    else:
        is_right = (found.kind, found.subject_id) == right
    return "" if is_right else f"is {found.kind} {found.subject_id}: {found.explanation}"


def _right(told: ToldService, truth: BankLine) -> tuple[str, str] | None:
    match truth.kind:
        case Kind.CHARGE:
            return MatchKind.CHARGE, told.charges[truth.subject]
        case Kind.PAYOUT | Kind.PAYOUT_RETURN:
            line = BatchLine.objects.get(payment_id=told.payouts[truth.subject])
            return MatchKind.PAYOUT_LINE, line.pk
        case Kind.DISBURSEMENT:
            return MatchKind.DISBURSEMENT, Disbursement.objects.get(day=truth.day).pk
        case kind if kind in COSTS:
            return MatchKind.COST, COSTS[kind].value
        case _:
            return None
