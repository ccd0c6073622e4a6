"""Events about refunds (contract, Event kinds).

Totals are as of the event: the caller holds the lock of the order.
"""

from datetime import datetime

from payments.collect import payloads
from payments.collect.models import Order, Refund
from webhooks import services as webhooks


def publish(kind: str, *, order: Order, refund: Refund, now: datetime) -> None:
    webhooks.publish(
        merchant=order.merchant,
        kind=kind,
        subject_id=order.pk,
        data=payloads.of_refund(order, refund),
        now=now,
        # One event of a kind per refund, also after a retry.
        dedupe_key=f"{refund.pk}:{kind}",
    )
