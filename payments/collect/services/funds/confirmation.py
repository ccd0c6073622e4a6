"""Whether the rail can no longer reverse the money: safe to deliver (contract, Event kinds)."""

from datetime import datetime, timedelta

from django.conf import settings

from payments.collect.models import Charge, Order
from payments.collect.services.orders import order_events
from payments.collect.services.orders.lookup import settling_charge
from payments.providers import ports


def record(order: Order, charge: Charge, update: ports.ChargeUpdate, now: datetime) -> None:
    """Records whether the money that completed the order is final, and publishes payment.confirmed.

    Until the money is final the rail is queried, although the charge has succeeded. The callers
    hold the locks of the order and the charge.
    """
    if not _awaits(order) or settling_charge(order=order) != charge:
        return
    if update.received < charge.received:
        return  # the update is older than the money
    if not update.is_confirmed:
        if charge.reconcile_at is None:
            _schedule_query(charge, now + timedelta(seconds=settings.CHARGE_RECONCILE_DELAYS[0]))
        return
    order.confirmed_at = now
    order.save(update_fields=["confirmed_at", "updated_at"])
    order_events.publish("payment.confirmed", order=order, now=now)
    _schedule_query(charge, None)


def is_awaited(charge: Charge) -> bool:
    """Whether the rail is still queried after the charge has succeeded."""
    return charge.status == Charge.Status.SUCCEEDED and _awaits(charge.order)


def _awaits(order: Order) -> bool:
    return order.status == Order.Status.COMPLETED and order.confirmed_at is None


def _schedule_query(charge: Charge, at: datetime | None) -> None:
    if charge.reconcile_at != at:
        charge.reconcile_at = at
        charge.save(update_fields=["reconcile_at"])
