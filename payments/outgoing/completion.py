"""The end of a payment: state and money change in one transaction. The row is locked."""

from datetime import datetime

import structlog

from payments.core import audit, states
from payments.core.models import AuditEntry, Transition
from payments.ledger import recipes
from payments.outgoing import events
from payments.outgoing.models import OutgoingPayment
from payments.outgoing.product import P, Product
from payments.providers import ports

# Findings that call an operator, in the audit of the payment.
REPORTED_ELSEWHERE = "outgoing.reported_elsewhere"
NOT_SENT_AGAIN = "outgoing.not_sent_again"
log = structlog.get_logger(__name__)
Status = OutgoingPayment.Status
State = ports.OutgoingState
# The reports of the provider that do not contradict a final payment.
REPEATED = {
    (State.COMPLETED, Status.COMPLETED),
    (State.FAILED, Status.FAILED),
    (State.RETURNED, Status.REFUNDED),
}


def complete(
    product: Product[P], payment: P, *, now: datetime, actor: str, reason: str = ""
) -> None:
    """The beneficiary has the money."""
    at = payment.completed_at or now
    _end(product, payment, Status.COMPLETED, now=now, actor=actor, reason=reason, completed_at=at)
    recipes.outgoing_completed(product.money(payment), now=now)


def fail(
    product: Product[P], payment: P, *, now: datetime, actor: str, reason: str, **changes: object
) -> None:
    """The money never left, so the hold is released. `changes` are saved with the state."""
    changes["failure_reason"] = reason[:300]
    _end(product, payment, Status.FAILED, now=now, actor=actor, reason=reason, **changes)
    recipes.outgoing_released(product.money(payment), now=now)
    product.on_funds_released(payment, now)


def refund(product: Product[P], payment: P, *, now: datetime, actor: str, reason: str) -> None:
    """The money left and came back. The merchant has amount and fee again."""
    from_completed = payment.status == Status.COMPLETED
    why = reason[:300]
    _end(product, payment, Status.REFUNDED, now=now, actor=actor, reason=reason, failure_reason=why)
    recipes.outgoing_returned(product.money(payment), from_completed=from_completed, now=now)
    product.on_funds_released(payment, now)


def is_consistent(payment: OutgoingPayment, state: ports.OutgoingState, status: str) -> bool:
    """Whether the report only repeats the current state, or the state before the return."""
    if state in (State.PENDING, State.UNKNOWN) or (state, status) in REPEATED:
        return True
    return (state, status) == (State.COMPLETED, Status.REFUNDED) and _came_back(payment)


def flag_contradiction(payment: OutgoingPayment, update: ports.OutgoingUpdate) -> None:
    log.error(
        "outgoing.contradiction",
        payment=payment.pk,
        status=payment.status,
        reported=update.state.value,
    )
    _call_operator(payment)


def flag_report_of_another(payment: OutgoingPayment, provider: str) -> None:
    log.error("outgoing.reported_elsewhere", payment=payment.pk, account=provider)
    _call_operator(payment, REPORTED_ELSEWHERE, actor=provider)


def flag_forgotten(payment: OutgoingPayment) -> None:
    """The rail does not know the payment, and may take its reference for a new one."""
    log.error("outgoing.not_sent_again", payment=payment.pk)
    _call_operator(payment, NOT_SENT_AGAIN, actor="engine")


def has_finding(payment: OutgoingPayment, action: str) -> bool:
    return AuditEntry.objects.filter(subject_id=payment.pk, action=action).exists()


def reporting_account(payment: OutgoingPayment) -> str:
    """The other account that reported the payment. Empty without one."""
    found = AuditEntry.objects.filter(subject_id=payment.pk, action=REPORTED_ELSEWHERE)
    return found.order_by("pk").values_list("actor", flat=True).first() or ""


def _call_operator(payment: OutgoingPayment, finding: str = "", *, actor: str = "") -> None:
    if finding and not has_finding(payment, finding):  # once, although rails repeat themselves
        audit.record(actor=actor, action=finding, subject=payment)
    payment.needs_operator = True
    payment.save(update_fields=["needs_operator", "updated_at"])


def _end(
    product: Product[P],
    payment: P,
    status: str,
    *,
    now: datetime,
    actor: str,
    reason: str,
    **changes: object,
) -> None:
    # Its own rail's end does not answer another account's report; an operator's decision does.
    is_open = payment.needs_operator and actor == payment.provider
    still = is_open and has_finding(payment, REPORTED_ELSEWHERE)
    changes |= {"next_action_at": None, "needs_operator": still}
    states.move(payment, status, now=now, actor=actor, reason=reason, **changes)
    product.on_final(payment, now)
    events.publish(product, payment, now)


def _came_back(payment: OutgoingPayment) -> bool:
    """Whether the rail reported the return. False if an operator did."""
    returns = Transition.objects.filter(subject_id=payment.pk, to_state=Status.REFUNDED)
    return returns.filter(actor=payment.provider).exists()
