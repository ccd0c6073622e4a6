"""Takes a decision back. The line waits again, and the money of an order goes with it.

An order that was credited gets a dispute of the existing kind: it holds the money, and a second
person records that it is lost.
"""

from django.db import transaction
from django.utils.translation import gettext_noop as _

from payments.collect.models import Charge, Dispute, Order, UnmatchedFunds
from payments.collect.services.disputes import dispute_decisions
from payments.collect.services.orders.lookup import lock_order
from payments.collect.services.resolution import unmatched_resolution
from payments.core import audit, states
from payments.core.errors import NotAllowed
from payments.core.money import BALANCE_OF_FIAT
from payments.ledger import recipes
from payments.ledger import services as ledger
from payments.ledger.models import Cost
from payments.reconciliation.models import Disbursement, LineMatch, LineStatus, MatchKind
from payments.reconciliation.services.disbursements import arrivals
from payments.reconciliation.services.matching import decisions, payouts
from payments.reconciliation.services.matching.decisions import Decision

NOTHING_TO_TAKE = _(
    "The order waits for the rest of its amount. Cancel it first, or wait until it expires: then "
    "its money is in the unmatched funds."
)


@transaction.atomic
def undo(*, line_id: int, decision: Decision) -> Dispute | None:
    """The dispute, if the money had been credited for an order.

    Raises NotAllowed, AmountAboveRefundable, and InsufficientBalance where a merchant has spent
    what was credited without an order.
    """
    line = decisions.lock_line(line_id)
    match = line.matches.filter(undone_at=None).select_related("transfer").first()
    if match is None:
        raise NotAllowed(_("There is no decision to take back."))
    match.undone_by, match.undone_at = decision.actor, decision.now
    match.undo_reason = decision.reason
    match.save(update_fields=["undone_by", "undone_at", "undo_reason"])
    states.move(
        line,
        LineStatus.UNMATCHED,
        now=decision.now,
        actor=decision.actor,
        reason=decision.reason,
        match_at=None,
    )
    dispute = _take_back(match, decision)
    recipes.bank_line_reopened(
        recipes.DecidedLine(
            match_id=match.pk, line_id=line.pk, amount=match.amount, to=target_of(match)
        ),
        now=decision.now,
    )
    audit.record(
        actor=decision.actor,
        action="bank_line.taken_back",
        subject=line,
        reason=decision.reason,
        kind=match.kind,
        target=match.subject_id,
        dispute=dispute.pk if dispute else "",
    )
    return dispute


def target_of(match: LineMatch) -> ledger.AccountRef:
    """Where the match had put the money."""
    kind, subject = MatchKind(match.kind), match.subject_id
    if kind == MatchKind.CHARGE and match.transfer is not None:
        return ledger.clearing(match.transfer.account, BALANCE_OF_FIAT)
    if kind == MatchKind.PAYOUT_LINE:
        return ledger.clearing(payouts.account_of(subject), BALANCE_OF_FIAT)
    if kind == MatchKind.DISBURSEMENT:
        account = Disbursement.objects.values_list("account_id", flat=True).get(pk=subject)
        return ledger.transit(account, BALANCE_OF_FIAT)
    if kind == MatchKind.COST:
        return ledger.costs(Cost(subject), BALANCE_OF_FIAT)
    if kind == MatchKind.MERCHANT:
        return ledger.available(subject, BALANCE_OF_FIAT)
    if kind == MatchKind.RETURN and subject.startswith(f"{decisions.RECORDED}:"):
        return ledger.clearing(subject.removeprefix(f"{decisions.RECORDED}:"), BALANCE_OF_FIAT)
    if kind == MatchKind.RETURN:
        return ledger.suspense(BALANCE_OF_FIAT)
    return ledger.equity(BALANCE_OF_FIAT)


def _take_back(match: LineMatch, decision: Decision) -> Dispute | None:
    actor, reason, now = decision.actor, decision.reason, decision.now
    if match.kind == MatchKind.DISBURSEMENT:
        arrivals.take_back(disbursement_id=match.subject_id, actor=actor, reason=reason, now=now)
    elif match.kind == MatchKind.PAYOUT_LINE:
        payouts.withdraw(match.line, match.subject_id, actor=actor, reason=reason, now=now)
    elif match.kind == MatchKind.CHARGE and match.transfer and match.transfer.charge_id:
        return _take_from_order(match, match.transfer.charge_id, decision)
    return None


def _take_from_order(match: LineMatch, charge_id: str, decision: Decision) -> Dispute | None:
    """Unmatched funds of this amount count as returned; else the order's money is disputed."""
    charge = Charge.objects.select_related("order").get(pk=charge_id)
    order = lock_order(charge.order_id)
    charge.refresh_from_db()
    if match.transfer is not None and match.transfer.report_at is not None:
        raise NotAllowed(_("The order has not been told yet. Try again in a minute."))
    waiting = UnmatchedFunds.objects.filter(
        charge=charge, amount=match.amount, status=UnmatchedFunds.Status.OPEN
    ).order_by("-id")
    if (funds := waiting.first()) is not None:
        unmatched_resolution.return_to_payer(
            funds=funds,
            proof=f"bank line {match.line_id}",
            actor=decision.actor,
            reason=decision.reason,
            now=decision.now,
        )
        return None
    if order.status != Order.Status.COMPLETED:
        raise NotAllowed(NOTHING_TO_TAKE)
    return dispute_decisions.open_by_operator(
        order=order,
        claim=dispute_decisions.NewDispute(
            kind=Dispute.Kind.DISPUTE, amount=match.amount, reason=decision.reason
        ),
        actor=decision.actor,
        now=decision.now,
    )
