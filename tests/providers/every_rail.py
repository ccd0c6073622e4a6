"""The rails of the conformance suite, with every product and method of their declarations."""

from datetime import timedelta

import pytest
from django.conf import settings as configured
from django.utils.module_loading import import_string

from payments.core import ids
from payments.core.products import products
from payments.providers import registry
from payments.providers.account import Mode, RailAccount
from payments.providers.rail_type import rail_types

TIMEOUT = 5.0
OUTGOING = [product.name for product in products()]
# Longer than this no payment is sent again under its reference.
LONGEST_RETRY = timedelta(days=30)
PATHS = [*configured.RAILS, "tests.rails.toy.RAIL", "tests.rails.ferry.RAIL"]
# Coin accounts have no wire that starts a charge: tests/chains judges them and their chains.
COINS = {"bitcoin", "evm", "tron"}
ACCOUNTS = [
    kind.declare(RailAccount(slug=code, mode=Mode.SANDBOX))
    for code, kind in rail_types().items()
    if code not in COINS
]
RAILS = {rail.code: rail for rail in (*map(import_string, PATHS), *ACCOUNTS)}
SERVERS = {
    "bankfile": "tests.rails.bankfile_server",
    "wompi": "tests.rails.wompi_server",
    "wompi-payouts": "tests.rails.wompi_payouts_server",
    "pabfile": "tests.rails.pabfile_bank",
}
METHODS = [(code, method) for code, rail in RAILS.items() for method in rail.payer_needs]
PRODUCTS = [(code, one) for code, rail in RAILS.items() for one in OUTGOING if one in rail.adapters]
DISPUTING = [code for code, rail in RAILS.items() if rail.dispute]

of_every_method = pytest.mark.parametrize(("code", "method"), METHODS)
of_every_product = pytest.mark.parametrize(("code", "product"), PRODUCTS)
of_every_rail = pytest.mark.parametrize("code", RAILS)


def adapters_of(product):
    single = {"payin": registry.PAYIN, "dispute": registry.DISPUTE}
    return single[product] if product in single else registry.outgoing(product)


def window_of(code):
    """Just inside the time for which the rail recognises a reference."""
    return min(RAILS[code].idempotency_window or LONGEST_RETRY, LONGEST_RETRY) - timedelta(hours=1)


def reference_of(code, prefix):
    """As the service gives it to the adapter."""
    reference = ids.new_id(prefix)
    shape = RAILS[code].wire_reference
    return shape(reference) if shape else reference
