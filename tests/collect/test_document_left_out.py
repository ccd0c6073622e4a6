"""Orders whose merchant leaves the customer's document to the payment page (docs/gaps.md)."""

from typing import Any

import pytest

from merchants.models import Merchant
from payments.collect.models import Order
from payments.console import roles
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient
from tests.support.merchant_staff import browser_of, person_of

pytestmark = pytest.mark.django_db
TYPE, NUMBER = "customerDocType", "customerDocNumber"
REQUIRED = "This field is required."
EMPTY = {"documentType": None, "documentNumber": None}


@pytest.fixture
def allowed(merchant: Merchant) -> None:
    Merchant.objects.filter(pk=merchant.pk).update(document_by_payer=True)


def body(*left_out: str, **changes: Any) -> dict[str, Any]:
    given = {**order_body(reference="P-1"), **changes}
    return {name: value for name, value in given.items() if name not in left_out}


def fields_of(refused: Any) -> dict[str, str]:
    assert refused.status_code == 400, refused.content
    assert refused.body["error"]["code"] == "VALIDATION_ERROR"
    fields: dict[str, str] = refused.body["error"]["details"]["fields"]
    assert refused.body["error"]["details"]["field"] == next(iter(fields))
    return fields


def document_of(api: ApiClient, order_id: str) -> dict[str, str | None]:
    customer = api.get(f"/collect/{order_id}").body["data"]["customer"]
    listed = api.get("/collect").body["data"][0]["customer"]
    assert listed == customer
    return {name: customer[name] for name in EMPTY}


def test_account_without_the_switch_needs_both_fields_as_before(api: ApiClient) -> None:
    both = fields_of(api.post("/collect", body(TYPE, NUMBER, amount=1, expirationMinutes=1)))
    assert list(both) == ["amount", TYPE, NUMBER, "expirationMinutes"]
    assert both[TYPE] == both[NUMBER] == REQUIRED
    assert fields_of(api.post("/collect", body(TYPE))) == {TYPE: REQUIRED}
    assert fields_of(api.post("/collect", body(NUMBER))) == {NUMBER: REQUIRED}


@pytest.mark.usefixtures("allowed")
def test_order_without_a_document_has_null_until_a_payer_gives_it(api: ApiClient) -> None:
    created = api.post("/collect", body(TYPE, NUMBER))
    assert created.status_code == 201
    assert document_of(api, created.body["data"]["id"]) == EMPTY


@pytest.mark.usefixtures("allowed")
def test_one_of_the_two_fields_alone_is_refused_beside_other_errors(api: ApiClient) -> None:
    assert fields_of(api.post("/collect", body(TYPE))) == {
        TYPE: f"This field is required with {NUMBER}."
    }
    assert fields_of(api.post("/collect", body(NUMBER, amount=1))) == {
        "amount": "Must be at least 1,000 COP.",
        NUMBER: f"This field is required with {TYPE}.",
    }
    assert not Order.objects.exists()


@pytest.mark.usefixtures("allowed")
@pytest.mark.parametrize("nothing", [None, "", " "])
def test_an_empty_value_is_not_a_field_that_is_left_out(api: ApiClient, nothing: Any) -> None:
    assert NUMBER in fields_of(api.post("/collect", body(**{NUMBER: nothing})))
    assert TYPE in fields_of(api.post("/collect", body(**{TYPE: nothing})))


@pytest.mark.usefixtures("allowed")
def test_key_is_replayed_for_the_same_request_without_a_document_only(api: ApiClient) -> None:
    key = {"Idempotency-Key": "order-1"}
    first = api.post("/collect", body(TYPE, NUMBER), headers=key)
    again = api.post("/collect", body(TYPE, NUMBER), headers=key)
    assert again.body == first.body
    assert again.headers["Idempotent-Replayed"] == "true"
    other = api.post("/collect", body(), headers=key)
    assert (other.status_code, other.body["error"]["code"]) == (400, "IDEMPOTENCY_KEY_REUSED")


@pytest.mark.usefixtures("allowed")
def test_order_with_a_document_is_the_same_with_and_without_the_switch(
    api: ApiClient, merchant: Merchant
) -> None:
    key = {"Idempotency-Key": "order-1"}
    first = api.post("/collect", body(), headers=key)
    Merchant.objects.filter(pk=merchant.pk).update(document_by_payer=False)
    again = api.post("/collect", body(), headers=key)
    assert again.body == first.body
    assert document_of(api, first.body["data"]["id"]) == {
        "documentType": order_body()[TYPE],
        "documentNumber": order_body()[NUMBER],
    }


def test_administrator_of_the_merchant_switches_it_in_the_console(merchant: Merchant) -> None:
    boss = browser_of(person_of(merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR))
    done = boss.submit("merchants_merchant_set_document", merchant.pk, document_by_payer="on")
    assert done.status_code == 302
    merchant.refresh_from_db()
    assert merchant.document_by_payer is True
    staff = browser_of(person_of(merchant, "lucia"))
    assert staff.page("merchants_merchant_set_document", merchant.pk).status_code == 403
