"""What the API says of bills is what it does (openapi.json)."""

import json
from typing import Any

import pytest
from jsonschema import ValidationError as DoesNotFit

from merchants.models import Merchant
from tests.contract.openapi_document import (
    Document,
    operations,
    request_schema,
    schema_of,
    validate,
)
from tests.support import bills
from tests.support.fixtures import ApiClient
from tests.support.funds import fund


@pytest.fixture(autouse=True)
def _funds(merchant: Merchant) -> None:
    fund(merchant, bills.FUNDS)


def test_what_a_payment_needs(document: Document) -> None:
    schema = document["components"]["schemas"]["BillPaymentCreateRequest"]
    assert set(schema["required"]) == {"agreementId", "reference", "amountCop"}
    assert set(schema["properties"]) == {*schema["required"], "codeRecord", "idempotencyKey"}
    assert schema["properties"]["amountCop"]["type"] == "integer"
    assert schema["properties"]["agreementId"]["type"] == "integer"
    statuses = document["components"]["schemas"]["BillPaymentStatus"]["enum"]
    assert statuses == ["processing", "completed", "failed", "refunded"]
    parameters = operations(document)[("post", "/bills/pay")]["parameters"]
    assert [(each["name"], each["in"]) for each in parameters] == [("Idempotency-Key", "header")]
    query = operations(document)[("get", "/bills/agreements")]["parameters"]
    assert {each["name"] for each in query} == {"q", "page"}


def test_what_is_sent_fits(document: Document) -> None:
    schema = request_schema(document, "/bills/pay")
    body = bills.body_of("1", 50_000)
    validate(body, schema)
    validate({**body, "codeRecord": None, "idempotencyKey": "k"}, schema)
    for broken in ({"amountCop": 0}, {"amountCop": "1"}, {"reference": ""}, {"agreementId": 0}):
        with pytest.raises(DoesNotFit):
            validate({**body, **broken}, schema)


@pytest.mark.parametrize("magic", ["ordinary", "several-bills", "amount-range", "nothing-owed"])
def test_answer_of_a_bill_check_fits_the_document(
    api: ApiClient,
    document: Document,
    magic: str,
) -> None:
    answer = json.loads(bills.ask(api, bills.reference(magic)).content)
    schema = schema_of(document, "post", "/bills/check", "200")
    validate(answer, schema)
    broken: dict[str, Any]
    for broken in ({"agreementId": "1001"}, {"products": [{}]}, {"supplierMessage": 5}):
        with pytest.raises(DoesNotFit):
            validate({**answer, "data": {**answer["data"], **broken}}, schema)


@pytest.mark.parametrize("magic", ["ordinary", "refused", "pending"])
def test_answers_of_bill_payments_fit_the_document(
    api: ApiClient,
    document: Document,
    magic: str,
) -> None:
    with bills.impatient():
        created = json.loads(bills.pay_owed(api, bills.reference(magic)).content)
    schema = schema_of(document, "post", "/bills/pay", "201")
    validate(created, schema)
    path = "/bills/payments"
    one = json.loads(api.get(f"{path}/{created['data']['id']}").content)
    validate(one, schema_of(document, "get", f"{path}/{{id}}", "200"))
    validate(json.loads(api.get(path).content), schema_of(document, "get", path, "200"))
    broken: dict[str, Any]
    for broken in ({"amountCop": "20000"}, {"status": "COMPLETED"}, {"ticket": "none"}):
        with pytest.raises(DoesNotFit):
            validate({**created, "data": {**created["data"], **broken}}, schema)


def test_answer_of_the_agreements_fits_the_document(api: ApiClient, document: Document) -> None:
    answer = json.loads(api.get("/bills/agreements?q=agua").content)
    schema = schema_of(document, "get", "/bills/agreements", "200")
    validate(answer, schema)
    assert answer["data"]["items"]
    with pytest.raises(DoesNotFit):
        validate({**answer, "data": {"items": [{"agreementId": "1"}], "total": 1}}, schema)
