"""GET /bills/payments and /bills/payments/{id}: additions to the contract (docs/gaps.md)."""

import pytest

from merchants.models import Merchant
from tests.contract.answers import assert_refused
from tests.support.bills import FUNDS, pay_owed, payment_of, reference
from tests.support.fixtures import ApiClient
from tests.support.funds import fund


@pytest.fixture(autouse=True)
def funds(merchant: Merchant) -> None:
    fund(merchant, FUNDS)


def test_merchant_reads_one_bill_payment(api: ApiClient) -> None:
    created = pay_owed(api, reference()).body["data"]
    assert api.get(f"/bills/payments/{created['id']}").body["data"] == created


@pytest.mark.parametrize(
    "payment_id", ["bil_00000000000000000000000000", "bil_x", "x", "po_1", "%00", "BIL_1"]
)
def test_absent_bill_payment_is_404(api: ApiClient, payment_id: str) -> None:
    assert_refused(api.get(f"/bills/payments/{payment_id}"), 404, "NOT_FOUND")


def test_bill_payment_of_another_merchant_is_404(api: ApiClient, stranger_api: ApiClient) -> None:
    payment = payment_of(pay_owed(api, reference()))
    assert_refused(stranger_api.get(f"/bills/payments/{payment.pk}"), 404, "NOT_FOUND")
    assert stranger_api.get("/bills/payments").body["data"] == []


def test_list_shows_the_merchants_bill_payments_newest_first(api: ApiClient) -> None:
    ids = [payment_of(pay_owed(api, reference())).pk for _ in range(3)]
    failed = payment_of(pay_owed(api, reference("refused")))

    page = api.get("/bills/payments?limit=2")
    assert [row["id"] for row in page.body["data"]] == [failed.pk, ids[2]]
    assert page.headers["X-Total-Count"] == "4"
    rest = api.get("/bills/payments?limit=2&offset=2").body["data"]
    assert [row["id"] for row in rest] == [ids[1], ids[0]]
    found = api.get("/bills/payments?status=failed").body["data"]
    assert [row["id"] for row in found] == [failed.pk]
    assert len(api.get("/bills/payments?status=completed").body["data"]) == 3
    assert api.get("/bills/payments?createdFrom=2999-01-01T00:00:00Z").body["data"] == []
    assert len(api.get("/bills/payments?createdTo=2999-01-01T00:00:00Z").body["data"]) == 4


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("status=COMPLETED", "status"),
        ("status=pending", "status"),
        ("status=", "status"),
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("offset=-1", "offset"),
        ("createdFrom=yesterday", "createdFrom"),
        ("createdTo=2026-01-01", "createdTo"),
        ("limit=1&limit=2", "limit"),
    ],
)
def test_malformed_query_of_the_list_is_400(api: ApiClient, query: str, field: str) -> None:
    assert_refused(api.get(f"/bills/payments?{query}"), 400, "VALIDATION_ERROR", field)
