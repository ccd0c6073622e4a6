"""POST /collect: creating a collection order (contract, Collections)."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from payments.collect.models import Order
from payments.collect.services.charges import charge_creation
from tests.support.charges import create, start
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient


def test_created_order_has_a_link_a_fee_and_a_deadline(api: ApiClient) -> None:
    response = api.post("/collect", order_body(reference="A-1", amount=50000))

    assert response.status_code == 201
    assert response.body["success"] is True
    data = response.body["data"]
    order = Order.objects.get(pk=data["id"])
    assert data == {
        "id": order.pk,
        "reference": "A-1",
        "amount": 50025,
        "baseAmount": 50000,
        "feeAmount": 25,
        "currency": "COP",
        "status": "PENDING",
        "collectUrl": f"http://testserver/pay/{order.token}",
        "expiresAt": data["expiresAt"],
        "createdAt": data["createdAt"],
    }
    created, expires = (datetime.fromisoformat(data[name]) for name in ("createdAt", "expiresAt"))
    assert expires - created == timedelta(minutes=60)
    assert abs(datetime.now(UTC) - created) < timedelta(seconds=10)
    assert data["createdAt"].endswith("Z")


@pytest.mark.parametrize(
    ("currency", "amount", "fee"),
    [
        ("COP", 1000, "1"),
        ("COP", 25000, "13"),
        ("COP", 50000, "25"),
        ("COP", "1000.50", "1"),
        ("COP", 2999, "1"),
        ("COP", 3000, "2"),
        ("USDT", "1000.000001", "0.5"),
        ("BTC", "1000.00000001", "0.5"),
        ("COP", "999999999999.99", "500000000"),
        # More digits than a float has.
        ("BTC", "987654321098.7654321", "493827160.54938272"),
    ],
)
def test_the_fee_is_on_top_and_rounded_half_up(
    api: ApiClient, currency: str, amount: int | str, fee: str
) -> None:
    body = order_body(currency=currency, amount=Decimal(amount))
    data = api.post("/collect", body).body["data"]

    assert Decimal(data["baseAmount"]) == Decimal(amount)
    assert Decimal(data["feeAmount"]) == Decimal(fee)
    assert Decimal(data["amount"]) == Decimal(amount) + Decimal(fee)


def test_whole_amounts_are_written_as_integers(api: ApiClient) -> None:
    response = api.post("/collect", order_body(amount=Decimal("50000.00")))

    assert b'"amount":50025,' in response.content


def test_small_amounts_are_written_without_an_exponent(api: ApiClient) -> None:
    response = api.post("/collect", order_body(currency="BTC", amount=Decimal("1000.00000001")))

    assert b'"baseAmount":1000.00000001,' in response.content


def test_every_field_of_the_request_is_returned(api: ApiClient) -> None:
    body = order_body(
        currency="USDT",
        amount=2000,
        expirationMinutes=5,
        callbackUrl="https://tienda.example/volver?x=1",
        allowedMethods=["CRYPTO", "PSE"],
        metadata={"z": 1.10, "a": {"ñ": "☕"}, "n": [1, None, True]},
    )
    order_id = api.post("/collect", body).body["data"]["id"]

    data = api.get(f"/collect/{order_id}").body["data"]
    assert data["customer"] == {
        "name": "María Fernanda Ñáñez",
        "email": "maria@example.com",
        "documentType": "CC",
        "documentNumber": "1.020.304.050",
    }
    assert data["allowedMethods"] == ["CRYPTO", "PSE"]
    assert data["callbackUrl"] == "https://tienda.example/volver?x=1"
    assert data["metadata"] == {"z": Decimal("1.1"), "a": {"ñ": "☕"}, "n": [1, None, True]}
    assert list(data["metadata"]) == ["z", "a", "n"]
    assert data["selectedMethod"] is None
    assert data["paidAt"] is None


def test_metadata_comes_back_digit_by_digit(api: ApiClient) -> None:
    sent = '{"price":1.10,"big":12345678901234567890123,"text":"a\\nb"}'
    raw = order_body(metadata="@")
    from payments.core import jsontext

    text = jsontext.dumps(raw).replace('"@"', sent)
    order_id = api.post("/collect", text).body["data"]["id"]

    assert sent.encode() in api.get(f"/collect/{order_id}").content


def test_omitted_fields_have_their_defaults(api: ApiClient) -> None:
    order_id = api.post("/collect", order_body(description=None)).body["data"]["id"]

    data = api.get(f"/collect/{order_id}").body["data"]
    assert (data["description"], data["metadata"], data["callbackUrl"]) == ("", {}, None)
    assert data["currency"] == "COP"
    assert data["allowedMethods"] == ["PSE", "BANK_TRANSFER", "CRYPTO"]


def test_unknown_fields_are_ignored(api: ApiClient) -> None:
    assert api.post("/collect", order_body(surprise=1)).status_code == 201


def test_a_reference_is_used_once(api: ApiClient, stranger_api: ApiClient) -> None:
    first = api.post("/collect", order_body(reference="R-1")).body["data"]["id"]

    again = api.post("/collect", order_body(reference="R-1"))
    assert again.status_code == 400
    assert again.body["error"]["code"] == "VALIDATION_ERROR"
    assert again.body["error"]["details"]["field"] == "reference"
    assert again.body["error"]["details"]["existingId"] == first
    assert stranger_api.post("/collect", order_body(reference="R-1")).status_code == 201


class TestIdempotencyKey:
    KEY = {"Idempotency-Key": "k-1"}

    def test_the_same_request_replays_the_order(self, api: ApiClient) -> None:
        body = order_body()
        first = api.post("/collect", body, headers=self.KEY)
        again = api.post("/collect", body, headers=self.KEY)

        assert first.status_code == again.status_code == 201
        assert first.body == again.body
        assert "Idempotent-Replayed" not in first.headers
        assert again.headers["Idempotent-Replayed"] == "true"
        assert Order.objects.count() == 1

    def test_another_spelling_of_the_same_request_is_the_same(self, api: ApiClient) -> None:
        body = order_body(amount=50000)
        first = api.post("/collect", body, headers=self.KEY)
        again = api.post("/collect", {**body, "amount": Decimal("50000.00")}, headers=self.KEY)

        assert again.body == first.body

    def test_another_request_is_refused(self, api: ApiClient) -> None:
        api.post("/collect", order_body(), headers=self.KEY)
        again = api.post("/collect", order_body(), headers=self.KEY)

        assert again.status_code == 400
        assert again.body["error"]["code"] == "IDEMPOTENCY_KEY_REUSED"

    def test_a_refusal_does_not_burn_the_key(self, api: ApiClient) -> None:
        assert api.post("/collect", order_body(amount=1), headers=self.KEY).status_code == 400
        assert api.post("/collect", order_body(), headers=self.KEY).status_code == 201

    def test_keys_belong_to_a_merchant(self, api: ApiClient, stranger_api: ApiClient) -> None:
        body = order_body()
        mine = api.post("/collect", body, headers=self.KEY).body["data"]["id"]
        theirs = stranger_api.post("/collect", body, headers=self.KEY).body["data"]["id"]

        assert mine != theirs

    @pytest.mark.parametrize("key", ["", "x" * 256, "a b", "ñ"])
    def test_malformed_keys_are_refused(self, api: ApiClient, key: str) -> None:
        response = api.post("/collect", order_body(), headers={"Idempotency-Key": key})

        assert response.status_code == 400


class TestNarrowedAccount:
    def test_currency_that_is_not_enabled_is_refused(self, api: ApiClient) -> None:
        api.merchant.currencies = ["COP"]
        api.merchant.save()
        response = api.post("/collect", order_body(currency="BTC"))

        assert response.status_code == 400
        assert response.body["error"]["details"]["field"] == "currency"

    def test_method_that_is_not_enabled_is_refused(self, api: ApiClient) -> None:
        api.merchant.methods = ["PSE"]
        api.merchant.save()

        response = api.post("/collect", order_body(allowedMethods=["CRYPTO"]))
        assert response.body["error"]["details"]["field"] == "allowedMethods"
        created = api.post("/collect", order_body()).body["data"]["id"]
        assert api.get(f"/collect/{created}").body["data"]["allowedMethods"] == ["PSE"]


def test_creating_an_order_costs_few_queries(api: ApiClient, django_assert_num_queries) -> None:
    with django_assert_num_queries(4):  # key with merchant, savepoint, INSERT, release
        assert api.post("/collect", order_body()).status_code == 201


def test_an_order_in_a_coin_is_paid_in_coins(api: ApiClient) -> None:
    order = create(api, currency="BTC", amount=1000)
    with pytest.raises(charge_creation.MethodNotAvailable):
        start(order, "BANK_TRANSFER")
    refused = api.post("/collect", order_body(currency="BTC", allowedMethods=["PSE"]))
    assert refused.body["error"]["details"]["field"] == "allowedMethods"
