"""Applies a provider's report about a dispute to the dispute and the ledger.

Locks are taken in this order: the order, the dispute, the balances.
"""

from dataclasses import replace
from datetime import datetime
from decimal import Decimal

import structlog
from django.db import transaction
from django.db.models import Q

from payments.collect.models import Charge, Dispute, Order
from payments.collect.services.disputes.dispute_lifecycle import (
    close_dispute,
    open_dispute,
    publish,
)
from payments.collect.services.disputes.dispute_lookup import find_charge, lock_reported
from payments.collect.services.errors import CurrencyMismatch
from payments.collect.services.resolution import dispute_ledger
from payments.core import money
from payments.core.reasons import MoveReason, ReasonCode
from payments.core.text import storable
from payments.providers import ports

log = structlog.get_logger(__name__)
Kind = Dispute.Kind
Status = Dispute.Status
REASON_LENGTH = 300


@transaction.atomic
def apply_dispute_update(*, provider: str, update: ports.DisputeUpdate, now: datetime) -> Dispute:
    """Updates the dispute and the ledger with the provider's report. Repeats change nothing.

    If the contested money has paid no order, nothing is held and an operator decides. An
    operator also decides if the report contradicts a recorded decision. Raises UnknownCharge,
    CurrencyMismatch, OrderNotDisputable.
    """
    charge = find_charge(provider=provider, reference=update.charge_reference)
    order, dispute = lock_reported(charge, update.reference)
    if update.currency != order.currency:
        raise CurrencyMismatch
    update = replace(update, amount=money.truncate(update.amount, order.currency))
    if dispute is None:
        dispute = _adopt(order, charge, update) or _create(order, charge, update, now)
    if _is_late(dispute, update):
        return dispute
    if _contradicts(dispute, update):
        _record_contradiction(dispute, update)
        return dispute
    _record_deadline(dispute, update)
    if update.kind == ports.DisputeKind.CHARGEBACK:
        _escalate(dispute, now)
    if update.state != ports.DisputeState.OPEN and dispute.status == Status.OPEN:
        outcome, reason = update.state.value, update.reason
        close_dispute(dispute, outcome, actor=dispute.provider, reason=reason, now=now)
    return dispute


def open_reversal(
    *, order: Order, charge: Charge, update: ports.ChargeUpdate, now: datetime
) -> None:
    """Opens a dispute for a success that the rail reversed before it was final.

    It holds the money and waits for an operator. The caller holds the locks of the order and the
    charge. Repeats change nothing.
    """
    reference = f"taken-back:{charge.pk}"
    if Dispute.objects.filter(provider=charge.provider, provider_reference=reference).exists():
        return
    log.error("charge.reversed", charge=charge.pk, order=order.pk, reason=update.reason)
    reversal = ports.DisputeUpdate(
        reference=reference,
        charge_reference=charge.pk,
        kind=ports.DisputeKind.DISPUTE,
        state=ports.DisputeState.OPEN,
        amount=charge.credited,
        currency=order.currency,
        reason=update.reason or MoveReason(ReasonCode.RAIL_TOOK_BACK),
        occurred_at=update.occurred_at,
    )
    dispute = _create(order, charge, reversal, now)
    dispute.needs_operator = True
    dispute.save(update_fields=["needs_operator"])


def _create(order: Order, charge: Charge, update: ports.DisputeUpdate, now: datetime) -> Dispute:
    """The merchant answers only for money that is neither refunded nor disputed.

    A claim may be larger.
    """
    provider = charge.provider
    known = Dispute.objects.filter(provider=provider, provider_reference=update.reference)
    dispute = Dispute(
        order=order,
        charge=charge,
        kind=update.kind.value,
        claimed=update.amount,
        amount=Decimal(0),
        reason=storable(update.reason, REASON_LENGTH),
        evidence_due_at=update.evidence_due_at,
        provider=provider,
        provider_reference=update.reference,
        told_at=update.occurred_at,
        opened_by=provider,
    )
    dispute_ledger.increase_claim(order, dispute)
    # If the rail uses a reference again, an operator asks the rail why.
    dispute.needs_operator = dispute.amount < dispute.claimed or known.exists()
    open_dispute(dispute, now)
    return dispute


def _adopt(order: Order, charge: Charge, update: ports.DisputeUpdate) -> Dispute | None:
    """Finds the dispute that an operator opened before the rail reported the same case."""
    by_operator = Dispute.objects.filter(order=order, provider="", status=Status.OPEN)
    by_operator = by_operator.filter(Q(charge=charge) | Q(charge=None), claimed=update.amount)
    dispute = by_operator.select_for_update(of=("self",)).order_by("opened_at", "pk").first()
    if dispute is None:
        return None
    dispute.order, dispute.charge, dispute.provider = order, charge, charge.provider
    dispute.provider_reference = update.reference
    dispute.save(update_fields=["charge", "provider", "provider_reference", "updated_at"])
    return dispute


def _is_late(dispute: Dispute, update: ports.DisputeUpdate) -> bool:
    """Whether the update is older than the decision. A chargeback after a won dispute is newer."""
    if dispute.status == Status.OPEN or update.state != ports.DisputeState.OPEN:
        return False
    is_claim = update.kind == ports.DisputeKind.CHARGEBACK and dispute.kind == Kind.DISPUTE
    return not (is_claim and dispute.status == Status.WON)


def _contradicts(dispute: Dispute, update: ports.DisputeUpdate) -> bool:
    if dispute.claimed != update.amount:
        return True
    return dispute.status not in (Status.OPEN, update.state.value)


def _record_deadline(dispute: Dispute, update: ports.DisputeUpdate) -> None:
    if dispute.told_at is not None and update.occurred_at < dispute.told_at:
        return
    dispute.told_at = update.occurred_at
    if dispute.status == Status.OPEN and update.evidence_due_at is not None:
        dispute.evidence_due_at = update.evidence_due_at
    dispute.save(update_fields=["told_at", "evidence_due_at", "updated_at"])


def _escalate(dispute: Dispute, now: datetime) -> None:
    """A dispute becomes a chargeback: the payer claims the money."""
    if dispute.kind == Kind.DISPUTE and dispute.status == Status.OPEN:
        dispute.kind = Kind.CHARGEBACK
        dispute.save(update_fields=["kind", "updated_at"])
        publish("payment.chargeback", dispute, now)


def _record_contradiction(dispute: Dispute, update: ports.DisputeUpdate) -> None:
    """Flags the dispute for an operator. No money moves."""
    log.error(
        "dispute.contradiction",
        dispute=dispute.pk,
        status=dispute.status,
        reported=update.state.value,
        amount=money.text(update.amount),
    )
    dispute.needs_operator = True
    dispute.save(update_fields=["needs_operator", "updated_at"])
