"""Events about orders, their refunds and disputes (contract, Events and Webhook payload)."""

from datetime import datetime

from payments.collect import payloads
from payments.collect.models import Dispute, Order, Refund
from webhooks import services as webhooks


def publish(kind: str, *, order: Order, now: datetime, of: Refund | Dispute | None = None) -> None:
    """One event of a kind for each order, refund or dispute, also after a retry.

    Its totals are as of the event: with `of`, the caller holds the lock of the order.
    """
    webhooks.publish(
        webhooks.NewEvent(
            merchant=order.merchant,
            kind=kind,
            subject_id=order.pk,
            data=payloads.event_data(order, of),
            now=now,
            dedupe_key=f"{(of or order).pk}:{kind}",
        )
    )
