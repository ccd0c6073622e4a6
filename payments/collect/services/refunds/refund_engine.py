"""The engine of refunds: the differences to other outgoing payments, and the effects on the order.

Locks are taken in this order: the refund, its order, the balances.
"""

from datetime import datetime

from payments.collect.declaration import REFUNDS
from payments.collect.models import Refund
from payments.collect.services.orders import order_events, receipt_mail
from payments.collect.services.orders.lookup import lock_order
from payments.collect.services.refunds.coin_reports import apply_look, is_paid_twice
from payments.collect.services.refunds.contested import stop_if_contested
from payments.collect.services.refunds.destination_checks import stop_if_changed
from payments.collect.services.refunds.refund_keys import refusal
from payments.collect.services.resolution import dispute_ledger
from payments.outgoing.engine import Engine
from payments.outgoing.product import Product
from payments.providers import ports, registry
from payments.rails.services.callback_urls import callback_url

Status = Refund.Status


def _request(refund: Refund) -> ports.RefundRequest:
    charge = refund.charge
    known = charge.origin or charge  # the rail does not know a charge for applied money
    return ports.RefundRequest(
        reference=refund.provider_reference,
        payment_id=refund.pk,
        charge_reference=known.reference_at_rail,
        charge_provider_id=known.provider_id,
        method=ports.Rail(charge.method),
        amount=refund.paid_amount,
        currency=refund.coin or refund.order.currency,
        # After the retention time only the payer's absence is known; the rail knows its payment.
        payer=ports.Payer(**{"name": "", "email": "", **charge.payer}),
        reason=refund.reason,
        callback_url=callback_url(REFUNDS.name, refund.provider),
        destination=refund.destination,
    )


def _may_send(refund: Refund) -> bool:
    """The refund is locked."""
    return not stop_if_changed(refund) and not stop_if_contested(refund)


def _on_final(refund: Refund, now: datetime) -> None:
    order = lock_order(refund.order_id)
    if refund.status == Status.COMPLETED:
        order.refunded_amount += refund.amount
        order.save(update_fields=["refunded_amount", "updated_at"])
        order_events.publish("refund.completed", order=order, of=refund, now=now)
        is_whole = order.refunded_amount >= order.amount
        kind = "payment.refunded" if is_whole else "payment.partially_refunded"
        order_events.publish(kind, order=order, of=refund, now=now)
        _flag_if_paid_twice(refund)
        receipt_mail.send_refund_if_wanted(order, refund)
    elif refund.status == Status.REFUNDED and refund.completed_at is not None:
        order.refunded_amount -= refund.amount
        order.save(update_fields=["refunded_amount", "updated_at"])
        receipt_mail.correct_refund(order, refund)
    elif refund.rejected_at is not None:
        order_events.publish("refund.rejected", order=order, of=refund, now=now)


def _flag_if_paid_twice(refund: Refund) -> None:
    if is_paid_twice(refund):
        refund.needs_operator = True
        refund.save(update_fields=["needs_operator", "updated_at"])


def _on_funds_released(refund: Refund, now: datetime) -> None:
    """The refund paid nothing, so disputes may take the money."""
    dispute_ledger.reallocate(lock_order(refund.order_id), now)


PROVIDERS: registry.Adapters[ports.RefundPort] = registry.outgoing(REFUNDS.name)
PRODUCT = Product(
    name=REFUNDS.name,
    model=Refund,
    port=PROVIDERS.get,
    request=_request,
    task="payments.collect.tasks.send_refund",
    may_send=_may_send,
    refusal=refusal,
    on_update=apply_look,
    on_final=_on_final,
    on_funds_released=_on_funds_released,
    rides_on="payout",
    rides=lambda refund: bool(refund.destination) and not refund.coin,
)
engine = Engine(PRODUCT)
