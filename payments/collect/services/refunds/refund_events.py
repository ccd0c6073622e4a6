"""Events about refunds (contract, Event kinds).

Totals are as of the event: the caller holds the lock of the order.
"""

from datetime import datetime

from payments.collect import payloads
from payments.collect.models import Order, Refund
from webhooks import services as webhooks


def publish_requested(*, order: Order, refund: Refund, now: datetime) -> None:
    """refund.requested: the money is held."""
    _publish("refund.requested", order, refund, now)


def publish_approved(*, order: Order, refund: Refund, now: datetime) -> None:
    """refund.approved: nothing has gone back yet."""
    _publish("refund.approved", order, refund, now)


def publish_rejected(*, order: Order, refund: Refund, now: datetime) -> None:
    """refund.rejected: the hold is released."""
    _publish("refund.rejected", order, refund, now)


def publish_completed(*, order: Order, refund: Refund, now: datetime) -> None:
    """refund.completed, and what it makes of the payment."""
    _publish("refund.completed", order, refund, now)
    is_whole = order.refunded_amount >= order.amount
    _publish("payment.refunded" if is_whole else "payment.partially_refunded", order, refund, now)


def _publish(kind: str, order: Order, refund: Refund, now: datetime) -> None:
    webhooks.publish(
        merchant=order.merchant,
        kind=kind,
        subject_id=order.pk,
        data=payloads.of_refund(order, refund),
        now=now,
        # One event of a kind per refund, whatever is retried.
        dedupe_key=f"{refund.pk}:{kind}",
    )
