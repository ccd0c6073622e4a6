"""Events about contested payments (contract, Event kinds)."""

from datetime import datetime

from payments.collect import payloads
from payments.collect.models import Dispute
from payments.collect.services.resolution import refundable_amounts
from webhooks import services as webhooks


def publish(kind: str, *, dispute: Dispute, now: datetime) -> None:
    """payment.disputed, or payment.chargeback: once for each dispute, when claimed or lost."""
    order = dispute.order
    if not refundable_amounts.concerns_merchant(order, dispute):
        return  # money that the merchant never had
    webhooks.publish(
        merchant=order.merchant,
        kind=kind,
        subject_id=order.pk,
        data=payloads.of_dispute(order, dispute),
        now=now,
        dedupe_key=f"{dispute.pk}:{kind}",
    )
