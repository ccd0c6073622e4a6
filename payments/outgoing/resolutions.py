"""An operator queries the rail, or decides with a proof if the rail cannot report the outcome."""

from dataclasses import asdict, dataclass, replace
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_noop as _

from payments.core import audit
from payments.core.errors import NotAllowed
from payments.core.reasons import MoveReason, ReasonCode
from payments.ledger import recipes
from payments.ledger.services import AlreadyPosted
from payments.outgoing import completion
from payments.outgoing.due_times import is_decided_by_people
from payments.outgoing.engine import SETTLING, Engine
from payments.outgoing.models import OutgoingPayment
from payments.outgoing.product import P, Product

Status = OutgoingPayment.Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """`proof` names what the operator saw, such as the rail's statement, a letter or a ticket."""

    actor: str
    reason: str
    proof: str


def outcomes(payment: OutgoingPayment) -> frozenset[str]:
    """The final states that an operator may set.

    Only FAILED for a payment that could not be sent for so long that an operator must decide. None
    for a payment that is decided at the pages of its rail: released here, it would still be paid.
    """
    if is_decided_by_people(payment):
        return frozenset()
    if payment.status == Status.PENDING:
        is_stuck = payment.needs_operator and not payment.is_held_back
        return frozenset({Status.FAILED.value}) if is_stuck else frozenset()
    return payment.MOVES.get(payment.status, frozenset())


def query_rail(*, engine: Engine[P], payment: P, actor: str, reason: str, now: datetime) -> None:
    """Queries before the schedule does. Raises NotAllowed."""
    payment.refresh_from_db()
    if payment.status != Status.PROCESSING:
        raise NotAllowed
    _audit(payment, "asked", actor=actor, reason=reason)
    engine.query(payment=payment, now=now)


@transaction.atomic
def resolve(
    *, engine: Engine[P], payment: P, outcome: str, decision: Decision, now: datetime
) -> None:
    """Ends a payment as COMPLETED, FAILED or REFUNDED by hand. Raises NotAllowed."""
    product, locked = engine.product, engine.lock(payment.pk)
    if locked.status == Status.PENDING and not outcomes(locked):
        raise NotAllowed(_("The payment was not handed to the rail yet."))
    if is_decided_by_people(locked):
        raise NotAllowed(_("The line of its payment file decides it: open that line."))
    if outcome not in outcomes(locked):
        raise NotAllowed(
            _("A payment that is %(now)s cannot become %(wanted)s."),
            values={"now": locked.status, "wanted": outcome},
        )
    if outcome != Status.COMPLETED and _may_be_under_way(locked, now):
        raise NotAllowed(_("A call to the rail may still be under way. Try again in a minute."))
    _audit(locked, "resolved", **asdict(decision), outcome=outcome)
    actor = decision.actor
    reason = MoveReason(ReasonCode.BY_HAND, f"{decision.reason} ({decision.proof})")
    if outcome == Status.COMPLETED:
        completion.complete(product, locked, now=now, actor=actor, reason=reason)
    elif outcome == Status.FAILED:
        completion.fail(product, locked, now=now, actor=actor, reason=reason)
    else:
        completion.refund(product, locked, now=now, actor=actor, reason=reason)


@transaction.atomic
def acknowledge(
    *, engine: Engine[P], payment: P, is_loss: bool, decision: Decision, now: datetime
) -> None:
    """Takes an ended payment out of the queue, after an operator has resolved the contradiction.

    `is_loss`: the money left, but the merchant has it again, or it left twice. The service bears
    the amount, once for each payment. Raises NotAllowed.
    """
    product, locked = engine.product, engine.lock(payment.pk)
    if not locked.needs_operator or not locked.has_ended:
        raise NotAllowed(_("No contradiction waits here."))
    if is_loss and not may_be_loss(locked):
        raise NotAllowed(_("The merchant paid for it: there is no loss of ours."))
    locked.needs_operator = False
    locked.save(update_fields=["needs_operator", "updated_at"])
    _audit(locked, "acknowledged", **asdict(decision), loss=is_loss)
    if is_loss:
        try:
            recipes.outgoing_lost(_lost(product, locked), now=now)
        except AlreadyPosted as error:
            raise NotAllowed(_("The loss of this payment is on the books already.")) from error


def may_be_loss(payment: OutgoingPayment) -> bool:
    """The merchant paid for a completed payment. But another account may have paid it, too."""
    is_paid = payment.status == Status.COMPLETED
    return not is_paid or bool(completion.reporting_account(payment))


def _lost(product: Product[P], payment: P) -> recipes.Outgoing:
    """The money left the account that said so."""
    out = product.money(payment)
    reporter = completion.reporting_account(payment)
    return replace(out, account=reporter) if reporter else out


def _may_be_under_way(payment: OutgoingPayment, now: datetime) -> bool:
    if payment.status != Status.PROCESSING or payment.last_sent_at is None:
        return False
    return now < payment.last_sent_at + SETTLING


def _audit(
    payment: OutgoingPayment, verb: str, *, actor: str, reason: str, **details: object
) -> None:
    action = f"{payment._meta.model_name}.{verb}"
    audit.record(actor=actor, action=action, subject=payment, reason=reason, **details)
