"""Events about an order (contract, Events and Webhook payload)."""

from datetime import datetime

from payments.collect import payloads
from payments.collect.models import Order
from webhooks import services as webhooks


def publish_completed(*, order: Order, now: datetime) -> None:
    """payment.completed: the order reached COMPLETED."""
    _publish("payment.completed", order, now)


def publish_confirmed(*, order: Order, now: datetime) -> None:
    """payment.confirmed: the rail reached finality. Only where it is enabled for the account."""
    _publish("payment.confirmed", order, now)


def publish_failed(*, order: Order, now: datetime) -> None:
    """payment.failed: the order reached FAILED."""
    _publish("payment.failed", order, now)


def publish_expired(*, order: Order, now: datetime) -> None:
    """payment.expired: only where it is enabled for the account."""
    _publish("payment.expired", order, now)


def publish_cancelled(*, order: Order, now: datetime) -> None:
    """payment.cancelled, in place of payment.expired. Only where it is enabled."""
    _publish("payment.cancelled", order, now)


def _publish(kind: str, order: Order, now: datetime) -> None:
    webhooks.publish(
        merchant=order.merchant,
        kind=kind,
        subject_id=order.pk,
        data=payloads.of_order(order),
        now=now,
        # One event of a kind per order, whatever is retried (promise F: exactly one event).
        dedupe_key=f"{order.pk}:{kind}",
    )
