"""Events about an order (contract, Events and Webhook payload)."""

from datetime import datetime

from payments.collect import payloads
from payments.collect.models import Order
from webhooks import services as webhooks


def publish(kind: str, *, order: Order, now: datetime) -> None:
    webhooks.publish(
        merchant=order.merchant,
        kind=kind,
        subject_id=order.pk,
        data=payloads.of_order(order),
        now=now,
        # One event of a kind per order, also after a retry (F: exactly one event).
        dedupe_key=f"{order.pk}:{kind}",
    )
