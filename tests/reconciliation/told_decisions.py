"""What a person who knows the truth decides about lines that wait."""

from dataclasses import dataclass, field

from payments.core import clock
from payments.payment_files.models import BatchLine
from payments.reconciliation.models import MatchKind, StatementLine
from payments.reconciliation.services.matching import decisions, due_lines
from tests.reconciliation.month_truth import COSTS, WAITING, truths
from tests.reconciliation.shop.lines import BankLine
from tests.reconciliation.shop.plan import Kind
from tests.reconciliation.told_service import OPERATOR, ToldService


@dataclass
class Decided:
    """`accepted`: the right candidate was on the page. `assigned`: the person had to search."""

    accepted: int = 0
    assigned: int = 0
    booked: int = 0
    without_door: list[str] = field(default_factory=list)


def decide_all(told: ToldService) -> Decided:
    """Each waiting line is decided rightly; those that no door is for are listed."""
    done = Decided()
    of_line = truths(told)
    for line in StatementLine.objects.filter(status__in=WAITING).order_by("booked_on", "pk"):
        _decide(told, line, of_line[line.pk], done)
    return done


def _decide(told: ToldService, line: StatementLine, truth: BankLine, done: Decided) -> None:
    how = decisions.Decision(actor=OPERATOR, reason="seen in the statement", now=clock.now())
    if (key := _right_candidate(told, line, truth)) is not None:
        decisions.accept(line_id=line.pk, key=key, decision=how)
        done.accepted += 1
    elif truth.kind is Kind.CHARGE:
        decisions.assign(line_id=line.pk, order=truth.subject, decision=how)
        done.assigned += 1
    elif truth.kind is Kind.STRANGER:
        decisions.credit_merchant(line_id=line.pk, merchant=told.api.merchant, decision=how)
        done.booked += 1
    elif truth.kind in COSTS:
        decisions.book_cost(line_id=line.pk, cost=COSTS[truth.kind].value, decision=how)
        done.booked += 1
    elif truth.kind in (Kind.INTEREST, Kind.OWN):
        decisions.book_own_movement(line_id=line.pk, decision=how)
        done.booked += 1
    else:
        done.without_door.append(f"{line} [{truth.kind} {truth.subject}]")


def _right_candidate(told: ToldService, line: StatementLine, truth: BankLine) -> str | None:
    wanted = {
        Kind.CHARGE: lambda: (MatchKind.CHARGE, told.charges[truth.subject]),
        Kind.PAYOUT: lambda: (MatchKind.PAYOUT_LINE, _batch_line(told, truth)),
        Kind.PAYOUT_RETURN: lambda: (MatchKind.PAYOUT_LINE, _batch_line(told, truth)),
    }.get(truth.kind)
    if wanted is None:
        return None
    search = due_lines.search_for(line, clock.now())
    for candidate in due_lines.find_candidates(search):
        if (candidate.kind, candidate.subject_id) == wanted():
            return candidate.key
    return None


def _batch_line(told: ToldService, truth: BankLine) -> str:
    return BatchLine.objects.get(payment_id=told.payouts[truth.subject]).pk
