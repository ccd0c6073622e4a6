"""The actions of operators on disputes: open one, add evidence, record the bank's decision.

Locks are taken in this order: the order, the dispute, the balances.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.utils.translation import gettext_noop as _

from payments.collect.models import Dispute, Order
from payments.collect.services.disputes.dispute_lifecycle import close_dispute, open_dispute
from payments.collect.services.disputes.dispute_lookup import lock_dispute
from payments.collect.services.errors import (
    AmountAboveClaim,
    AmountAboveRefundable,
    DisputeClosed,
    OrderNotDisputable,
)
from payments.collect.services.orders.lookup import lock_order
from payments.collect.services.resolution import dispute_ledger, refundable_amounts
from payments.core import audit, clock
from payments.core.errors import NotAllowed
from payments.core.reasons import MoveReason, ReasonCode
from payments.ledger.services import AlreadyPosted

Status = Dispute.Status
IS_BOOKED = _("The loss of this dispute is on the books already.")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDispute:
    """From a bank's letter or call. `amount` is in the order's currency."""

    kind: str
    amount: Decimal
    reason: str
    evidence_due_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BankDecision:
    """`outcome` is WON or LOST.

    `amount` is the amount that the bank took, if less than it claimed.
    """

    outcome: str
    proof: str
    reason: str
    amount: Decimal | None = None

    @property
    def is_lost(self) -> bool:
        return self.outcome == Status.LOST


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The result of an operator's investigation of a contradiction.

    is_loss  the dispute was won, but the bank took the money.
    amount   what it took; None: all that it claimed.
    """

    reason: str
    proof: str = ""
    is_loss: bool = False
    amount: Decimal | None = None


@transaction.atomic
def open_by_operator(*, order: Order, claim: NewDispute, actor: str, now: datetime) -> Dispute:
    """Opens a dispute without a report of the rail. Raises OrderNotDisputable,
    AmountAboveRefundable.
    """
    locked = lock_order(order.pk)
    known = refundable_amounts.for_order(locked)
    if locked.status != Order.Status.COMPLETED:
        raise OrderNotDisputable
    if claim.amount > known.refundable:
        raise AmountAboveRefundable(known.refundable, currency=locked.currency)
    dispute = Dispute(
        order=locked,
        kind=claim.kind,
        # A letter names no charge. If the order has several charges, the claim may be about any of
        # them.
        charge_id=next(iter(known.parts)) if len(known.parts) == 1 else None,
        claimed=claim.amount,
        amount=claim.amount,
        reason=claim.reason,
        evidence_due_at=claim.evidence_due_at,
        opened_by=actor,
    )
    open_dispute(dispute, now)
    audit.record(actor=actor, action="dispute.opened", subject=dispute, reason=claim.reason)
    return dispute


@transaction.atomic
def record_decision(*, dispute: Dispute, decision: BankDecision, actor: str, now: datetime) -> None:
    """Closes the dispute as the payer's bank decided.

    The merchant gets back what the bank did not take. Raises DisputeClosed, AmountAboveClaim, and
    NotAllowed where the operator who opened the dispute records that it is lost.
    """
    locked = lock_dispute(dispute)
    if locked.status != Status.OPEN:
        raise DisputeClosed
    claimed, amount = locked.claimed, decision.amount
    if decision.is_lost and actor == locked.opened_by:
        raise NotAllowed(_("The person who opened the dispute cannot record that it is lost."))
    if amount is not None:
        _check_taken(locked, amount, is_lost=decision.is_lost)
        locked.claimed, locked.amount = amount, min(amount, locked.amount)
    locked.needs_operator = False
    locked.save(update_fields=["needs_operator"])
    reason, proof, outcome = decision.reason, decision.proof, decision.outcome
    by_hand = MoveReason(ReasonCode.BY_HAND, f"{reason} ({proof})")
    close_dispute(locked, outcome, actor=actor, reason=by_hand, now=now)
    taken = locked.claimed if decision.is_lost else Decimal(0)
    facts = {"outcome": outcome, "proof": proof, "claimed": claimed, "taken": taken}
    audit.record(actor=actor, action="dispute.decided", subject=locked, reason=reason, **facts)


@transaction.atomic
def add_evidence(*, dispute: Dispute, text: str, actor: str, reason: str, now: datetime) -> None:
    """Adds a line to the evidence for the payer's bank. Raises DisputeClosed."""
    locked = lock_dispute(dispute)
    if locked.status != Status.OPEN:
        raise DisputeClosed
    line = f"{clock.iso(now)} {actor}: {text}"
    locked.evidence = f"{locked.evidence}\n{line}".strip()
    locked.save(update_fields=["evidence", "updated_at"])
    audit.record(actor=actor, action="dispute.evidence_added", subject=locked, reason=reason)


@transaction.atomic
def acknowledge(*, dispute: Dispute, finding: Finding, actor: str, now: datetime) -> None:
    """Takes a dispute out of the queue, and writes off a loss once.

    Raises DisputeClosed, NotAllowed, AmountAboveClaim.
    """
    locked = lock_dispute(dispute)
    if not locked.needs_operator:
        raise DisputeClosed(_("No contradiction waits here."))
    locked.needs_operator = False
    locked.save(update_fields=["needs_operator", "updated_at"])
    taken = Decimal(0)
    if finding.is_loss or finding.amount is not None:
        taken = locked.claimed if finding.amount is None else finding.amount
        _write_off(locked, taken, is_loss=finding.is_loss, actor=actor, now=now)
    facts = {"proof": finding.proof, "loss": finding.is_loss, "taken": taken}
    audit.record(
        actor=actor, action="dispute.acknowledged", subject=locked, reason=finding.reason, **facts
    )


def _write_off(
    dispute: Dispute, taken: Decimal, *, is_loss: bool, actor: str, now: datetime
) -> None:
    if dispute.status != Status.WON:
        raise NotAllowed(_("Only of a dispute that was won is there a loss to book."))
    _check_taken(dispute, taken, is_lost=is_loss)
    if dispute.shortfall or dispute.suspended:
        raise NotAllowed(IS_BOOKED)
    try:
        dispute_ledger.write_off(dispute.order, dispute, taken, actor=actor, now=now)
    except AlreadyPosted as error:
        raise NotAllowed(IS_BOOKED) from error


def _check_taken(dispute: Dispute, amount: Decimal, *, is_lost: bool) -> None:
    if not is_lost:
        raise NotAllowed(_("An amount is only taken by a loss."))
    if not 0 < amount <= dispute.claimed:
        raise AmountAboveClaim(dispute.claimed, currency=dispute.order.currency)
