"""What the merchant is told about contested payments, and when (contract, Event kinds)."""

from datetime import datetime
from typing import Any

from payments.collect.models import Dispute, Order
from payments.collect.services.events import order_payload
from payments.core import clock, money
from webhooks import services as webhooks


def publish_opened(*, order: Order, dispute: Dispute, now: datetime) -> None:
    """payment.disputed, or payment.chargeback where the money is claimed already."""
    if dispute.kind == Dispute.Kind.CHARGEBACK:
        publish_chargeback(order=order, dispute=dispute, now=now)
    else:
        _publish("payment.disputed", order, dispute, now)


def publish_chargeback(*, order: Order, dispute: Dispute, now: datetime) -> None:
    """payment.chargeback: once for each dispute, when it is claimed, or lost."""
    _publish("payment.chargeback", order, dispute, now)


def dispute_payload(order: Order, dispute: Dispute) -> dict[str, Any]:
    """`data` of every event about a dispute: the order, and what is contested of it."""
    return {
        **order_payload(order),
        "disputeId": dispute.pk,
        "disputedAmount": money.number(dispute.amount),
        "reason": dispute.reason,
        "openedAt": clock.iso(dispute.opened_at),
        "evidenceDueAt": clock.iso(dispute.evidence_due_at),
    }


def _publish(kind: str, order: Order, dispute: Dispute, now: datetime) -> None:
    webhooks.publish(
        merchant=order.merchant,
        kind=kind,
        subject_id=order.pk,
        data=dispute_payload(order, dispute),
        now=now,
        dedupe_key=f"{dispute.pk}:{kind}",
    )
