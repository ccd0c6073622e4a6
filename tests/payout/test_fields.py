"""The fields of POST /payout: each bad one is named, and nothing is held.

Amounts, recipients, accounts, networks, and the keys of Bre-B.
"""

from decimal import Decimal
from typing import Any

import pytest

from merchants.models import Merchant
from payments.payout.models import Bank, Payout
from tests.support.factories import key_payout_body, payout_body
from tests.support.fixtures import ApiClient
from tests.support.funds import balance
from tests.support.outgoing_payments import refusal
from tests.support.payouts import send

pytestmark = pytest.mark.usefixtures("funds")


class TestFields:
    @pytest.mark.parametrize(
        ("changes", "field"),
        [
            ({"amount": None}, "amount"),
            ({"amount": 0}, "amount"),
            ({"amount": -5}, "amount"),
            ({"amount": "5"}, "amount"),
            ({"amount": True}, "amount"),
            ({"amount": Decimal("1.005")}, "amount"),
            ({"currency": "COP"}, "currency"),
            ({"currency": "BTC"}, "currency"),
            ({"recipientName": None}, "recipientName"),
            ({"recipientName": "x" * 201}, "recipientName"),
            ({"recipientDocType": "cc"}, "recipientDocType"),
            ({"recipientDocNumber": "-"}, "recipientDocNumber"),
            ({"bankCanonicalId": None}, "bankCanonicalId"),
            ({"bankCanonicalId": "nobank"}, "bankCanonicalId"),
            ({"accountType": None}, "accountType"),
            ({"accountType": "savings"}, "accountType"),
            ({"accountNumber": None}, "accountNumber"),
            ({"accountNumber": "12345"}, "accountNumber"),
            ({"accountNumber": "000000"}, "accountNumber"),
            ({"accountNumber": "1" * 21}, "accountNumber"),
            ({"accountNumber": "12345678A"}, "accountNumber"),
            ({"accountNumber": "١٢٣٤٥٦"}, "accountNumber"),
            ({"bankCanonicalId": "nequi", "accountNumber": "12345678"}, "accountNumber"),
            ({"description": "x" * 41}, "description"),
            ({"network": 5}, "network"),
        ],
    )
    def test_a_bad_field_is_named(
        self, api: ApiClient, merchant: Merchant, changes: dict[str, Any], field: str
    ) -> None:
        response = send(api, payout_body(**changes))

        assert refusal(response) == (400, "VALIDATION_ERROR")
        assert response.body["error"]["details"]["field"] == field
        assert not Payout.objects.exists()
        assert balance(merchant) == (1_000_000, 0)

    @pytest.mark.parametrize("network", ["ACH", "breb", "bank", "WIRE"])
    def test_a_method_outside_the_catalogue(self, api: ApiClient, network: str) -> None:
        response = send(api, payout_body(network=network))
        assert refusal(response) == (400, "PAYOUT_METHOD_NOT_AVAILABLE")

    def test_the_network_is_bank_unless_said(self, api: ApiClient) -> None:
        assert send(api, payout_body(network=None)).body["data"]["network"] == "bank"

    @pytest.mark.parametrize(
        ("key_type", "value", "kept"),
        [
            ("PHONE", "3001234567", "3001234567"),
            ("PHONE", "+57 300 123 4567", "3001234567"),
            ("EMAIL", "juan.perez@example.com", "juan.perez@example.com"),
            ("ALPHANUMERIC", "@juan123", "@juan123"),
            ("ID", "79.123.456", "79123456"),
            ("BCODE", "0012345678", "0012345678"),
        ],
    )
    def test_key_of_each_type_is_normalized(
        self, api: ApiClient, key_type: str, value: str, kept: str
    ) -> None:
        response = send(api, key_payout_body(key_type, value))

        assert response.status_code == 201, response.content
        assert response.body["data"]["network"] == "breb"
        assert response.body["data"]["feeAmount"] == 900
        assert Payout.objects.get().key_value == kept

    @pytest.mark.parametrize(
        ("key_type", "value"),
        [
            ("PHONE", "2001234567"),
            ("PHONE", "300123456"),
            ("PHONE", "٣٠٠١٢٣٤٥٦٧"),
            ("EMAIL", "no-at"),
            ("EMAIL", "x" * 31 + "@example.com"),
            ("EMAIL", "a@" + "x" * 60 + ".co"),
            ("ALPHANUMERIC", "juan123"),
            ("ALPHANUMERIC", "@juan"),
            ("ALPHANUMERIC", "@" + "x" * 21),
            ("ID", "x" * 19),
            ("BCODE", "1112345678"),
            ("BCODE", "00123456789"),
        ],
    )
    def test_malformed_key_is_refused(self, api: ApiClient, key_type: str, value: str) -> None:
        response = send(api, key_payout_body(key_type, value))
        assert response.body["error"]["details"]["field"] == "keyValue"

    def test_a_key_needs_type_and_value(self, api: ApiClient) -> None:
        response = send(api, payout_body(network="BREB"))
        assert response.body["error"]["details"]["fields"].keys() == {"keyType", "keyValue"}

    def test_nequi_takes_the_mobile(self, api: ApiClient) -> None:
        body = payout_body(bankCanonicalId="nequi", accountNumber="300 123 4567")
        assert send(api, body).status_code == 201
        assert Bank.objects.filter(slug="nequi").exists()
