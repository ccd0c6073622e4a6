"""Whether a payment may be sent now. Every first call and every repetition asks."""

from django.utils.module_loading import import_string

from payments.core.products import named
from payments.outgoing.product import P, Product
from payments.providers import breaker, registry
from payments.rails.services import routing


def may_begin(product: Product[P], payment: P) -> bool:
    """For a first call, which may go to another account of the routes."""
    return _is_allowed(product, payment) and _can_be_reached(product, payment)


def may_repeat(product: Product[P], payment: P) -> bool:
    """A repetition goes to the same account or nowhere."""
    return _is_allowed(product, payment) and not routing.is_off(payment.provider)


def _is_allowed(product: Product[P], payment: P) -> bool:
    """By the operators' switches and the product's own rule."""
    try:
        product.port(payment.provider)
    except registry.UnknownProvider:
        return False
    return product.is_on() and _is_carrier_on(product, payment) and product.may_send(payment)


def _is_carrier_on(product: Product[P], payment: P) -> bool:
    """A payment over the rails of another product waits while that product is switched off."""
    if not product.rides(payment):
        return True
    return bool(import_string(named(product.rides_on).engine).product.is_on())


def _can_be_reached(product: Product[P], payment: P) -> bool:
    """Its account, or one to which it can move, is on and has a closed circuit."""
    if not routing.is_off(payment.provider) and not _is_open(product, payment.provider):
        return True
    return any(not _is_open(product, one["provider"]) for one in product.other_accounts(payment))


def _is_open(product: Product[P], account: str) -> bool:
    return breaker.is_open(product.circuit(account))
