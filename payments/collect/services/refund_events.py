"""What the merchant is told about refunds, and when (contract, Event kinds).

Totals are those of the moment of the event: the caller holds the lock of the order.
"""

from datetime import datetime
from typing import Any

from payments.collect.models import Order, Refund
from payments.collect.services.events import order_payload
from payments.core import clock, money
from webhooks import services as webhooks


def publish_requested(*, order: Order, refund: Refund, now: datetime) -> None:
    """refund.requested: the merchant asked, and the money is held."""
    _publish("refund.requested", order, refund, now)


def publish_approved(*, order: Order, refund: Refund, now: datetime) -> None:
    """refund.approved: an operator agreed; nothing has gone back yet."""
    _publish("refund.approved", order, refund, now)


def publish_rejected(*, order: Order, refund: Refund, now: datetime) -> None:
    """refund.rejected: an operator refused, and the money is the merchant's again."""
    _publish("refund.rejected", order, refund, now)


def publish_completed(*, order: Order, refund: Refund, now: datetime) -> None:
    """refund.completed, and what it makes of the payment."""
    _publish("refund.completed", order, refund, now)
    is_whole = order.refunded_amount >= order.amount
    _publish("payment.refunded" if is_whole else "payment.partially_refunded", order, refund, now)


def refund_payload(order: Order, refund: Refund) -> dict[str, Any]:
    """`data` of every event about a refund: the order, and this refund's part in it.

    refundedAmount is this refund's, totalRefunded what all refunds have brought back to the payer
    so far, remainingAmount what they have not.
    """
    moments = {
        "approvedAt": refund.approved_at,
        "rejectedAt": refund.rejected_at,
        "completedAt": refund.completed_at,
    }
    return {
        **order_payload(order),
        "refundId": refund.pk,
        "refundedAmount": money.number(refund.amount),
        "remainingAmount": money.number(order.amount - order.refunded_amount),
        "totalRefunded": money.number(order.refunded_amount),
        "reason": refund.reason,
        "requestedAt": clock.iso(refund.created_at),
        **{name: clock.iso(moment) for name, moment in moments.items() if moment is not None},
    }


def _publish(kind: str, order: Order, refund: Refund, now: datetime) -> None:
    webhooks.publish(
        merchant=order.merchant,
        kind=kind,
        subject_id=order.pk,
        data=refund_payload(order, refund),
        now=now,
        # One event of a kind per refund, whatever is retried.
        dedupe_key=f"{refund.pk}:{kind}",
    )
