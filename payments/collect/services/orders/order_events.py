"""Events about orders, their refunds and disputes (contract, Events and Webhook payload)."""

from collections.abc import Callable
from datetime import datetime

from payments.collect import payloads
from payments.collect.models import Dispute, Order, Refund
from webhooks import services as webhooks

# Of apps above: called in the transaction that completes an order.
Listener = Callable[[Order, datetime], None]
_listeners: list[Listener] = []


def add_listener(listener: Listener) -> None:
    _listeners.append(listener)


def publish_completed(*, order: Order, now: datetime) -> None:
    publish("payment.completed", order=order, now=now)
    for listener in _listeners:
        listener(order, now)


def publish(kind: str, *, order: Order, now: datetime, of: Refund | Dispute | None = None) -> None:
    """Publishes one event of a kind for each order, refund or dispute, also after a retry.

    If `of` is given, the caller holds the lock of the order, so that the totals in the event
    are right.
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
