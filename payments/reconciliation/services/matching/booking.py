"""Writes a decision: the match, the line, the ledger, and what the charge has to be told."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from payments.core import states
from payments.ledger import recipes
from payments.reconciliation.models import (
    AwaitedTransfer,
    LineMatch,
    LineStatus,
    MatchKind,
    StatementLine,
)
from payments.reconciliation.services.disbursements import arrivals
from payments.reconciliation.services.matching import payouts
from payments.reconciliation.services.matching.values import Candidate, Fact

MATCHER = "matcher"
# Around a line that was decided, those of the same amount may now fit one charge only.
NEAR = timedelta(days=10)


class NotAllowedByPayment(Exception):
    """The line of the payment file does not allow the movement, and has called an operator."""


def book(
    line: StatementLine,
    candidate: Candidate,
    *,
    actor: str,
    now: datetime,
    said: Sequence[Fact] = (),
) -> LineMatch:
    """The caller has locked the line, and then the transfer. `said` comes from the person.

    Raises NotAllowedByPayment: the caller commits what this found, and leaves the line.
    """
    if candidate.batch_line is not None and payouts.apply(line, candidate.batch_line, now):
        raise NotAllowedByPayment
    match = LineMatch.objects.create(
        line=line,
        kind=candidate.kind,
        subject_id=candidate.subject_id,
        transfer=candidate.transfer,
        amount=line.amount,
        explanation=[*candidate.facts, *candidate.differs, *said],
        decided_by=actor,
        decided_at=now,
    )
    states.move(line, candidate.status, now=now, actor=actor or MATCHER, match_at=None)
    recipes.bank_line_cleared(decided_line(match, candidate), now=now)
    if candidate.transfer is not None and candidate.kind == MatchKind.CHARGE:
        _add_to(candidate.transfer, line, now)
    if candidate.arrival is not None:
        arrivals.arrive(
            arrival=candidate.arrival, booked_on=line.booked_on, actor=actor or MATCHER, now=now
        )
    return match


def decided_line(match: LineMatch, candidate: Candidate) -> recipes.DecidedLine:
    return recipes.DecidedLine(
        match_id=match.pk, line_id=match.line_id, amount=match.amount, to=candidate.to
    )


def _add_to(transfer: AwaitedTransfer, line: StatementLine, now: datetime) -> None:
    transfer.received += line.amount
    transfer.report_at = now
    transfer.save(update_fields=["received", "report_at"])
    StatementLine.objects.filter(
        account_id=line.account_id,
        amount=line.amount,
        booked_on__range=(line.booked_on - NEAR, line.booked_on + NEAR),
        status=LineStatus.AMBIGUOUS,
    ).update(match_at=now)
