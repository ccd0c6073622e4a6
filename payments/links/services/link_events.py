"""Tells merchants who have enabled it that an order of a payment link was paid."""

from datetime import datetime

from payments.api.serializing import serialize
from payments.collect.models import Order
from payments.collect.payloads import event_data
from payments.links.models import PaymentLink
from payments.links.payloads import LinkPart
from webhooks import services as webhooks

PAID = "link.paid"


def publish_paid(order: Order, now: datetime) -> None:
    """In the transaction that completes the order. Other accounts cost no statement."""
    if not order.link_id or not webhooks.is_enabled(order.merchant, PAID):
        return
    link = PaymentLink.objects.get(pk=order.link_id)
    webhooks.publish(
        webhooks.NewEvent(
            merchant=order.merchant,
            kind=PAID,
            subject_id=order.pk,
            data=event_data(order, order.settled_by) | serialize(LinkPart, link),
            now=now,
            dedupe_key=f"{order.pk}:{PAID}",
        )
    )
