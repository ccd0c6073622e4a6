"""An unpaid order is ended by its merchant, or by an operator in their name.

The order is EXPIRED as one whose time was over (docs/gaps.md, Orders); payment.cancelled is sent
in place of payment.expired. Its charges stay open at the rail, as after an expiry: an account
cannot be closed, and late money goes to unmatched funds.
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
    """Ends the order; an order that is cancelled already is returned as it is.

    A payer who may be paying now is never cut off: the rail is queried first.
    Raises OrderNotCancellable. Never call it inside a transaction.
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
    states.move(
        order,
        Order.Status.EXPIRED,
        now=now,
        actor=actor,
        reason=reason,
        expire_check_at=None,
        cancelled_at=now,
    )
    audit.record(actor=actor, action="order.cancelled", subject=order, reason=reason)
    unmatched_funds.release_partial(order=order, now=now)
    order_events.publish("payment.cancelled", order=order, now=now)
    return order
