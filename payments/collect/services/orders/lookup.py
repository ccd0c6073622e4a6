"""Reads and locks of orders and their charges."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import Count, FilteredRelation, Max, OuterRef, Q, Subquery, Sum

from merchants.models import ApiKey, Merchant, Method
from payments.chains.models import ChainCursor
from payments.collect.models import Charge, Order
from payments.collect.services.errors import OrderNotFound, OrderNotPayable
from payments.collect.services.orders import charge_facts
from payments.core.compiled_queries import CompiledQuery
from payments.core.ids import is_id

_OF_MERCHANT = CompiledQuery(
    lambda order, merchant: Order.objects.filter(pk=order, merchant=merchant)
)
# Of the merchant a request that reads an order needs nothing but whether it is active.
_UNUSED = [
    f"merchant__{field.name}"
    for field in Merchant._meta.concrete_fields
    if field.name not in ("id", "is_active")
]
# The order is of the key's merchant, or there is none.
_KEY_WITH_ORDER = CompiledQuery(
    lambda public_key, order: (
        ApiKey.objects.annotate(
            found_order=FilteredRelation("merchant__order", condition=Q(merchant__order__pk=order))
        )
        .select_related("merchant", "found_order")  # type: ignore[misc]
        .annotate(**{charge_facts.KNOWN: charge_facts.charges_of("found_order")})
        .defer("permissions", "label", "created_at", *_UNUSED)
        .filter(public_key=public_key)
    )
)
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")  # the form of models.new_token


def find_order(*, merchant: Merchant, order_id: str) -> Order:
    """Raises OrderNotFound, with the same error for every reason."""
    if not is_id(order_id, "col"):
        raise OrderNotFound
    order = _OF_MERCHANT.first(order=order_id, merchant=merchant.pk)
    if order is None:
        raise OrderNotFound
    return order


def is_order_id(text: str) -> bool:
    return is_id(text, "col")


def find_key_with_order(*, public_key: str, order_id: str) -> ApiKey | None:
    """The key, its merchant and the merchant's order, in one statement.

    The key is not checked here. `order_of` has the order.
    """
    return _KEY_WITH_ORDER.first(public_key=public_key, order=order_id)


def order_of(key: ApiKey) -> Order:
    """The order that `find_key_with_order` has read. Raises OrderNotFound."""
    order: Order | None = getattr(key, "found_order", None)
    if order is None:
        raise OrderNotFound
    vars(order)[charge_facts.KNOWN] = vars(key)[charge_facts.KNOWN]
    return order


def find_by_token(*, token: str) -> Order:
    """The order of a payment link, with its merchant. Raises OrderNotFound."""
    if not _TOKEN.fullmatch(token):
        raise OrderNotFound
    found = Order.objects.filter(token=token).select_related(
        "merchant__logo", "merchant__legal_data"
    )
    # No page needs the secret, which is slow to decrypt, or the logo, which has its own URL.
    order = found.defer("merchant__webhook_secret", "merchant__logo__content").first()
    if order is None:
        raise OrderNotFound
    return order


def get_live_state(*, token: str) -> dict[str, str]:
    """The state that a waiting payer's page polls, in one query.

    It has the status, and a version that changes with everything that the payer sees. Raises
    OrderNotFound.
    """
    if not _TOKEN.fullmatch(token):
        raise OrderNotFound
    found = Order.objects.filter(token=token).annotate(
        at=Max("charges__updated_at"), height=_height("charges__")
    )
    row = found.values_list("status", "selected_method", "at", "height").first()
    if row is None:
        raise OrderNotFound
    return _state(*row)


@dataclass(frozen=True, slots=True)
class ChargesSummary:
    """A summary of all charges of an order, for its page.

    state    as from get_live_state, but as old as `order`.
    missing  what still has to arrive, in the order's currency.
    charges  their number.
    coins    the number of those in coins.
    """

    state: Mapping[str, str]
    missing: Decimal
    charges: int
    coins: int = 0


def summarize_charges(*, order: Order) -> ChargesSummary:
    """Call it before you read the charges, so that a change after the call changes the state."""
    found = order.charges.aggregate(
        at=Max("updated_at"),
        height=_height(),
        sum=Sum("credited"),
        charges=Count("pk"),
        coins=Count("pk", filter=Q(method=Method.CRYPTO)),
    )
    return ChargesSummary(
        state=_state(order.status, order.selected_method, found["at"], found["height"]),
        missing=max(order.amount - (found["sum"] or Decimal(0)), Decimal(0)),
        charges=found["charges"],
        coins=found["coins"],
    )


def newest_charge(*, order: Order, status: str) -> Charge | None:
    return order.charges.filter(status=status).order_by("-created_at", "-id").first()


def settling_charge(*, order: Order) -> Charge | None:
    """The charge whose money completed the order. Successes of other charges credit nothing."""
    if order.settled_by_id is not None:
        return order.settled_by
    # Orders of earlier releases have no `settled_by`.
    paid = order.charges.filter(method=order.selected_method, credited__gt=0)
    return paid.order_by("-created_at", "-id").first()


def credited_so_far(order: Order) -> Decimal:
    """The money that arrived for the order before it was settled, in its currency."""
    total: Decimal = order.charges.aggregate(sum=Sum("credited", default=Decimal(0)))["sum"]
    return total


def missing_amount(order: Order) -> Decimal:
    """The amount that still has to arrive, in the order's currency."""
    return max(order.amount - credited_so_far(order), Decimal(0))


def lock_order(order_id: str) -> Order:
    """Returns the order, locked until the transaction ends.

    Lock it before its charges and balances.
    """
    # NO KEY UPDATE does not block inserts of rows that refer to the order. The merchant's webhook
    # secret is deferred, so that a secret that cannot be decrypted does not prevent the posting of
    # money.
    orders = Order.objects.select_related("merchant").defer("merchant__webhook_secret")
    return orders.select_for_update(no_key=True, of=("self",)).get(pk=order_id)


def check_not_over(order: Order, now: datetime) -> None:
    """Raises OrderNotPayable for an order that is final or past its deadline."""
    if order.is_final or order.expires_at <= now:
        raise OrderNotPayable.because_over(order.status if order.is_final else "EXPIRED")


def _height(prefix: str = "") -> Max:
    """How far the chains of coins on their way were read: each block is one more confirmation."""
    read = ChainCursor.objects.filter(account=OuterRef(f"{prefix}provider")).values("height")
    return Max(Subquery(read), filter=Q(**{f"{prefix}unconfirmed__gt": 0}))


def _state(
    status: str, method: str | None, changed_at: datetime | None, height: int | None
) -> dict[str, str]:
    stamp = int(changed_at.timestamp() * 1_000_000) if changed_at else 0
    return {"status": status, "version": f"{status}.{method}.{stamp}.{height or 0}"}
