"""Payments that payers contest: opened by a rail or an operator, decided by the payer's bank.

Locks are taken in this order: the order, the dispute, the balances.
"""

from dataclasses import replace
from datetime import datetime
from decimal import Decimal

import structlog
from django.db import transaction

from payments.collect.models import Charge, Dispute, Order
from payments.collect.services import dispute_events
from payments.collect.services.errors import (
    AmountAboveRefundable,
    DisputeClosed,
    OrderNotDisputable,
)
from payments.collect.services.orders import lock_order, settling_charge
from payments.collect.services.outcomes import CurrencyMismatch, UnknownCharge
from payments.collect.services.refunds import refundable
from payments.core import audit, clock, money, states
from payments.core.ids import is_id
from payments.ledger import recipes
from payments.providers import ports

log = structlog.get_logger(__name__)
Kind = Dispute.Kind
Status = Dispute.Status
REASON_LENGTH = 300


@transaction.atomic
def open_by_hand(
    *,
    order: Order,
    kind: str,
    amount: Decimal,
    reason: str,
    evidence_due_at: datetime | None,
    actor: str,
    now: datetime,
) -> Dispute:
    """An operator heard of a dispute by letter or telephone. `amount` is in the order's currency.

    Raises OrderNotDisputable, AmountAboveRefundable.
    """
    locked = lock_order(order.pk)
    maximum = refundable(locked)
    dispute = Dispute(
        kind=kind,
        claimed=amount,
        amount=amount,
        reason=reason,
        evidence_due_at=evidence_due_at,
        opened_by=actor,
    )
    if locked.status == Order.Status.COMPLETED and amount > maximum:
        raise AmountAboveRefundable(maximum)
    _open(locked, dispute, now)
    audit.record(actor=actor, action="dispute.opened", subject=dispute, reason=reason)
    return dispute


@transaction.atomic
def apply_update(*, provider: str, update: ports.DisputeUpdate, now: datetime) -> Dispute:
    """Brings the dispute and the books to what the provider says. Repeats change nothing.

    What contradicts a decision that is on the books changes nothing either, and waits for an
    operator. Raises UnknownCharge, CurrencyMismatch, OrderNotDisputable.
    """
    order = lock_order(_order_of(provider, update.charge_reference))
    if update.currency != order.currency:
        raise CurrencyMismatch
    update = replace(update, amount=money.truncate(update.amount, order.currency))
    known = Dispute.objects.filter(provider=provider, provider_reference=update.reference)
    dispute = known.select_for_update().first()
    if dispute is None:
        dispute = _opened_by(provider, order, update, now)
    elif dispute.order_id != order.pk or dispute.claimed != update.amount:
        _contradiction(dispute, update)
        return dispute
    if update.kind == ports.DisputeKind.CHARGEBACK and dispute.kind == Kind.DISPUTE:
        _escalate(order, dispute, now)
    if update.state != ports.DisputeState.OPEN:
        _hear_decision(order, dispute, update, now)
    return dispute


@transaction.atomic
def decide_by_hand(
    *, dispute: Dispute, outcome: str, actor: str, proof: str, reason: str, now: datetime
) -> None:
    """An operator records how the payer's bank decided: WON or LOST. Raises DisputeClosed."""
    order, locked = _lock(dispute)
    if locked.status != Status.OPEN:
        raise DisputeClosed
    _close(order, locked, outcome, actor=actor, reason=f"by hand: {reason} ({proof})", now=now)
    audit.record(
        actor=actor,
        action="dispute.decided",
        subject=locked,
        reason=reason,
        outcome=outcome,
        proof=proof,
    )


@transaction.atomic
def add_evidence(*, dispute: Dispute, text: str, actor: str, reason: str, now: datetime) -> None:
    """Notes what was gathered or sent to the payer's bank. Raises DisputeClosed."""
    _, locked = _lock(dispute)
    if locked.status != Status.OPEN:
        raise DisputeClosed
    line = f"{clock.iso(now)} {actor}: {text}"
    locked.evidence = f"{locked.evidence}\n{line}".strip()
    locked.save(update_fields=["evidence", "updated_at"])
    audit.record(actor=actor, action="dispute.evidence_added", subject=locked, reason=reason)


@transaction.atomic
def acknowledge(*, dispute: Dispute, actor: str, reason: str) -> None:
    """Takes a dispute out of the queue: the contradiction is understood. Raises DisputeClosed."""
    _, locked = _lock(dispute)
    if not locked.needs_operator:
        raise DisputeClosed("No contradiction waits here.")
    locked.needs_operator = False
    locked.save(update_fields=["needs_operator", "updated_at"])
    audit.record(actor=actor, action="dispute.acknowledged", subject=locked, reason=reason)


def _open(order: Order, dispute: Dispute, now: datetime) -> None:
    if order.status != Order.Status.COMPLETED or dispute.claimed <= 0:
        log.error("dispute.of_nothing", order=order.pk, provider=dispute.provider)
        raise OrderNotDisputable
    dispute.order, dispute.currency = order, money.balance_currency(order.currency)
    dispute.opened_at = now
    dispute.save(force_insert=True)
    dispute_events.publish_opened(order=order, dispute=dispute, now=now)
    dispute.held = recipes.dispute_opened(_disputed(order, dispute), amount=dispute.amount, now=now)
    dispute.save(update_fields=["held"])


def _opened_by(provider: str, order: Order, update: ports.DisputeUpdate, now: datetime) -> Dispute:
    """The merchant answers for what is neither refunded nor contested; a claim may be for more."""
    dispute = Dispute(
        kind=update.kind.value,
        claimed=update.amount,
        amount=min(update.amount, refundable(order)),
        reason=update.reason.replace("\x00", "")[:REASON_LENGTH],
        evidence_due_at=update.evidence_due_at,
        provider=provider,
        provider_reference=update.reference,
        opened_by=provider,
    )
    dispute.needs_operator = dispute.amount < dispute.claimed
    _open(order, dispute, now)
    return dispute


def _escalate(order: Order, dispute: Dispute, now: datetime) -> None:
    """The payer asked first, and claims the money now."""
    dispute.kind = Kind.CHARGEBACK
    dispute.save(update_fields=["kind", "updated_at"])
    dispute_events.publish_chargeback(order=order, dispute=dispute, now=now)


def _hear_decision(
    order: Order, dispute: Dispute, update: ports.DisputeUpdate, now: datetime
) -> None:
    outcome = update.state.value
    if dispute.status == Status.OPEN:
        _close(order, dispute, outcome, actor=dispute.provider, reason=update.reason, now=now)
    elif dispute.status != outcome:
        _contradiction(dispute, update)


def _close(
    order: Order, dispute: Dispute, outcome: str, *, actor: str, reason: str, now: datetime
) -> None:
    states.move(dispute, outcome, now=now, actor=actor, reason=reason, closed_at=now)
    disputed = _disputed(order, dispute)
    if outcome == Status.WON:
        recipes.dispute_won(disputed, held=dispute.held, now=now)
        return
    dispute_events.publish_chargeback(order=order, dispute=dispute, now=now)
    dispute.shortfall = recipes.dispute_lost(
        disputed, claimed=dispute.claimed, amount=dispute.amount, held=dispute.held, now=now
    )
    dispute.save(update_fields=["shortfall"])


def _contradiction(dispute: Dispute, update: ports.DisputeUpdate) -> None:
    """Somebody is wrong: nothing moves, and an operator looks."""
    log.error(
        "dispute.contradiction",
        dispute=dispute.pk,
        status=dispute.status,
        told=update.state.value,
        amount=money.text(update.amount),
    )
    dispute.needs_operator = True
    dispute.save(update_fields=["needs_operator", "updated_at"])


def _lock(dispute: Dispute) -> tuple[Order, Dispute]:
    order = lock_order(dispute.order_id)
    return order, Dispute.objects.select_for_update().get(pk=dispute.pk)


def _disputed(order: Order, dispute: Dispute) -> recipes.Disputed:
    charge = settling_charge(order=order)
    return recipes.Disputed(
        dispute_id=dispute.pk,
        order_id=order.pk,
        merchant_id=order.merchant_id,
        currency=dispute.currency,
        rail=charge.method if charge else order.selected_method or "",
    )


def _order_of(provider: str, reference: str) -> str:
    if not is_id(reference, "chg"):
        raise UnknownCharge
    known = Charge.objects.filter(pk=reference, provider=provider)
    order_id = known.values_list("order_id", flat=True).first()
    if order_id is None:
        raise UnknownCharge
    return order_id
