"""Requests to /bills that look odd and are right."""

import pytest

from merchants.models import Merchant
from tests.support import bills
from tests.support.fixtures import ApiClient
from tests.support.funds import balance, fund


@pytest.fixture(autouse=True)
def _funds(merchant: Merchant) -> None:
    fund(merchant, bills.FUNDS)


def test_null_is_not_given(api: ApiClient) -> None:
    bill = bills.reference()
    (product,) = bills.owed(api, bill)
    body = {**bills.body_of(bill, product["amount"]), "codeRecord": None, "idempotencyKey": None}
    assert api.post("/bills/pay", body, headers={"Idempotency-Key": "k"}).status_code == 201


def test_unknown_fields_are_ignored(api: ApiClient, merchant: Merchant) -> None:
    odd = {"status": "failed", "feeCop": -5, "merchant": "mer_x", "id": "bil_x", "ticket": {}}
    data = bills.pay_owed(api, bills.reference(), **odd).body["data"]
    assert (data["status"], data["feeCop"]) == ("completed", bills.FEE)
    assert balance(merchant) == (bills.FUNDS - data["totalCop"], 0)


def test_head_is_get_without_a_body(api: ApiClient) -> None:
    for path in ("/bills/agreements", "/bills/payments"):
        response = api.call("HEAD", path)
        assert (response.status_code, response.content) == (200, b"")


def test_writes_and_reads_are_limited(api: ApiClient) -> None:
    assert bills.ask(api, bills.reference()).headers["X-RateLimit-Limit"] == "300"
    assert api.get("/bills/agreements").headers["X-RateLimit-Limit"] == "1000"
