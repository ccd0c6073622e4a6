"""Requests, finds and lists refunds. payments.outgoing has what outgoing payments share."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import partial

from payments.collect.models import Charge, Order, Refund
from payments.collect.services.errors import (
    AmountAboveOneCharge,
    AmountAboveRefundable,
    NothingRefundable,
    OrderNotRefundable,
    RefundNotFound,
    RefundProviderUnavailable,
)
from payments.collect.services.orders import order_events
from payments.collect.services.orders.lookup import lock_order, settling_charge
from payments.collect.services.refunds import coin_refunds
from payments.collect.services.refunds.refund_engine import PRODUCT, PROVIDERS
from payments.collect.services.resolution import refundable_amounts
from payments.collect.services.resolution.refundable_amounts import refundable
from payments.core import audit, money
from payments.core.ids import is_id
from payments.outgoing import creation
from payments.providers import registry
from payments.providers.declaration import Refunds

__all__ = ["NewRefund", "Operator", "find_refund", "list_refunds", "refundable", "request_refund"]
REASON_LENGTH = 300


@dataclass(frozen=True, slots=True)
class Operator:
    """The operator who requests a refund in the console. In the API the requester is a key."""

    pk: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRefund:
    """`amount` is in the order's currency. None: the whole refundable amount."""

    reason: str
    amount: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """The values in the fingerprint of the idempotency key."""

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
    """Creates a refund and holds its amount. An operator approves it (refund_approvals).

    Returns the refund and whether it was replayed. Raises IdempotencyKeyReused, OrderNotRefundable,
    RefundProviderUnavailable, AmountAboveRefundable, InsufficientBalance.
    """
    request = creation.PaymentRequest(
        merchant=order.merchant,
        requester=requester,
        idempotency_key=idempotency_key,
        wanted=_Wanted(order=order.pk, amount=new_refund.amount, reason=new_refund.reason),
    )
    check = partial(_check, new_refund.amount, requester, now)

    def build(_versions: str | None) -> Refund:
        return _build(order, new_refund.reason)

    return creation.create(PRODUCT, request, build=build, check=check, now=now)


def find_refund(*, order: Order, refund_id: str) -> Refund:
    """Raises RefundNotFound, the same for every reason."""
    found = order.refunds.filter(pk=refund_id).first() if is_id(refund_id, "ref") else None
    if found is None:
        raise RefundNotFound
    return found


def list_refunds(*, order: Order, limit: int, offset: int) -> tuple[list[Refund], int]:
    """One page of the order's refunds, newest first, and how many there are."""
    rows = order.refunds.order_by("-created_at", "-id")
    return list(rows[offset : offset + limit]), order.refunds.count()


def _build(order: Order, reason: str) -> Refund:
    """Builds a refund without its amount and with a preliminary charge.

    Both need the order's lock.
    """
    charge = settling_charge(order=order) if order.status == Order.Status.COMPLETED else None
    if charge is None:
        raise OrderNotRefundable
    refund = Refund(
        order=order,
        charge=charge,
        currency=money.balance_currency(order.currency),
        reason=reason,
    )
    _choose_way(refund)
    return refund


def _choose_way(refund: Refund) -> None:
    """By the rail of the charge, or by a payout or in coins once the payer has named where to.

    Raises RefundProviderUnavailable.
    """
    rail = registry.find_rail(refund.charge.provider)
    if rail is not None and rail.refunds is Refunds.BY_HAND:
        _choose_coin(refund)
        return
    refund.coin = refund.coin_network = ""
    is_native = rail is not None and rail.refunds is Refunds.NATIVE
    is_by_payout = rail is not None and rail.refunds is Refunds.PAYOUT
    if not is_native and not (is_by_payout and refund.order.currency == money.FIAT):
        raise RefundProviderUnavailable
    refund.needs_destination = is_by_payout
    refund.provider = refund.charge.provider if is_native else ""
    if is_native:
        try:
            PROVIDERS.get(refund.provider)
        except registry.UnknownProvider as error:
            raise RefundProviderUnavailable from error


def _choose_coin(refund: Refund) -> None:
    coin = coin_refunds.coin_of_charge(refund.charge)
    if coin is None or refund.order.currency not in (money.FIAT, coin.code):
        raise RefundProviderUnavailable
    refund.needs_destination, refund.provider = True, refund.charge.provider
    refund.coin, refund.coin_network = coin.code, coin.network


def _check(
    amount: Decimal | None, requester: creation.Requester, now: datetime, refund: Refund
) -> None:
    """Sets amount and charge. The order is locked until the commit, so that no two refunds take the
    same money.
    """
    order = lock_order(refund.order_id)
    same_key = Refund.objects.filter(
        merchant=refund.merchant, idempotency_key=refund.idempotency_key
    )
    if (known := same_key.first()) is not None:
        # The other request committed while this one waited for the lock. The unique key will refuse
        # this one.
        refund.set_price(known.amount, Decimal(0))
        return
    there = refundable_amounts.for_order(order)
    wanted = there.refundable if amount is None else amount
    if there.refundable == 0:
        raise NothingRefundable(there.amount, order.currency)
    if wanted > there.refundable:
        raise AmountAboveRefundable(there.refundable, currency=order.currency)
    refund.charge = _charge_for(wanted, there, settled=refund.charge)
    _choose_way(refund)
    refund.set_price(wanted, Decimal(0))
    order_events.publish("refund.requested", order=order, of=refund, now=now)
    if isinstance(requester, Operator):
        actor, asked = requester.pk, {"order": order.pk, "amount": refund.amount}
        audit.record(
            actor=actor, action="refund.requested", subject=refund, reason=refund.reason, **asked
        )


def _charge_for(
    wanted: Decimal, known: refundable_amounts.RefundableAmounts, *, settled: Charge
) -> Charge:
    """The charge that completed the order, or else the charge with the largest refundable amount.

    A rail returns no more than it received for a charge, so a payment in parts is returned in
    parts.
    """
    parts = {part.charge: known.returnable(part) for part in known.parts.values() if part.charge}
    if parts.get(settled, Decimal(0)) >= wanted:
        return settled
    charge = max(parts, key=lambda one: parts[one])
    if parts[charge] < wanted:
        raise AmountAboveOneCharge(parts[charge], currency=settled.order.currency)
    return charge
