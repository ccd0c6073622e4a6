"""Events about contested payments (contract, Event kinds)."""

from datetime import datetime

from payments.collect import payloads
from payments.collect.models import Dispute, Order
from payments.collect.services.resolution import refundable_amounts
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


def _publish(kind: str, order: Order, dispute: Dispute, now: datetime) -> None:
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
