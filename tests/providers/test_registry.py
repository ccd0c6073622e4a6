"""Which rails there are, and which of their callbacks are refused unread."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from payments.core import clock
from payments.providers import registry
from payments.providers.declaration import RailDeclaration, Refunds
from payments.providers.ports import Coin, InvalidCallback, PayerNeeds, Rail

pytestmark = pytest.mark.django_db
NOW = clock.now()
SINGLE = ["payin", "dispute", "refund"]
PRODUCTS = [*SINGLE, "payout", "topup", "bill"]
NEEDED = {
    "payin": {"payer_needs": {Rail.PSE: PayerNeeds()}},
    "refund": {"refunds": Refunds.NATIVE},
}


def acme(product, **changes):
    adapter = SimpleNamespace(code="acme")
    adapters = {product: adapter} if product in SINGLE else {"outgoing": {product: adapter}}
    return RailDeclaration(**{"code": "acme", **adapters, **NEEDED.get(product, {}), **changes})


@pytest.mark.parametrize("product", PRODUCTS)
def test_body_is_read_of_a_provider_that_declares_no_header_check(monkeypatch, product):
    """Of any product; not of a code that no rail can have."""
    monkeypatch.setattr(registry, "rails", lambda: {"acme": acme(product)})
    assert not registry.refuses_callback("/callbacks/refund/acme", {}, NOW)
    assert registry.refuses_callback("/callbacks/refund/Un-known", {}, NOW)
    assert registry.refuses_callback("/callbacks/refund/" + 31 * "a", {}, NOW)


def test_body_for_what_may_be_an_account_is_read_without_the_database(
    django_assert_num_queries,
):
    """The event loop asks, and it must not wait."""
    with django_assert_num_queries(0):
        assert not registry.refuses_callback("/callbacks/payin/wompi-main", {}, NOW)


def test_declared_header_check_refuses_a_callback_before_its_body_is_read(monkeypatch):
    def check(headers, now):
        if "X-Acme" not in headers:
            raise InvalidCallback("not signed")

    rail = acme("payout", check_callback_headers=check)
    monkeypatch.setattr(registry, "rails", lambda: {"acme": rail})
    assert registry.refuses_callback("/callbacks/payout/acme", {}, NOW)
    assert not registry.refuses_callback("/callbacks/payout/acme", {"X-Acme": "1"}, NOW)


def test_real_rail_serves_older_payments_when_the_settings_name_another(monkeypatch, settings):
    settings.PAYOUT_PROVIDER = "simulator"
    monkeypatch.setattr(registry, "rails", lambda: {"acme": acme("payout")})
    assert registry.outgoing("payout").get("acme").code == "acme"
    with pytest.raises(registry.UnknownProvider):
        registry.outgoing("topup").get("acme")


@pytest.mark.parametrize(
    "changes",
    [
        {"code": "Acme"},
        {"code": ""},
        {"code": "other"},
        {"refunds": Refunds.NATIVE},
        {"payer_needs": {Rail.PSE: PayerNeeds()}},
    ],
)
def test_declaration_that_contradicts_itself_is_refused(changes):
    with pytest.raises(ValueError, match=r"acme|code"):
        acme("payout", **changes)


@pytest.mark.parametrize("misspelt", ["tpoup", "refund"])
def test_rail_cannot_carry_what_no_app_declares(misspelt):
    with pytest.raises(ValueError, match=f"acme: '{misspelt}' is no product of settings.PRODUCTS"):
        acme("payout", outgoing={misspelt: object()})


ON_POLYGON = Coin(code="USDC", network="polygon", label="Polygon", decimals=6)
ON_ETHEREUM = Coin(code="USDC", network="ethereum", label="Ethereum", decimals=6)
COINS = {"payer_needs": {Rail.CRYPTO: PayerNeeds()}, "coins": (ON_ETHEREUM, ON_POLYGON)}


def test_rail_of_coins_declares_each_once_on_each_network():
    assert [coin.key for coin in acme("payin", **COINS).coins] == ["USDC-ethereum", "USDC-polygon"]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"payer_needs": {Rail.PSE: PayerNeeds()}}, "CRYPTO has coins"),
        ({"coins": ()}, "CRYPTO has coins"),
        ({"coins": (ON_POLYGON, ON_POLYGON)}, "more than once"),
        ({"coins": (replace(ON_POLYGON, code="DOGE"),)}, "DOGE"),
        ({"chain": SimpleNamespace(coins=(ON_POLYGON,))}, "not those of its node"),
    ],
)
def test_rail_whose_coins_contradict_it_is_refused(changes, problem):
    with pytest.raises(ValueError, match=f"acme: .*{problem}"):
        acme("payin", **{**COINS, **changes})
