"""Events about orders, their refunds and disputes (contract, Events and Webhook payload)."""

from datetime import datetime

from payments.collect import payloads
from payments.collect.hooks import completed
from payments.collect.models import Charge, Dispute, Order, Refund
from webhooks import services as webhooks


def publish_completed(*, order: Order, now: datetime) -> None:
    """The order has been settled by a charge. The caller holds the order's lock."""
    data = payloads.event_data(order, order.settled_by)
    _publish("payment.completed", order, data, order.pk, now)
    for listener in completed:
        listener(order, now)


def publish_failed(*, order: Order, charge: Charge, now: datetime) -> None:
    """`charge` is the one with which the order failed. The caller holds the order's lock."""
    _publish("payment.failed", order, payloads.event_data(order, charge), order.pk, now)


def publish(kind: str, *, order: Order, now: datetime, of: Refund | Dispute | None = None) -> None:
    """Publishes one event of a kind for each order, refund or dispute, also after a retry.

    If `of` is given, the caller holds the lock of the order, so that the totals in the event
    are right.
    """
    _publish(kind, order, payloads.event_data(order, of), (of or order).pk, now)


def _publish(
    kind: str, order: Order, data: dict[str, object], once_for: str, now: datetime
) -> None:
    webhooks.publish(
        webhooks.NewEvent(
            merchant=order.merchant,
            kind=kind,
            subject_id=order.pk,
            data=data,
            now=now,
            dedupe_key=f"{once_for}:{kind}",
        )
    )
