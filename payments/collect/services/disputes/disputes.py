"""Payments that payers contest: opened by a rail or an operator, decided by the payer's bank.

Locks are taken in this order: the order, the dispute, the balances.
"""

from dataclasses import replace
from datetime import datetime
from decimal import Decimal

import structlog
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_noop as _

from payments.collect.models import Charge, Dispute, Order
from payments.collect.services.disputes import dispute_events
from payments.collect.services.errors import (
    AmountAboveClaim,
    AmountAboveRefundable,
    CurrencyMismatch,
    DisputeClosed,
    OrderNotDisputable,
    UnknownCharge,
)
from payments.collect.services.orders.lookup import lock_order
from payments.collect.services.resolution import dispute_ledger, refundable_amounts
from payments.core import audit, clock, money, states
from payments.core.ids import is_id
from payments.core.reasons import MoveReason, ReasonCode
from payments.ledger.services import AlreadyPosted
from payments.outgoing.errors import NotAllowed
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
    known = refundable_amounts.for_order(locked)
    if locked.status != Order.Status.COMPLETED:
        raise OrderNotDisputable
    if amount > known.refundable:
        raise AmountAboveRefundable(known.refundable)
    dispute = Dispute(
        kind=kind,
        # A letter does not name our try: where there were several, it may be about any of them.
        charge_id=next(iter(known.parts)) if len(known.parts) == 1 else None,
        claimed=amount,
        amount=amount,
        reason=reason,
        evidence_due_at=evidence_due_at,
        opened_by=actor,
    )
    _open(locked, dispute, now)
    audit.record(actor=actor, action="dispute.opened", subject=dispute, reason=reason)
    return dispute


@transaction.atomic
def apply_update(*, provider: str, update: ports.DisputeUpdate, now: datetime) -> Dispute:
    """Brings the dispute and the books to what the provider says. Repeats change nothing.

    A claim against money that has paid no order is kept, too: nothing is held, and it waits for an
    operator, as does what contradicts a decision that is on the books. Raises UnknownCharge,
    CurrencyMismatch, OrderNotDisputable.
    """
    charge = _charge_of(provider, update.charge_reference)
    order, dispute = _lock_known(charge, provider, update.reference)
    if update.currency != order.currency:
        raise CurrencyMismatch
    update = replace(update, amount=money.truncate(update.amount, order.currency))
    if dispute is None:
        dispute = _adopted(order, charge, update) or _opened_by(
            provider, order, charge, update, now
        )
    if _is_late(dispute, update):
        return dispute
    if _contradicts(dispute, update):
        _contradiction(dispute, update)
        return dispute
    _note(dispute, update)
    if update.kind == ports.DisputeKind.CHARGEBACK:
        _escalate(order, dispute, now)
    if update.state != ports.DisputeState.OPEN and dispute.status == Status.OPEN:
        outcome, reason = update.state.value, update.reason
        _close(order, dispute, outcome, actor=dispute.provider, reason=reason, now=now)
    return dispute


def open_taken_back(
    *, order: Order, charge: Charge, update: ports.ChargeUpdate, now: datetime
) -> None:
    """The rail refuses a payment that it had promised and not made final.

    What it paid is held like a contested payment, and an operator finds out. The caller holds the
    locks of the order and the charge. Repeats change nothing.
    """
    reference = f"taken-back:{charge.pk}"
    if Dispute.objects.filter(provider=charge.provider, provider_reference=reference).exists():
        return
    log.error("charge.taken_back", charge=charge.pk, order=order.pk, reason=update.reason)
    told = ports.DisputeUpdate(
        reference=reference,
        charge_reference=charge.pk,
        kind=ports.DisputeKind.DISPUTE,
        state=ports.DisputeState.OPEN,
        amount=charge.credited,
        currency=order.currency,
        reason=update.reason or MoveReason(ReasonCode.RAIL_TOOK_BACK),
        occurred_at=update.occurred_at,
    )
    dispute = _opened_by(charge.provider, order, charge, told, now)
    dispute.needs_operator = True
    dispute.save(update_fields=["needs_operator"])


@transaction.atomic
def decide_by_hand(
    *,
    dispute: Dispute,
    outcome: str,
    actor: str,
    proof: str,
    reason: str,
    amount: Decimal | None = None,
    now: datetime,
) -> None:
    """An operator records how the payer's bank decided: WON or LOST.

    `amount` is what the bank took, where it took less than it claimed; the rest is the merchant's
    again. Raises DisputeClosed, AmountAboveClaim, and NotAllowed to whoever opened the dispute by
    hand and says that it is lost.
    """
    order, locked = _lock(dispute)
    if locked.status != Status.OPEN:
        raise DisputeClosed
    claimed = locked.claimed
    if outcome == Status.LOST and actor == locked.opened_by:
        raise NotAllowed(_("Whoever opened the dispute cannot record that it is lost."))
    if amount is not None:
        _check_taken(locked, amount, is_lost=outcome == Status.LOST)
        locked.claimed, locked.amount = amount, min(amount, locked.amount)
    locked.needs_operator = False
    locked.save(update_fields=["needs_operator"])
    by_hand = MoveReason(ReasonCode.BY_HAND, f"{reason} ({proof})")
    _close(order, locked, outcome, actor=actor, reason=by_hand, now=now)
    audit.record(
        actor=actor,
        action="dispute.decided",
        subject=locked,
        reason=reason,
        outcome=outcome,
        proof=proof,
        claimed=claimed,
        taken=locked.claimed if outcome == Status.LOST else Decimal(0),
    )


@transaction.atomic
def add_evidence(*, dispute: Dispute, text: str, actor: str, reason: str, now: datetime) -> None:
    """Notes what was gathered or sent to the payer's bank. Raises DisputeClosed."""
    locked = _lock(dispute)[1]
    if locked.status != Status.OPEN:
        raise DisputeClosed
    line = f"{clock.iso(now)} {actor}: {text}"
    locked.evidence = f"{locked.evidence}\n{line}".strip()
    locked.save(update_fields=["evidence", "updated_at"])
    audit.record(actor=actor, action="dispute.evidence_added", subject=locked, reason=reason)


@transaction.atomic
def acknowledge(
    *,
    dispute: Dispute,
    actor: str,
    reason: str,
    proof: str = "",
    is_loss: bool = False,
    amount: Decimal | None = None,
    now: datetime,
) -> None:
    """Takes a dispute out of the queue: the contradiction is understood.

    `is_loss`: the dispute was won, and the bank took the money all the same, all that it claimed or
    `amount` of it. The service bears it, once. Raises DisputeClosed, NotAllowed, AmountAboveClaim.
    """
    order, locked = _lock(dispute)
    if not locked.needs_operator:
        raise DisputeClosed(_("No contradiction waits here."))
    locked.needs_operator = False
    locked.save(update_fields=["needs_operator", "updated_at"])
    taken = Decimal(0)
    if is_loss or amount is not None:
        taken = locked.claimed if amount is None else amount
        _bear(order, locked, taken, is_loss=is_loss, actor=actor, now=now)
    audit.record(
        actor=actor,
        action="dispute.acknowledged",
        subject=locked,
        reason=reason,
        proof=proof,
        loss=is_loss,
        taken=taken,
    )


def _open(order: Order, dispute: Dispute, now: datetime) -> None:
    if dispute.claimed <= 0:
        log.error("dispute.of_nothing", order=order.pk, provider=dispute.provider)
        raise OrderNotDisputable
    dispute.order, dispute.currency = order, money.balance_currency(order.currency)
    dispute.opened_at = now
    dispute.save(force_insert=True)
    dispute_events.publish_opened(order=order, dispute=dispute, now=now)
    dispute_ledger.hold_funds(order, dispute, now)


def _opened_by(
    provider: str, order: Order, charge: Charge, update: ports.DisputeUpdate, now: datetime
) -> Dispute:
    """The merchant answers for what is neither refunded nor contested; a claim may be for more."""
    told = Dispute.objects.filter(provider=provider, provider_reference=update.reference)
    dispute = Dispute(
        order=order,
        charge=charge,
        kind=update.kind.value,
        claimed=update.amount,
        amount=Decimal(0),
        reason=update.reason.replace("\x00", "")[:REASON_LENGTH],
        evidence_due_at=update.evidence_due_at,
        provider=provider,
        provider_reference=update.reference,
        told_at=update.occurred_at,
        opened_by=provider,
    )
    dispute_ledger.increase_claim(order, dispute)
    # One reference is one dispute: if the rail uses it again, somebody has to ask.
    dispute.needs_operator = dispute.amount < dispute.claimed or told.exists()
    _open(order, dispute, now)
    return dispute


def _adopted(order: Order, charge: Charge, update: ports.DisputeUpdate) -> Dispute | None:
    """The rail tells of what an operator has opened by hand: it is one case."""
    by_hand = Dispute.objects.filter(
        Q(charge=charge) | Q(charge=None),
        order=order,
        provider="",
        status=Status.OPEN,
        claimed=update.amount,
    )
    dispute = by_hand.select_for_update(of=("self",)).order_by("opened_at", "pk").first()
    if dispute is None:
        return None
    dispute.charge, dispute.provider = charge, charge.provider
    dispute.provider_reference = update.reference
    dispute.save(update_fields=["charge", "provider", "provider_reference", "updated_at"])
    return dispute


def _is_late(dispute: Dispute, update: ports.DisputeUpdate) -> bool:
    """From before the decision. A claim that follows a dispute which was won is no late news."""
    if dispute.status == Status.OPEN or update.state != ports.DisputeState.OPEN:
        return False
    is_claim = update.kind == ports.DisputeKind.CHARGEBACK and dispute.kind == Kind.DISPUTE
    return not (is_claim and dispute.status == Status.WON)


def _contradicts(dispute: Dispute, update: ports.DisputeUpdate) -> bool:
    if dispute.claimed != update.amount:
        return True
    return dispute.status not in (Status.OPEN, update.state.value)


def _note(dispute: Dispute, update: ports.DisputeUpdate) -> None:
    """Keeps until when evidence is taken, as the rail said it last."""
    if dispute.told_at is not None and update.occurred_at < dispute.told_at:
        return
    dispute.told_at = update.occurred_at
    if dispute.status == Status.OPEN and update.evidence_due_at is not None:
        dispute.evidence_due_at = update.evidence_due_at
    dispute.save(update_fields=["told_at", "evidence_due_at", "updated_at"])


def _escalate(order: Order, dispute: Dispute, now: datetime) -> None:
    """The payer asked first, and claims the money now."""
    if dispute.kind == Kind.DISPUTE and dispute.status == Status.OPEN:
        dispute.kind = Kind.CHARGEBACK
        dispute.save(update_fields=["kind", "updated_at"])
        dispute_events.publish_chargeback(order=order, dispute=dispute, now=now)


def _close(
    order: Order, dispute: Dispute, outcome: str, *, actor: str, reason: str, now: datetime
) -> None:
    if outcome == Status.LOST:
        # A refund may have ended without taking its part since the opening.
        dispute_ledger.increase_claim(order, dispute)
    states.move(dispute, outcome, now=now, actor=actor, reason=reason, closed_at=now)
    if outcome == Status.WON:
        dispute_ledger.release_hold(order, dispute, now)
        return
    dispute_events.publish_chargeback(order=order, dispute=dispute, now=now)
    dispute_ledger.debit_lost(order, dispute, actor=actor, now=now)


def _bear(
    order: Order, dispute: Dispute, taken: Decimal, *, is_loss: bool, actor: str, now: datetime
) -> None:
    if dispute.status != Status.WON:
        raise NotAllowed(_("Only of a dispute that was won is there a loss to book."))
    _check_taken(dispute, taken, is_lost=is_loss)
    if dispute.shortfall or dispute.suspended:
        raise NotAllowed(_("The loss of this dispute is on the books already."))
    try:
        dispute_ledger.write_off(order, dispute, taken, actor=actor, now=now)
    except AlreadyPosted as error:
        raise NotAllowed(_("The loss of this dispute is on the books already.")) from error


def _check_taken(dispute: Dispute, amount: Decimal, *, is_lost: bool) -> None:
    if not is_lost:
        raise NotAllowed(_("An amount is only taken by a loss."))
    if not 0 < amount <= dispute.claimed:
        raise AmountAboveClaim(dispute.claimed)


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
    rows = Dispute.objects.select_related("charge").select_for_update(of=("self",))
    return order, rows.get(pk=dispute.pk)


def _lock_known(charge: Charge, provider: str, reference: str) -> tuple[Order, Dispute | None]:
    """The order that the claim is against and the dispute, if it is known, both locked.

    The charge's own order is locked with it, so that two messages about one case wait for each
    other although an operator applies the money to another order in between.
    """
    known = _told(charge, provider, reference)
    order_id = known.values_list("order_id", flat=True).first() or refundable_amounts.paid_order_id(
        charge
    )
    orders = {pk: lock_order(pk) for pk in sorted({charge.order_id, order_id})}
    dispute = known.select_for_update(of=("self",)).first()
    if dispute is None:
        return orders[order_id], None
    order = orders.get(dispute.order_id) or lock_order(dispute.order_id)
    return order, dispute


def _told(charge: Charge, provider: str, reference: str) -> QuerySet[Dispute]:
    """Rows of earlier releases do not name the charge."""
    return Dispute.objects.select_related("charge").filter(
        Q(charge=charge) | Q(charge=None, order=charge.order_id),
        provider=provider,
        provider_reference=reference,
    )


def _charge_of(provider: str, reference: str) -> Charge:
    """The try of that very provider which the rail knows. Raises UnknownCharge."""
    found = None
    if is_id(reference, "chg"):
        known = Charge.objects.filter(pk=reference, provider=provider)
        found = known.select_related("order", "origin__order").first()
    if found is None:
        raise UnknownCharge
    return found.origin or found
