"""Cancels an unpaid order, for the merchant or by an operator.

The order becomes EXPIRED (docs/gaps.md, Orders), but payment.cancelled is sent instead of
payment.expired. As after an expiry, its charges stay open at the rail, because an account cannot be
closed. Late money goes to unmatched funds.
"""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_noop as _

from payments.collect.models import Charge, Order
from payments.collect.services.charges import reconciliation
from payments.collect.services.errors import OrderNotCancellable
from payments.collect.services.funds import unmatched_funds
from payments.collect.services.orders import order_events
from payments.collect.services.orders.lookup import lock_order
from payments.core import audit, states


def cancel_order(*, order: Order, now: datetime, actor: str, reason: str) -> Order:
    """Cancels the order. An order that is already cancelled is returned unchanged.

    The rail is queried first, so that a payer who is paying now can finish. Raises
    OrderNotCancellable. Never call it inside a transaction.
    """
    for charge in Charge.objects.holding(order):
        reconciliation.query_provider(charge=charge, now=now)
    return _cancel(order.pk, now, actor, reason)


@transaction.atomic
def _cancel(order_id: str, now: datetime, actor: str, reason: str) -> Order:
    order = lock_order(order_id)
    if order.cancelled_at is not None:
        return order
    if order.is_final:
        raise OrderNotCancellable(
            _("The order is %(status)s already."), values={"status": order.status}
        )
    if Charge.objects.holding(order).exists():
        raise OrderNotCancellable(_("The payer may be paying at this moment. Try again later."))
    ended = {"expire_check_at": None, "cancelled_at": now}
    states.move(order, Order.Status.EXPIRED, now=now, actor=actor, reason=reason, **ended)
    audit.record(actor=actor, action="order.cancelled", subject=order, reason=reason)
    unmatched_funds.release_partial(order=order, now=now)
    order_events.publish("payment.cancelled", order=order, now=now)
    return order
