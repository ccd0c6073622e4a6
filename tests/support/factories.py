"""Characters of the tests: the merchant "Café Andino", the stranger "Otra Tienda", their orders."""

import itertools
from typing import Any

import factory
from factory.django import DjangoModelFactory

from merchants import services as merchant_services
from merchants.models import ApiKey, Merchant

_serial = itertools.count(1)


class MerchantFactory(DjangoModelFactory):
    """An active merchant with everything enabled and a webhook address on loopback."""

    class Meta:
        model = Merchant

    name = "Café Andino"
    email = "caja@cafeandino.co"
    payout_enabled = topup_enabled = bills_enabled = direct_api_enabled = True
    webhook_url = "http://127.0.0.1:9/webhooks"
    webhook_secret = factory.LazyFunction(merchant_services.new_webhook_secret)


def issue_key(merchant: Merchant, permissions: tuple[str, ...] = ()) -> tuple[ApiKey, str]:
    """A key pair of the merchant with its secret in plain text."""
    return merchant_services.issue_api_key(
        merchant=merchant, actor="tests", permissions=permissions
    )


def order_body(**changes: Any) -> dict[str, Any]:
    """A valid body of POST /collect; None removes a field."""
    body: dict[str, Any] = {
        "reference": f"PEDIDO-{next(_serial)}",
        "amount": 50000,
        "description": "Café de Nariño, 2 libras",
        "customerName": "María Fernanda Ñáñez",
        "customerEmail": "maria@example.com",
        "customerDocType": "CC",
        "customerDocNumber": "1.020.304.050",
        **changes,
    }
    return {name: value for name, value in body.items() if value is not None}


def payout_body(**changes: Any) -> dict[str, Any]:
    """A valid body of POST /payout to a bank account; None removes a field."""
    body: dict[str, Any] = {
        "amount": 100000,
        "recipientName": "Juan Pérez",
        "recipientDocType": "CC",
        "recipientDocNumber": "79.123.456",
        "network": "BANK",
        "bankCanonicalId": "bancolombia",
        "accountType": "SAVINGS",
        "accountNumber": "12345678901",
        "description": "Nómina",
        **changes,
    }
    return {name: value for name, value in body.items() if value is not None}


def key_payout_body(key_type: str = "PHONE", key_value: str = "3001234567", **changes: Any) -> Any:
    """A valid body of POST /payout to an instant key."""
    account = {"bankCanonicalId": None, "accountType": None, "accountNumber": None}
    return payout_body(
        network="BREB", keyType=key_type, keyValue=key_value, **{**account, **changes}
    )
