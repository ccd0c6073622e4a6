"""Which rails there are, and which of their callbacks are refused unread."""

from types import SimpleNamespace

import pytest

from payments.core import clock
from payments.providers import registry
from payments.providers.declaration import RailDeclaration, Refunds
from payments.providers.ports import InvalidCallback, Rail

NOW = clock.now()
PRODUCTS = ["payin", "payout", "topup", "bill", "dispute", "refund"]
NEEDED = {"payin": {"payer_fields": {Rail.PSE: []}}, "refund": {"refunds": Refunds.NATIVE}}


def acme(product, **changes):
    adapters = {product: SimpleNamespace(code="acme")}
    return RailDeclaration(**{"code": "acme", **adapters, **NEEDED.get(product, {}), **changes})


@pytest.mark.parametrize("product", PRODUCTS)
def test_body_is_read_of_a_provider_that_declares_no_header_check(monkeypatch, product):
    """Of any product; not of a code that no rail has."""
    monkeypatch.setattr(registry, "rails", lambda: {"acme": acme(product)})
    assert not registry.refuses_callback("/callbacks/refund/acme", {}, NOW)
    assert registry.refuses_callback("/callbacks/refund/unknown", {}, NOW)


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
    assert registry.PAYOUT.get("acme").code == "acme"
    with pytest.raises(registry.UnknownProvider):
        registry.TOPUP.get("acme")


@pytest.mark.parametrize(
    "changes",
    [
        {"code": "Acme"},
        {"code": ""},
        {"code": "other"},
        {"refunds": Refunds.NATIVE},
        {"payer_fields": {Rail.PSE: []}},
    ],
)
def test_declaration_that_contradicts_itself_is_refused(changes):
    with pytest.raises(ValueError, match=r"acme|code"):
        acme("payout", **changes)
