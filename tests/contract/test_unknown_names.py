"""Fields and parameters that the service does not know: never ignored in silence."""

import json
from typing import Any

import pytest

from merchants.models import Merchant
from payments.collect.models import Order
from tests.support.factories import order_body, payout_body
from tests.support.fixtures import ApiClient
from tests.support.funds import fund

pytestmark = pytest.mark.django_db
HEADER = "X-Unknown-Fields"


def test_usual_requests_have_no_unknown_field(api: ApiClient, merchant: Merchant) -> None:
    fund(merchant, 900_000)
    assert HEADER not in api.post("/collect", order_body()).headers
    paid_out = api.post("/payout", payout_body(), headers={"Idempotency-Key": "p-1"})
    assert paid_out.status_code == 201
    assert HEADER not in paid_out.headers


@pytest.mark.parametrize(
    ("extra", "named"),
    [
        ({"callback_url": "https://shop.example/back"}, "callback_url"),
        ({"expiration_minutes": 5, "shop": 1}, "expiration_minutes, shop"),
        ({"a,b\r\nSet-Cookie: x": 1}, "a%2Cb%0D%0ASet-Cookie%3A%20x"),
        ({"niño": 1, "x\ud800": 1}, "ni%C3%B1o, x%3F"),
        ({f"n{i}": 1 for i in range(12)}, ", ".join(f"n{i}" for i in range(10))),
        ({"n" * 5000: 1}, "n" * 100),
    ],
)
def test_ignored_fields_are_named_in_a_header(
    api: ApiClient, extra: dict[str, Any], named: str
) -> None:
    answer = api.post("/collect", json.dumps(order_body(**extra)))
    assert answer.status_code == 201
    assert answer.headers[HEADER] == named


def test_ignored_fields_are_named_beside_an_error(api: ApiClient) -> None:
    answer = api.post("/collect", order_body(amount=1, refrence="P-1"))
    assert (answer.status_code, answer.headers[HEADER]) == (400, "refrence")


def test_fields_of_metadata_are_the_merchants_own(api: ApiClient) -> None:
    assert HEADER not in api.post("/collect", order_body(metadata={"shop": 1})).headers


def test_account_that_asks_for_it_gets_an_error_with_the_nearest_name(
    api: ApiClient, merchant: Merchant
) -> None:
    Merchant.objects.filter(pk=merchant.pk).update(refuses_unknown_fields=True)
    body = order_body(callback_url="https://shop.example/back", zzz=1) | {"\ud800": 1}
    answer = api.post("/collect", json.dumps(body))
    assert answer.status_code == 400
    error = answer.body["error"]
    assert error["details"]["field"] == "callback_url"
    fields = error["details"]["fields"]
    assert fields["callback_url"] == 'Unknown field. Did you mean "callbackUrl"?'
    assert [*fields] == ["callback_url", "zzz", "?"]
    assert fields["zzz"].startswith("Unknown field. Known: reference, ")
    assert not Order.objects.exists()
    assert api.post("/collect", order_body()).status_code == 201


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("state=COMPLETED", 'state: Unknown parameter. Did you mean "status"?'),
        (
            "page=2",
            "page: Unknown parameter. Known: limit, offset, reference, status, createdFrom, "
            "createdTo.",
        ),
        ("limit=5&created_from=x", 'created_from: Unknown parameter. Did you mean "createdFrom"?'),
    ],
)
def test_unknown_parameter_of_a_list_is_an_error(api: ApiClient, query: str, message: str) -> None:
    answer = api.get(f"/collect?{query}")
    assert answer.status_code == 400
    assert answer.body["error"]["message"] == message
