"""Requests to /bills that look odd and are right."""

import pytest

from merchants.models import Merchant
from tests.bills import scene
from tests.support.fixtures import ApiClient
from tests.support.funds import balance, fund


@pytest.fixture(autouse=True)
def _funds(merchant: Merchant) -> None:
    fund(merchant, scene.FUNDS)


def test_null_is_not_given(api: ApiClient) -> None:
    bill = scene.reference()
    (product,) = scene.owed(api, bill)
    body = {**scene.body_of(bill, product["amount"]), "codeRecord": None, "idempotencyKey": None}
    assert api.post("/bills/pay", body, headers={"Idempotency-Key": "k"}).status_code == 201


def test_unknown_fields_are_ignored(api: ApiClient, merchant: Merchant) -> None:
    odd = {"status": "failed", "feeCop": -5, "merchant": "mer_x", "id": "bil_x", "ticket": {}}
    data = scene.pay_owed(api, scene.reference(), **odd).body["data"]
    assert (data["status"], data["feeCop"]) == ("completed", scene.FEE)
    assert balance(merchant) == (scene.FUNDS - data["totalCop"], 0)


def test_head_is_get_without_a_body(api: ApiClient) -> None:
    for path in ("/bills/agreements", "/bills/payments"):
        response = api.call("HEAD", path)
        assert (response.status_code, response.content) == (200, b"")


def test_writes_and_reads_are_limited(api: ApiClient) -> None:
    assert scene.ask(api, scene.reference()).headers["X-RateLimit-Limit"] == "300"
    assert api.get("/bills/agreements").headers["X-RateLimit-Limit"] == "1000"
