"""Refunds: requested and held, found, listed. What outgoing payments share: payments.outgoing."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import partial

from django.conf import settings

from payments.collect.models import Charge, Order, Refund
from payments.collect.services.errors import (
    AmountAboveOneCharge,
    AmountAboveRefundable,
    OrderNotRefundable,
    RefundNotFound,
    RefundProviderUnavailable,
)
from payments.collect.services.orders import order_events
from payments.collect.services.orders.lookup import lock_order, settling_charge
from payments.collect.services.refunds.refund_engine import PRODUCT
from payments.collect.services.resolution import refundable_amounts
from payments.collect.services.resolution.refundable_amounts import refundable
from payments.core import audit, money
from payments.core.ids import is_id
from payments.outgoing import creation
from payments.providers import registry

__all__ = ["NewRefund", "Operator", "find_refund", "list_refunds", "refundable", "request_refund"]
REASON_LENGTH = 300


@dataclass(frozen=True, slots=True)
class Operator:
    """Who requests in the console, where a merchant's backend has an API key."""

    pk: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRefund:
    """`amount` is in the order's currency; None: all that remains."""

    reason: str
    amount: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """What the fingerprint of the idempotency key covers."""

    order: str
    amount: Decimal | None
    reason: str


def request_refund(
    *,
    order: Order,
    new_refund: NewRefund,
    requester: creation.Requester,
    idempotency_key: str,
    now: datetime,
) -> tuple[Refund, bool]:
    """Creates a refund and holds its amount; an operator decides (refund_approvals).

    Returns the refund and whether it was replayed: one key makes one refund. Raises
    IdempotencyKeyReused, OrderNotRefundable, RefundProviderUnavailable, AmountAboveRefundable,
    InsufficientBalance.
    """
    return creation.create(
        PRODUCT,
        creation.PaymentRequest(
            merchant=order.merchant,
            requester=requester,
            idempotency_key=idempotency_key,
            wanted=_Wanted(order=order.pk, amount=new_refund.amount, reason=new_refund.reason),
        ),
        build=partial(_build, order, new_refund.reason),
        check=partial(_check, new_refund.amount, requester, now),
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


def _build(order: Order, reason: str) -> Refund:
    """Amount and charge are preliminary: they are known under the lock of the order only."""
    charge = settling_charge(order=order) if order.status == Order.Status.COMPLETED else None
    if charge is None:
        raise OrderNotRefundable
    try:
        registry.REFUND.configured()
    except registry.UnknownProvider as error:
        raise RefundProviderUnavailable from error
    return Refund(
        order=order,
        charge=charge,
        currency=money.balance_currency(order.currency),
        reason=reason,
        provider=settings.REFUND_PROVIDER,
    )


def _check(
    amount: Decimal | None, requester: creation.Requester, now: datetime, refund: Refund
) -> None:
    """Nothing that two refunds could both take: the order is locked until the commit."""
    order = lock_order(refund.order_id)
    if (known := _same_key(refund)) is not None:
        # It committed while we waited for the order: the unique key will refuse this one.
        refund.set_price(known.amount, Decimal(0))
        return
    there = refundable_amounts.for_order(order)
    wanted = there.refundable if amount is None else amount
    if wanted > there.refundable or wanted == 0:
        raise AmountAboveRefundable(there.refundable)
    refund.charge = _charge_for(wanted, there, settled=refund.charge)
    refund.set_price(wanted, Decimal(0))
    order_events.publish("refund.requested", order=order, of=refund, now=now)
    if isinstance(requester, Operator):
        audit.record(
            actor=requester.pk,
            action="refund.requested",
            subject=refund,
            reason=refund.reason,
            order=order.pk,
            amount=refund.amount,
        )


def _charge_for(
    wanted: Decimal, known: refundable_amounts.RefundableAmounts, *, settled: Charge
) -> Charge:
    """The charge that completed the order, else the one with the most left.

    A rail returns no more than what came by it, so that a payment in parts goes back in parts.
    """
    parts = {part.charge: known.returnable(part) for part in known.parts.values() if part.charge}
    if parts.get(settled, Decimal(0)) >= wanted:
        return settled
    charge = max(parts, key=lambda one: parts[one])
    if parts[charge] < wanted:
        raise AmountAboveOneCharge(parts[charge])
    return charge


def _same_key(refund: Refund) -> Refund | None:
    return Refund.objects.filter(
        merchant=refund.merchant, idempotency_key=refund.idempotency_key
    ).first()
