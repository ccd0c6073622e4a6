"""The ways to pay of a page by the names that payers read."""

from datetime import timedelta
from decimal import Decimal

from django.conf import settings

from merchants.models import Merchant, Method
from payments.collect.models import Order
from payments.collect.services.charges import direct_methods
from payments.collect.services.orders import charge_method
from payments.core import clock, money

# Long enough for the look-up: an order that has ended is offered nothing.
_OPEN = timedelta(hours=1)


def of_order(order: Order) -> list[str]:
    """What its page offers now. Of an order that has ended: what it allowed, and what was tried."""
    if not order.is_final:
        return _names(order.merchant, order.currency, order.allowed_methods, order.amount)
    names = [str(Method(one).label) for one in order.allowed_methods]
    return list(dict.fromkeys([*names, *map(charge_method.name_of, order.charges.all())]))


def of_merchant(merchant: Merchant) -> list[str]:
    """Of any amount that an order in pesos may have."""
    least, most = settings.COLLECT_MIN_AMOUNT, settings.MAX_AMOUNT
    return _names(merchant, money.FIAT, merchant.methods, least, most)


def _names(
    merchant: Merchant,
    currency: str,
    allowed: list[str],
    amount: Decimal,
    most: Decimal | None = None,
) -> list[str]:
    """The methods that are allowed, and with the Direct API those of the rails beside them."""
    now = clock.now()
    order = Order(
        merchant=merchant,
        currency=currency,
        amount=amount,
        allowed_methods=allowed,
        expires_at=now + _OPEN,
    )
    others = direct_methods.list_page_methods(order=order, now=now, missing=amount, most=most)
    own = [str(Method(one).label) for one in allowed if one != Method.CRYPTO]
    coins = [str(Method.CRYPTO.label)] if Method.CRYPTO in allowed else []
    return list(dict.fromkeys([*own, *(str(one.label) for one in others), *coins]))
