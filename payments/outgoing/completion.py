"""How a payment ends: the state and the money move in one transaction. The row is locked."""

from datetime import datetime
from typing import Any

import structlog

from payments.core import states
from payments.core.models import Transition
from payments.ledger import recipes
from payments.outgoing.models import OutgoingPayment
from payments.outgoing.product import P, Product
from payments.providers import ports

log = structlog.get_logger(__name__)
Status = OutgoingPayment.Status
State = ports.OutgoingState
# What the provider may report about a final payment without contradicting it.
REPEATED = {
    (State.COMPLETED, Status.COMPLETED),
    (State.FAILED, Status.FAILED),
    (State.RETURNED, Status.REFUNDED),
}


def complete(
    product: Product[P], payment: P, *, now: datetime, actor: str, reason: str = ""
) -> None:
    """The beneficiary has the money."""
    completed_at = payment.completed_at or now
    why = {"actor": actor, "reason": reason}
    _end(product, payment, Status.COMPLETED, now=now, completed_at=completed_at, **why)
    recipes.outgoing_completed(product.money(payment), now=now)


def fail(
    product: Product[P], payment: P, *, now: datetime, actor: str, reason: str, **changes: Any
) -> None:
    """It never left: the hold is released in the same transaction. `changes` are saved with it."""
    why = {"actor": actor, "reason": reason, "failure_reason": reason[:300], **changes}
    _end(product, payment, Status.FAILED, now=now, **why)
    recipes.outgoing_released(product.money(payment), now=now)
    product.on_funds_released(payment, now)


def refund(product: Product[P], payment: P, *, now: datetime, actor: str, reason: str) -> None:
    """It left and came back: amount and fee are the merchant's again."""
    from_completed = payment.status == Status.COMPLETED
    why = {"actor": actor, "reason": reason, "failure_reason": reason[:300]}
    _end(product, payment, Status.REFUNDED, now=now, **why)
    recipes.outgoing_returned(product.money(payment), from_completed=from_completed, now=now)
    product.on_funds_released(payment, now)


def is_consistent(payment: OutgoingPayment, state: ports.OutgoingState, status: str) -> bool:
    """Whether the provider reports nothing new, or only repeats what was before the return."""
    if state in (State.PENDING, State.UNKNOWN) or (state, status) in REPEATED:
        return True
    return (state, status) == (State.COMPLETED, Status.REFUNDED) and _came_back(payment)


def flag_contradiction(payment: OutgoingPayment, update: ports.OutgoingUpdate) -> None:
    """Nothing moves until an operator has looked at it."""
    log.error(
        "outgoing.contradiction",
        payment=payment.pk,
        status=payment.status,
        reported=update.state.value,
    )
    payment.needs_operator = True
    payment.save(update_fields=["needs_operator", "updated_at"])


def _end(product: Product[P], payment: P, status: str, *, now: datetime, **move: Any) -> None:
    states.move(payment, status, now=now, next_action_at=None, needs_operator=False, **move)
    product.on_final(payment, now)


def _came_back(payment: OutgoingPayment) -> bool:
    """Whether the rail itself reported the return: an operator may have entered it, too."""
    returns = Transition.objects.filter(subject_id=payment.pk, to_state=Status.REFUNDED)
    return returns.filter(actor=payment.provider).exists()
