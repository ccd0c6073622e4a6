"""Decisions of persons about lines. Each leaves a row in the audit log.

Locks are taken in this order: the line, the transfer, the balances. What a charge has to be told
is told after the decision, as the matcher does.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_noop as _

from merchants.models import Merchant
from payments.collect.models import Order
from payments.core import audit
from payments.core.errors import NotAllowed, ServiceError
from payments.core.money import BALANCE_OF_FIAT
from payments.ledger import services as ledger
from payments.ledger.models import Cost
from payments.ledger.services import system_balances
from payments.reconciliation.models import (
    AwaitedTransfer,
    LineMatch,
    LineStatus,
    MatchKind,
    StatementLine,
)
from payments.reconciliation.services.matching import booking, due_lines, payouts, reports
from payments.reconciliation.services.matching.values import Candidate, fact

OWN, RETURNED = "own_movement", "returned"
# Before the slug of the account whose clearing has the return.
RECORDED = "recorded"
WAITING = (LineStatus.NEW, LineStatus.AMBIGUOUS, LineStatus.UNMATCHED)


class LineDecided(ServiceError):
    status = 409
    code = "CONFLICT"
    message = _("This movement was decided in the meantime.")


class NoSuchCandidate(ServiceError):
    status = 409
    code = "CONFLICT"
    message = _("This is no longer a candidate. Look at the movement again.")


class NoSuchOrder(ServiceError):
    status = 404
    code = "ORDER_NOT_FOUND"
    message = _("No order with this id or reference has been shown this account.")


class SeveralOrders(ServiceError):
    """References are chosen by merchants: two of them may have the same one."""

    status = 409
    code = "CONFLICT"
    message = _("Several orders have this reference. Enter the id of one of them.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Who decided, and why."""

    actor: str
    reason: str
    now: datetime


def accept(*, line_id: int, key: str, decision: Decision) -> LineMatch:
    """`key` is a Candidate's. Raises LineDecided, NoSuchCandidate and NotAllowed."""

    def choose(line: StatementLine) -> Candidate:
        found = due_lines.find_candidates(due_lines.search_for(line, decision.now))
        for one in found:
            if one.key == key:
                return one
        raise NoSuchCandidate

    return _decide(line_id, choose, decision, action="accepted")


def assign(*, line_id: int, order: str, decision: Decision) -> LineMatch:
    """To an order, by its id or reference, whose payer was shown the account.

    Or to a line of a payment file, by its code. Raises LineDecided, NoSuchOrder,
    SeveralOrders and NotAllowed.
    """

    def choose(line: StatementLine) -> Candidate:
        search = due_lines.search_for(line, decision.now)
        if (paid := payouts.candidate_by_code(search, order)) is not None:
            return paid
        if line.amount < 0:
            raise NotAllowed(_("Only money that came in can pay an order."))
        transfer = _transfer_of(order, search.payins)
        return Candidate(
            kind=MatchKind.CHARGE,
            subject_id=transfer.charge_id,
            to=ledger.clearing(transfer.account, BALANCE_OF_FIAT),
            facts=(fact("assigned", order=order),),
            transfer=transfer,
        )

    return _decide(line_id, choose, decision, action="assigned")


def credit_merchant(*, line_id: int, merchant: Merchant, decision: Decision) -> LineMatch:
    """The whole amount, without a fee. Raises LineDecided and NotAllowed."""

    def choose(line: StatementLine) -> Candidate:
        if line.amount < 0:
            raise NotAllowed(_("Only money that came in can be credited."))
        return Candidate(
            kind=MatchKind.MERCHANT,
            subject_id=merchant.pk,
            to=ledger.available(merchant.pk, BALANCE_OF_FIAT),
            facts=(fact("credited", merchant=merchant.name),),
        )

    return _decide(line_id, choose, decision, action="credited")


def book_cost(*, line_id: int, cost: str, decision: Decision) -> LineMatch:
    """A cost, or what the bank gave back of one. Raises LineDecided."""
    return _book(line_id, MatchKind.COST, cost, ledger.costs(Cost(cost), BALANCE_OF_FIAT), decision)


def book_own_movement(*, line_id: int, decision: Decision) -> LineMatch:
    """Money that the owner put in or took out. Raises LineDecided."""
    return _book(line_id, MatchKind.OTHER, OWN, ledger.equity(BALANCE_OF_FIAT), decision)


def mark_returned(*, line_id: int, proof: str, decision: Decision) -> LineMatch:
    """A credit that goes back to who sent it, or the debit with which it went.

    Both lines are marked: between them the money is in suspense. Raises LineDecided.
    """
    suspense = ledger.suspense(BALANCE_OF_FIAT)
    return _book(line_id, MatchKind.RETURN, RETURNED, suspense, decision, proof=proof)


def book_recorded_return(*, line_id: int, decision: Decision) -> LineMatch:
    """The debit of a refund by hand, or of unmatched funds that were returned.

    The books had it already, when it was recorded: as money that left the clearing of the rail.
    Raises LineDecided and NotAllowed.
    """

    def choose(line: StatementLine) -> Candidate:
        payins = due_lines.search_for(line, decision.now).payins
        if line.amount > 0 or not payins:
            raise NotAllowed(_("Only money that went out of an account of payers can be this."))
        account = _account_that_returned(payins, -line.amount)
        return Candidate(
            kind=MatchKind.RETURN,
            subject_id=f"{RECORDED}:{account}",
            to=ledger.clearing(account, BALANCE_OF_FIAT),
            facts=(fact("booked_as", kind=RECORDED),),
        )

    return _decide(line_id, choose, decision, action="booked")


def _account_that_returned(payins: tuple[str, ...], amount: Decimal) -> str:
    for slug in payins:
        if system_balances.balance(ledger.clearing(slug, BALANCE_OF_FIAT)) >= amount:
            return slug
    return payins[0]


def _book(
    line_id: int,
    kind: MatchKind,
    subject: str,
    to: ledger.AccountRef,
    decision: Decision,
    **facts: str,
) -> LineMatch:
    candidate = Candidate(
        kind=kind, subject_id=subject, to=to, facts=(fact("booked_as", kind=subject, **facts),)
    )
    return _decide(line_id, lambda line: candidate, decision, action="booked")


def _decide(
    line_id: int,
    choose: Callable[[StatementLine], Candidate],
    decision: Decision,
    *,
    action: str,
) -> LineMatch:
    match = _commit(line_id, choose, decision, action)
    if match is None:
        raise NotAllowed(_("The line of the payment file does not allow this movement."))
    if match.transfer is not None:
        reports.report_transfer(transfer=match.transfer, now=decision.now)
    return match


@transaction.atomic
def _commit(
    line_id: int, choose: Callable[[StatementLine], Candidate], decision: Decision, action: str
) -> LineMatch | None:
    """None if a payment file does not allow it: what that found is kept."""
    line = lock_line(line_id)
    if line.status not in WAITING:
        raise LineDecided
    candidate = choose(line)
    if candidate.transfer is not None:
        due_lines.lock_transfer(candidate.transfer)
    said = [fact("person", actor=decision.actor, reason=decision.reason)]
    try:
        match = booking.book(line, candidate, actor=decision.actor, now=decision.now, said=said)
    except booking.NotAllowedByPayment:
        return None
    audit.record(
        actor=decision.actor,
        action=f"bank_line.{action}",
        subject=line,
        reason=decision.reason,
        kind=candidate.kind,
        target=candidate.subject_id,
        amount=line.amount,
    )
    return match


def lock_line(line_id: int) -> StatementLine:
    return (
        StatementLine.objects.select_for_update(of=("self",))
        .select_related("account")
        .get(pk=line_id)
    )


def _transfer_of(name: str, payins: tuple[str, ...]) -> AwaitedTransfer:
    """The newest one of the order. Raises NoSuchOrder and SeveralOrders."""
    wanted = name.strip()
    orders = Order.objects.filter(Q(pk=wanted) | Q(reference=wanted))
    known = AwaitedTransfer.objects.filter(
        account__in=payins, charge_id__in=orders.values("charges__id")
    )
    transfer = known.order_by("-id").first()
    if transfer is None:
        raise NoSuchOrder
    charges = known.values("charge_id")
    if orders.filter(charges__id__in=charges).values("pk").distinct().count() > 1:
        raise SeveralOrders
    return transfer
