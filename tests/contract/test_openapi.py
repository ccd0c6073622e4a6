"""The API describes itself: /api/v1/openapi.json and the page /docs/try."""

import json
import re
from decimal import Decimal
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from jsonschema import Draft202012Validator, FormatChecker, ValidationError
from openapi_spec_validator import OpenAPIV31SpecValidator

from merchants.models import Merchant
from payments.collect.models import Order
from tests.factories import order_body
from tests.fixtures import ApiClient
from tests.settlement.ledger_days import MONDAY, Till, at
from tests.settlement.test_taxes import vat

Document = dict[str, Any]
ERRORS = {
    ("get", "/collect"): {"400", "401", "429", "500", "503"},
    ("post", "/collect"): {"400", "401", "408", "413", "415", "429", "500", "503"},
    ("get", "/collect/stats"): {"401", "429", "500", "503"},
    ("get", "/collect/{id}"): {"401", "404", "429", "500", "503"},
    ("get", "/collect/{id}/methods"): {"401", "404", "429", "500", "503"},
    ("post", "/collect/{id}/pay"): {
        *("400", "401", "404", "408", "413", "415", "429", "500", "503")
    },
    ("get", "/payout/methods"): {"401", "403", "429", "500", "503"},
    ("get", "/payout"): {"400", "401", "403", "429", "500", "503"},
    ("post", "/payout"): {"400", "401", "403", "408", "413", "415", "429", "500", "503"},
    ("get", "/payout/{id}"): {"401", "403", "404", "429", "500", "503"},
    ("post", "/sandbox/payout/{id}"): {
        *("400", "401", "404", "408", "413", "415", "429", "500", "503")
    },
    ("get", "/topup/operators"): {"401", "429", "500", "503"},
    ("get", "/topup"): {"400", "401", "429", "500", "503"},
    ("post", "/topup"): {"400", "401", "408", "413", "415", "429", "500", "503"},
    ("get", "/topup/{id}"): {"401", "404", "429", "500", "503"},
    ("get", "/events"): {"400", "401", "429", "500", "503"},
    ("get", "/balance"): {"401", "429", "500", "503"},
    ("get", "/balance/movements"): {"400", "401", "429", "500", "503"},
    ("get", "/settlements"): {"400", "401", "429", "500", "503"},
    ("get", "/settlements/statement.csv"): {"400", "401", "429", "500", "503"},
    ("get", "/settlements/{id}"): {"401", "404", "429", "500", "503"},
    ("get", "/settlements/{id}/statement.csv"): {"401", "404", "429", "500", "503"},
    ("post", "/sandbox/balance"): {"400", "401", "408", "413", "415", "429", "500", "503"},
    ("post", "/sandbox/collect/{id}"): {
        *("400", "401", "404", "408", "413", "415", "429", "500", "503")
    },
}


@pytest.fixture
def document(anonymous: ApiClient) -> Document:
    response = anonymous.get("/openapi.json")
    assert (response.status_code, response.headers["Content-Type"]) == (200, "application/json")
    return json.loads(response.content)


def operations(document: Document) -> dict[tuple[str, str], Document]:
    return {
        (method, path): operation
        for path, item in document["paths"].items()
        for method, operation in item.items()
    }


def schema_of(document: Document, method: str, path: str, status: str) -> Document:
    """What the document promises of an answer, with the components it refers to."""
    response = operations(document)[(method, path)]["responses"][status]
    schema = response["content"]["application/json"]["schema"]
    return {**schema, "components": document["components"]}


def request_schema(document: Document, path: str) -> Document:
    body = operations(document)[("post", path)]["requestBody"]
    schema = body["content"]["application/json"]["schema"]
    return {**schema, "components": document["components"]}


def validate(instance: Any, schema: Document) -> None:
    Draft202012Validator(schema, format_checker=FormatChecker()).validate(instance)


def test_it_is_valid_openapi_31(document: Document) -> None:
    OpenAPIV31SpecValidator(document).validate()
    assert document["openapi"].startswith("3.1")
    assert document["info"]["version"] == "1.0.0"
    assert document["servers"] == [{"url": "http://testserver/api/v1"}]


def test_every_route_of_the_url_map_is_in_it(document: Document) -> None:
    (api,) = [
        entry
        for entry in get_resolver().url_patterns
        if isinstance(entry, URLResolver) and str(entry.pattern) == "api/v1/"
    ]
    expected = set()

    def walk(resolver: URLResolver, prefix: str) -> None:
        for entry in resolver.url_patterns:
            path = prefix + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(entry.pattern))
            if isinstance(entry, URLPattern):
                actions = getattr(entry.callback, "actions", {})
                # The contract writes `{id}`, our routes whose id it is.
                path = re.sub(r"{\w+_id}", "{id}", path, count=1)
                expected.update((method, f"/{path}") for method in actions if method != "head")
            else:
                walk(entry, path)

    walk(api, "")
    assert set(operations(document)) == expected
    assert set(ERRORS) <= expected


def test_every_operation_needs_both_credential_headers(document: Document) -> None:
    schemes = document["components"]["securitySchemes"]
    headers = {(scheme["type"], scheme["in"], scheme["name"]) for scheme in schemes.values()}
    assert headers == {("apiKey", "header", "X-Api-Key"), ("apiKey", "header", "X-Api-Secret")}
    for name, operation in operations(document).items():
        # One requirement with two names: both, not one or the other.
        assert [set(needed) for needed in operation["security"]] == [set(schemes)], name


@pytest.mark.parametrize(("method", "path"), ERRORS, ids=lambda value: value)
def test_an_operation_lists_its_errors(document: Document, method: str, path: str) -> None:
    responses = operations(document)[(method, path)]["responses"]
    assert {status for status in responses if status >= "400"} == ERRORS[(method, path)]
    for status, response in responses.items():
        assert response["description"]
        assert "X-Request-Id" in response["headers"]
        if status >= "400":
            reference = response["content"]["application/json"]["schema"]["$ref"]
            assert reference == "#/components/schemas/Failure"
    assert {"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After"} <= (
        responses["429"]["headers"].keys()
    )
    assert "Retry-After" in responses["503"]["headers"]


def test_operations_and_lists_have_readable_names(document: Document) -> None:
    names = [operation["operationId"] for operation in operations(document).values()]
    assert len(names) == len(set(names))
    for operation in operations(document).values():
        assert re.fullmatch(r"[a-z]+([A-Z][a-z]+)+", operation["operationId"])
        assert operation["summary"]
        assert operation["tags"]
    for name in document["components"]["schemas"]:
        assert re.fullmatch(r"([A-Z][a-z]+)+", name), name
        assert "Enum" not in name


def without_example(value: dict[str, Any]) -> dict[str, Any]:
    """Examples are what merchants of Colombia send."""
    return {name: item for name, item in value.items() if name != "example"}


def test_it_is_in_english_for_everyone(anonymous: ApiClient) -> None:
    first, *others = (
        anonymous.get("/openapi.json", headers={"Accept-Language": language}).content
        for language in ("en", "es", "")
    )
    assert others == [first, first]
    described = json.loads(first, object_hook=without_example)
    text = json.dumps(described, ensure_ascii=False).replace("Bogotá", "")
    assert not re.search("[ñáéíóú]", text)


def test_the_limits_of_an_order_are_in_the_document(document: Document) -> None:
    schemas = document["components"]["schemas"]
    fields = schemas["OrderCreateRequest"]["properties"]
    assert set(schemas["OrderCreateRequest"]["required"]) == {
        *("reference", "amount", "customerName", "customerEmail"),
        *("customerDocType", "customerDocNumber"),
    }
    assert fields["reference"]["maxLength"] == 100
    assert fields["description"]["maxLength"] == 500
    assert fields["customerName"]["maxLength"] == 200
    assert fields["amount"]["minimum"] == 1000
    assert fields["amount"]["maximum"] == 999999999999.99
    minutes = fields["expirationMinutes"]
    assert (minutes["minimum"], minutes["maximum"], minutes["default"]) == (5, 10080, 60)
    assert fields["currency"]["default"] == "COP"
    assert fields["customerEmail"]["format"] == "email"
    assert fields["callbackUrl"]["format"] == "uri"
    assert schemas["DocumentType"]["enum"] == ["CC", "CE", "NIT", "PP"]
    assert schemas["OrderCurrency"]["enum"] == ["COP", "USDT", "USDC", "BTC", "ETH"]
    assert schemas["Method"]["enum"] == ["PSE", "BANK_TRANSFER", "CRYPTO"]
    assert schemas["OrderStatus"]["enum"] == [
        *("PENDING", "PROCESSING", "WAITING_TRANSFER", "COMPLETED", "FAILED", "EXPIRED")
    ]
    parameters = operations(document)[("get", "/collect")]["parameters"]
    limit = next(each["schema"] for each in parameters if each["name"] == "limit")
    assert (limit["minimum"], limit["maximum"], limit["default"]) == (1, 100, 20)
    offset = next(each["schema"] for each in parameters if each["name"] == "offset")
    assert (offset["minimum"], offset["maximum"], offset["default"]) == (0, 2**63 - 1, 0)
    create = operations(document)[("post", "/collect")]["parameters"]
    assert [(each["name"], each["in"]) for each in create] == [("Idempotency-Key", "header")]


class TestRealAnswers:
    """What is answered is what is promised; and the promise is not empty."""

    def test_of_create(self, api: ApiClient, document: Document) -> None:
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

    def test_of_get_and_list(self, api: ApiClient, merchant: Merchant, document: Document) -> None:
        for changes in ({}, {"callbackUrl": "https://tienda.example/"}, {"metadata": {"a": [1]}}):
            order_id = api.post("/collect", order_body(**changes)).body["data"]["id"]
            answer = json.loads(api.get(f"/collect/{order_id}").content)
            validate(answer, schema_of(document, "get", "/collect/{id}", "200"))
        api.post(f"/sandbox/collect/{order_id}", {"status": "COMPLETED"})
        Order.objects.exclude(pk=order_id).update(base_amount=None, fee_amount=None)

        answer = json.loads(api.get("/collect").content)
        assert len(answer["data"]) == 3
        validate(answer, schema_of(document, "get", "/collect", "200"))

    def test_of_statistics(self, api: ApiClient, document: Document) -> None:
        schema = schema_of(document, "get", "/collect/stats", "200")
        validate(json.loads(api.get("/collect/stats").content), schema)
        order_id = api.post("/collect", order_body()).body["data"]["id"]
        api.post(f"/sandbox/collect/{order_id}", {"status": "COMPLETED"})
        answer = json.loads(api.get("/collect/stats").content)
        validate(answer, schema)
        with pytest.raises(ValidationError):
            validate({**answer, "data": {**answer["data"], "totalCollected": 50025}}, schema)

    def test_of_the_balance(self, api: ApiClient, document: Document) -> None:
        for currency, amount in (("COPM", 50000), ("USDT", Decimal("0.5"))):
            api.post("/sandbox/balance", {"currency": currency, "amount": amount})
        for path in ("/balance", "/balance/movements"):
            answer = json.loads(api.get(path).content)
            assert len(answer["data"]) == 2
            schema = schema_of(document, "get", path, "200")
            validate(answer, schema)
            with pytest.raises(ValidationError):
                validate(
                    {"success": True, "data": [{**answer["data"][0], "currency": "X"}]}, schema
                )

    def test_of_settlements(self, api: ApiClient, document: Document) -> None:
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

    def test_of_the_sandbox(self, api: ApiClient, document: Document) -> None:
        answer = api.post("/sandbox/balance", {"currency": "COPM", "amount": 1})
        schema = schema_of(document, "post", "/sandbox/balance", "200")
        validate(json.loads(answer.content), schema)
        order_id = api.post("/collect", order_body()).body["data"]["id"]
        answer = api.post(f"/sandbox/collect/{order_id}", {"status": "FAILED"})
        schema = schema_of(document, "post", "/sandbox/collect/{id}", "200")
        validate(json.loads(answer.content), schema)

    def test_of_errors(self, api: ApiClient, anonymous: ApiClient, document: Document) -> None:
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

    def test_what_the_schema_takes_the_api_takes(self, api: ApiClient, document: Document) -> None:
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

    def test_what_the_schema_refuses_the_api_refuses(
        self, api: ApiClient, document: Document
    ) -> None:
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


class _Sources(HTMLParser):
    """Collects what a page loads or leads to, and what runs in it."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.inline: list[str] = []
        self._tag = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._tag = tag
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "action")]
        self.inline += [name for name, _ in attrs if name.startswith("on") or name == "style"]

    def handle_data(self, data: str) -> None:
        if self._tag in ("script", "style") and data.strip():
            self.inline.append(data)


class TestTryPage:
    def test_it_loads_nothing_from_elsewhere(self, client: Client, db: None) -> None:
        page = client.get("/docs/try")
        assert page.status_code == 200
        sources = _Sources()
        sources.feed(page.content.decode())

        assert any(link.endswith("swagger-ui-bundle.js") for link in sources.links)
        assert all(re.match(r"/(?!/)|data:", link) for link in sources.links), sources.links
        assert sources.inline == []

    def test_everything_it_loads_is_there(self, client: Client, db: None) -> None:
        sources = _Sources()
        sources.feed(client.get("/docs/try").content.decode())
        for link in sources.links:
            assert client.get(link).status_code == 200, link

    def test_its_policy_lets_nothing_else_in(self, client: Client, db: None) -> None:
        policy = client.get("/docs/try").headers["Content-Security-Policy"]
        rules = dict(rule.strip().partition(" ")[::2] for rule in policy.split(";"))
        assert rules["default-src"] == "'none'"
        assert rules["connect-src"] == "'self'"
        assert rules["frame-ancestors"] == "'none'"
        assert "unsafe" not in rules["script-src"]
        for rule, sources in rules.items():
            assert not re.search(r"https?:|\*|//", sources), rule

    def test_its_script_asks_for_our_document(self, client: Client, db: None) -> None:
        script = client.get("/docs/try?script=")
        assert script.headers["Content-Type"].startswith("application/javascript")
        assert b"/api/v1/openapi.json" in script.content
        assert not re.search(rb"https?://(?!testserver)", script.content)
