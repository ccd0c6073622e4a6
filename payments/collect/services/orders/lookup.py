"""Reads and locks of orders and their charges."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import Count, Max, Sum

from merchants.models import Merchant
from payments.collect.models import Charge, Order
from payments.collect.services.errors import OrderNotFound, OrderNotPayable
from payments.core.compiled_queries import CompiledQuery
from payments.core.ids import is_id

_OF_MERCHANT = CompiledQuery(
    lambda order, merchant: Order.objects.filter(pk=order, merchant=merchant)
)
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")  # what models.new_token makes


def find_order(*, merchant: Merchant, order_id: str) -> Order:
    """The merchant's order. Raises OrderNotFound, the same for every reason."""
    if not is_id(order_id, "col"):
        raise OrderNotFound
    order = _OF_MERCHANT.first(order=order_id, merchant=merchant.pk)
    if order is None:
        raise OrderNotFound
    return order


def find_by_token(*, token: str) -> Order:
    """The order behind a payment link, with its merchant. Raises OrderNotFound for any other."""
    if not _TOKEN.fullmatch(token):
        raise OrderNotFound
    found = Order.objects.filter(token=token).select_related("merchant__logo")
    # The secret would be decrypted for nothing, and the picture has an address of its own.
    order = found.defer("merchant__webhook_secret", "merchant__logo__content").first()
    if order is None:
        raise OrderNotFound
    return order


def get_live_state(*, token: str) -> dict[str, str]:
    """What a waiting page polls, in one query: the status, and a version that changes with all that
    the payer sees. Raises OrderNotFound.
    """
    if not _TOKEN.fullmatch(token):
        raise OrderNotFound
    found = Order.objects.filter(token=token).annotate(at=Max("charges__updated_at"))
    row = found.values_list("status", "selected_method", "at").first()
    if row is None:
        raise OrderNotFound
    return _state(*row)


@dataclass(frozen=True, slots=True)
class ChargesSummary:
    """What a page of the order needs to know of all its charges, in one query.

    state    as get_live_state, as old as `order`.
    missing  what still has to arrive, in the order's currency.
    charges  how many there were.
    """

    state: Mapping[str, str]
    missing: Decimal
    charges: int


def summarize_charges(*, order: Order) -> ChargesSummary:
    """Read it before the charges: what changes in between then counts as a change."""
    found = order.charges.aggregate(at=Max("updated_at"), sum=Sum("credited"), charges=Count("pk"))
    return ChargesSummary(
        state=_state(order.status, order.selected_method, found["at"]),
        missing=max(order.amount - (found["sum"] or Decimal(0)), Decimal(0)),
        charges=found["charges"],
    )


def newest_charge(*, order: Order, status: str) -> Charge | None:
    return order.charges.filter(status=status).order_by("-created_at", "-id").first()


def settling_charge(*, order: Order) -> Charge | None:
    """The charge whose money completed the order: later successes credit nothing."""
    if order.settled_by_id is not None:
        return order.settled_by
    # Orders of earlier releases do not name it.
    paid = order.charges.filter(method=order.selected_method, credited__gt=0)
    return paid.order_by("-created_at", "-id").first()


def credited_so_far(order: Order) -> Decimal:
    """What arrived for the order before it settled, in its currency."""
    total: Decimal = order.charges.aggregate(sum=Sum("credited", default=Decimal(0)))["sum"]
    return total


def missing_amount(order: Order) -> Decimal:
    """What still has to arrive, in the order's currency."""
    return max(order.amount - credited_so_far(order), Decimal(0))


def lock_order(order_id: str) -> Order:
    """The order, locked until the transaction ends: always before its charges and balances."""
    # NO KEY UPDATE lets rows that refer to the order be inserted in between. The merchant's webhook
    # secret stays out: a key that cannot be read must not keep money off the books.
    orders = Order.objects.select_related("merchant").defer("merchant__webhook_secret")
    return orders.select_for_update(no_key=True, of=("self",)).get(pk=order_id)


def check_not_over(order: Order, now: datetime) -> None:
    """Raises OrderNotPayable for an order that is final or past its deadline."""
    if order.is_final or order.expires_at <= now:
        raise OrderNotPayable


def _state(status: str, method: str | None, changed_at: datetime | None) -> dict[str, str]:
    stamp = int(changed_at.timestamp() * 1_000_000) if changed_at else 0
    return {"status": status, "version": f"{status}.{method}.{stamp}"}
