"""The engine of refunds: what differs from other outgoing payments, and what each end means for
the order and its merchant.

Locks are taken in this order: the refund, its order, the balances.
"""

from datetime import datetime

from django.conf import settings

from payments.collect.models import Refund
from payments.collect.services.orders import order_events
from payments.collect.services.orders.lookup import lock_order
from payments.collect.services.resolution import dispute_ledger
from payments.outgoing.engine import Engine
from payments.outgoing.product import Product
from payments.providers import ports, registry

Status = Refund.Status


def _request(refund: Refund) -> ports.RefundRequest:
    charge = refund.charge
    known = charge.origin or charge  # the rail does not know a charge that an operator applied
    return ports.RefundRequest(
        reference=refund.provider_reference,
        refund_id=refund.pk,
        charge_reference=known.pk,
        charge_provider_id=known.provider_id,
        method=ports.Rail(charge.method),
        amount=refund.amount,
        currency=refund.order.currency,
        payer=ports.Payer(**charge.payer),
        reason=refund.reason,
        callback_url=f"{settings.PUBLIC_URL}/callbacks/refund/{refund.provider}",
    )


def _on_final(refund: Refund, now: datetime) -> None:
    order = lock_order(refund.order_id)
    if refund.status == Status.COMPLETED:
        order.refunded_amount += refund.amount
        order.save(update_fields=["refunded_amount", "updated_at"])
        order_events.publish("refund.completed", order=order, of=refund, now=now)
        is_whole = order.refunded_amount >= order.amount
        kind = "payment.refunded" if is_whole else "payment.partially_refunded"
        order_events.publish(kind, order=order, of=refund, now=now)
    elif refund.status == Status.REFUNDED and refund.completed_at is not None:
        order.refunded_amount -= refund.amount
        order.save(update_fields=["refunded_amount", "updated_at"])
    elif refund.rejected_at is not None:
        order_events.publish("refund.rejected", order=order, of=refund, now=now)


def _on_funds_released(refund: Refund, now: datetime) -> None:
    """Nothing went back after all: other claims may take it."""
    dispute_ledger.reallocate(lock_order(refund.order_id), now)


PRODUCT = Product(
    name="refund",
    model=Refund,
    port=registry.REFUND.get,
    request=_request,
    task="payments.collect.tasks.send_refund",
    on_final=_on_final,
    on_funds_released=_on_funds_released,
)
engine = Engine(PRODUCT)
