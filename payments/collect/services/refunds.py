"""Refunds: asked for and held, found, listed. What they share with other outgoing payments is in
payments.outgoing.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import partial

from django.conf import settings
from django.db.models import Sum

from merchants.models import Merchant
from payments.collect.models import Dispute, Order, Refund
from payments.collect.services import refund_events
from payments.collect.services.errors import (
    AmountAboveRefundable,
    OrderNotRefundable,
    RefundNotFound,
    RefundProviderUnavailable,
)
from payments.collect.services.orders import lock_order, settling_charge
from payments.collect.services.refund_engine import PRODUCT
from payments.core import money
from payments.core.ids import is_id
from payments.outgoing import creation
from payments.providers import registry

REASON_LENGTH = 300


@dataclass(frozen=True, slots=True)
class Operator:
    """Who asks in the console, where a merchant's backend has an API key."""

    pk: str


def request_refund(
    *,
    order: Order,
    asker: creation.Asker,
    idempotency_key: str,
    reason: str,
    now: datetime,
    amount: Decimal | None = None,
) -> tuple[Refund, bool]:
    """Asks for a part of what was paid, or for all that remains, and holds it in the same
    transaction; an operator decides (refund_approvals).

    `amount` is in the order's currency. Returns the refund and whether it was replayed: the same
    key never makes a second one. Raises IdempotencyKeyReused, OrderNotRefundable,
    RefundProviderUnavailable, AmountAboveRefundable, InsufficientBalance.
    """
    return creation.create(
        PRODUCT,
        merchant=order.merchant,
        key=asker,
        idempotency_key=idempotency_key,
        fields={"order": order.pk, "amount": amount, "reason": reason},
        build=partial(_build, order, reason),
        check=partial(_check, amount, now),
        now=now,
    )


def find_refund(*, order: Order, refund_id: str) -> Refund:
    """The order's refund. Raises RefundNotFound, the same for every reason."""
    found = order.refunds.filter(pk=refund_id).first() if is_id(refund_id, "ref") else None
    if found is None:
        raise RefundNotFound
    return found


def list_refunds(*, order: Order, limit: int, offset: int) -> tuple[list[Refund], int]:
    """One page of the order's refunds, newest first, and how many there are."""
    rows = order.refunds.order_by("-created_at", "-id")
    return list(rows[offset : offset + limit]), order.refunds.count()


def refundable(order: Order) -> Decimal:
    """What was paid and is neither refunded nor contested, in the order's currency.

    Counts what is only asked for. Exact for whoever holds the lock of the order.
    """
    if order.status != Order.Status.COMPLETED:
        return Decimal(0)
    refunds = Refund.objects.taking(order).aggregate(total=Sum("amount"))["total"]
    disputes = Dispute.objects.taking(order).aggregate(total=Sum("amount"))["total"]
    return order.amount - (refunds or Decimal(0)) - (disputes or Decimal(0))


def _build(order: Order, reason: str) -> Refund:
    """The row without its amount, which is known under the lock of the order only."""
    charge = settling_charge(order=order) if order.status == Order.Status.COMPLETED else None
    if charge is None:
        raise OrderNotRefundable
    try:
        registry.refund()
    except registry.UnknownProvider as error:
        raise RefundProviderUnavailable from error
    return Refund(
        order=order,
        charge=charge,
        currency=money.balance_currency(order.currency),
        reason=reason,
        provider=settings.REFUND_PROVIDER,
    )


def _check(amount: Decimal | None, now: datetime, refund: Refund) -> None:
    """Nothing that two refunds could both take: the order is locked until the commit."""
    order = lock_order(refund.order_id)
    if (known := _same_key(refund)) is not None:
        # It committed while we waited for the order. The unique key says so in a moment.
        refund.priced(known.amount, Decimal(0))
        return
    maximum = refundable(order)
    wanted = maximum if amount is None else amount
    if wanted > maximum or wanted == 0:
        raise AmountAboveRefundable(maximum)
    refund.priced(wanted, Decimal(0))
    refund_events.publish_requested(order=order, refund=refund, now=now)


def _same_key(refund: Refund) -> Refund | None:
    merchant: Merchant = refund.merchant
    rows = Refund.objects.filter(merchant=merchant, idempotency_key=refund.idempotency_key)
    return rows.first()
