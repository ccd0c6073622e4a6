"""What the API returns fits its OpenAPI document, and the document refuses what differs."""

import json
from decimal import Decimal

import pytest
from jsonschema import ValidationError

from merchants.models import Merchant
from payments.collect.models import Order
from tests.contract.openapi_document import (
    Document,
    operations,
    request_schema,
    schema_of,
    validate,
)
from tests.settlement.test_taxes import vat
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient
from tests.support.settlement_days import MONDAY, Till, at


def test_created_order_fits_the_document(api: ApiClient, document: Document) -> None:
    schema = schema_of(document, "post", "/collect", "201")
    for changes in ({}, {"currency": "BTC", "amount": 1000}):
        validate(json.loads(api.post("/collect", order_body(**changes)).content), schema)

    answer = json.loads(api.post("/collect", order_body()).content)
    for broken in ({"amount": "50025"}, {"status": "pending"}, {"createdAt": "yesterday"}):
        with pytest.raises(ValidationError):
            validate({**answer, "data": {**answer["data"], **broken}}, schema)
    del answer["data"]["collectUrl"]
    with pytest.raises(ValidationError):
        validate(answer, schema)


def test_of_get_and_list(api: ApiClient, merchant: Merchant, document: Document) -> None:
    for changes in ({}, {"callbackUrl": "https://tienda.example/"}, {"metadata": {"a": [1]}}):
        order_id = api.post("/collect", order_body(**changes)).body["data"]["id"]
        answer = json.loads(api.get(f"/collect/{order_id}").content)
        validate(answer, schema_of(document, "get", "/collect/{id}", "200"))
    api.post(f"/sandbox/collect/{order_id}", {"status": "COMPLETED"})
    Order.objects.exclude(pk=order_id).update(base_amount=None, fee_amount=None)

    answer = json.loads(api.get("/collect").content)
    assert len(answer["data"]) == 3
    validate(answer, schema_of(document, "get", "/collect", "200"))


def test_statistics_fit_the_document(api: ApiClient, document: Document) -> None:
    schema = schema_of(document, "get", "/collect/stats", "200")
    validate(json.loads(api.get("/collect/stats").content), schema)
    order_id = api.post("/collect", order_body()).body["data"]["id"]
    api.post(f"/sandbox/collect/{order_id}", {"status": "COMPLETED"})
    answer = json.loads(api.get("/collect/stats").content)
    validate(answer, schema)
    with pytest.raises(ValidationError):
        validate({**answer, "data": {**answer["data"], "totalCollected": 50025}}, schema)


def test_balance_and_movements_fit_the_document(api: ApiClient, document: Document) -> None:
    for currency, amount in (("COPM", 50000), ("USDT", Decimal("0.5"))):
        api.post("/sandbox/balance", {"currency": currency, "amount": amount})
    for path in ("/balance", "/balance/movements"):
        answer = json.loads(api.get(path).content)
        assert len(answer["data"]) == 2
        schema = schema_of(document, "get", path, "200")
        validate(answer, schema)
        with pytest.raises(ValidationError):
            validate({"success": True, "data": [{**answer["data"][0], "currency": "X"}]}, schema)


def test_settlements_fit_the_document(api: ApiClient, document: Document) -> None:
    till = Till(api.merchant)
    vat()
    till.collect(at(MONDAY), fee="119")
    settlement = till.close(MONDAY)
    for path in ("/settlements", "/settlements/{id}"):
        answer = json.loads(api.get(path.format(id=settlement.pk)).content)
        schema = schema_of(document, "get", path, "200")
        validate(answer, schema)
        row = answer["data"][0] if isinstance(answer["data"], list) else answer["data"]
        row["taxLines"][0]["kind"] = "x"
        with pytest.raises(ValidationError):
            validate(answer, schema)
    file = "/settlements/{id}/statement.csv"
    content = operations(document)[("get", file)]["responses"]["200"]["content"]
    assert content == {"text/csv": {"schema": {"type": "string"}}}


def test_answers_of_the_sandbox_fit_the_document(api: ApiClient, document: Document) -> None:
    answer = api.post("/sandbox/balance", {"currency": "COPM", "amount": 1})
    schema = schema_of(document, "post", "/sandbox/balance", "200")
    validate(json.loads(answer.content), schema)
    order_id = api.post("/collect", order_body()).body["data"]["id"]
    answer = api.post(f"/sandbox/collect/{order_id}", {"status": "FAILED"})
    schema = schema_of(document, "post", "/sandbox/collect/{id}", "200")
    validate(json.loads(answer.content), schema)


def test_errors_fit_the_document(api: ApiClient, anonymous: ApiClient, document: Document) -> None:
    schema = schema_of(document, "post", "/collect", "400")
    answers = [
        api.post("/collect", {}),
        api.post("/collect", "no json"),
        api.post("/collect", b" " * 70_000),
        api.post("/collect", {}, headers={"Content-Type": "text/plain"}),
        anonymous.get("/collect"),
        api.get("/collect/nothing"),
        api.call("PUT", "/collect", {}),
    ]
    assert [answer.status_code for answer in answers] == [400, 400, 413, 415, 401, 404, 405]
    for answer in answers:
        validate(json.loads(answer.content), schema)
    with pytest.raises(ValidationError):
        validate(json.loads(api.get("/collect").content), schema)


def test_what_the_schema_takes_the_api_takes(api: ApiClient, document: Document) -> None:
    schema = request_schema(document, "/collect")
    edges = [
        {"amount": 1000},
        {"amount": 999999999999.99},
        {"reference": "x" * 100},
        {"description": ""},
        {"expirationMinutes": 5},
        {"expirationMinutes": 10080},
        {"allowedMethods": ["PSE"]},
        {"allowedMethods": None},
        {"callbackUrl": None},
    ]
    for edge in edges:
        body = {**order_body(), **edge}
        validate(body, schema)
        assert api.post("/collect", json.dumps(body)).status_code == 201, edge


def test_what_the_schema_refuses_the_api_refuses(api: ApiClient, document: Document) -> None:
    schema = request_schema(document, "/collect")
    beyond = [
        {"amount": 999.99},
        {"amount": "1000"},
        {"amount": 1000000000000},
        {"reference": "x" * 101},
        {"reference": ""},
        {"description": "x" * 501},
        {"expirationMinutes": 4},
        {"expirationMinutes": 10081},
        {"allowedMethods": []},
        {"allowedMethods": ["CASH"]},
        {"callbackUrl": "http://tienda.example/"},
        {"metadata": []},
        {"customerDocType": "TI"},
    ]
    for each in beyond:
        body = {**order_body(), **each}
        with pytest.raises(ValidationError):
            validate(body, schema)
        assert api.post("/collect", json.dumps(body)).status_code == 400, each
