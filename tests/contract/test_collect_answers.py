"""What an order looks like when it is answered: the contract's rows that no other test has.

Its fields and their types, ids and links, paid orders and legacy ones.
"""

import re
from datetime import UTC, datetime

from payments.collect.models import Order
from tests.support.collect_requests import create
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient

MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
CREATED_FIELDS = [
    "id",
    "reference",
    "amount",
    "baseAmount",
    "feeAmount",
    "currency",
    "status",
    "collectUrl",
    "expiresAt",
    "createdAt",
]
# Contract, Collection order (response of get and elements of list): 18 fields.
ORDER_FIELDS = {
    "id": str,
    "reference": str,
    "amount": int,
    "baseAmount": int,
    "feeAmount": int,
    "currency": str,
    "description": str,
    "status": str,
    "selectedMethod": type(None),
    "allowedMethods": list,
    "customer": dict,
    "collectUrl": str,
    "callbackUrl": type(None),
    "metadata": dict,
    "expiresAt": str,
    "paidAt": type(None),
    "createdAt": str,
    "updatedAt": str,
}
# Beside them, what happened after the payment (docs/gaps.md, Orders).
ADDITIONS = {
    "confirmedAt": type(None),
    "cancelledAt": type(None),
    "refundedAmount": int,
    "retryOf": type(None),
    "linkId": type(None),
    "traceCode": type(None),
    "failureReason": type(None),
    "attempts": int,
}


def test_create_answers_exactly_the_fields_of_the_contract(api: ApiClient) -> None:
    response = api.post("/collect", order_body())
    assert list(response.body) == ["success", "data"]
    assert list(response.body["data"]) == CREATED_FIELDS


def test_get_and_list_answer_the_eighteen_fields_and_the_additions(api: ApiClient) -> None:
    order = create(api)
    (row,) = api.get("/collect").body["data"]
    assert len(ORDER_FIELDS) == 18
    assert row == order
    assert {name: type(value) for name, value in order.items()} == ORDER_FIELDS | ADDITIONS
    assert list(order["customer"]) == ["name", "email", "documentType", "documentNumber"]
    assert all(isinstance(value, str) for value in order["customer"].values())


def test_a_paid_order_has_the_types_of_the_contract(api: ApiClient) -> None:
    order = create(api, callbackUrl="https://tienda.example/")
    api.post(f"/sandbox/collect/{order['id']}", {"status": "COMPLETED", "method": "CRYPTO"})
    paid = api.get(f"/collect/{order['id']}").body["data"]

    assert (paid["status"], paid["selectedMethod"]) == ("COMPLETED", "CRYPTO")
    for name in ("expiresAt", "paidAt", "createdAt", "updatedAt"):
        assert MOMENT.fullmatch(paid[name]), name
    assert paid["createdAt"] <= paid["paidAt"] <= paid["updatedAt"]
    unchanged = set(ORDER_FIELDS) - {"status", "selectedMethod", "paidAt", "updatedAt"}
    assert {name: paid[name] for name in unchanged} == {name: order[name] for name in unchanged}


def test_ids_sort_by_time_and_links_are_not_guessed_from_them(api: ApiClient) -> None:
    made = [create(api) for _ in range(5)]
    ids = [order["id"] for order in made]
    assert ids == sorted(ids)
    assert all(re.fullmatch(r"col_[0-9a-z]{26}", order_id) for order_id in ids)
    links = {order["collectUrl"] for order in made}
    assert len(links) == 5
    assert not any(order["id"] in order["collectUrl"] for order in made)


def test_a_legacy_order_has_no_base_and_no_fee(api: ApiClient) -> None:
    order_id = create(api)["id"]
    Order.objects.filter(pk=order_id).update(
        created_at=datetime(2025, 12, 31, 23, 59, tzinfo=UTC), base_amount=None, fee_amount=None
    )
    response = api.get(f"/collect/{order_id}")
    data = response.body["data"]
    assert (data["baseAmount"], data["feeAmount"], data["amount"]) == (None, None, 50025)
    assert set(data) == set(ORDER_FIELDS | ADDITIONS)
    assert data["createdAt"] == "2025-12-31T23:59:00.000Z"
    assert api.get("/collect").body["data"] == [data]


def test_a_legacy_order_can_be_paid(api: ApiClient) -> None:
    order_id = create(api)["id"]
    Order.objects.update(base_amount=None, fee_amount=None)
    answer = api.post(f"/sandbox/collect/{order_id}", {"status": "COMPLETED"})
    assert answer.body["data"]["status"] == "COMPLETED"
    assert api.get("/collect/stats").body["data"]["totalCollected"] == "50025"
