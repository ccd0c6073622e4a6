"""The OpenAPI document is valid, complete and readable: /api/v1/openapi.json."""

import json
import re
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver
from openapi_spec_validator import OpenAPIV31SpecValidator

from tests.contract.openapi_document import Document, operations
from tests.support.fixtures import ApiClient

ERRORS = {
    ("get", "/collect"): {"400", "401", "429", "500", "503"},
    ("post", "/collect"): {"400", "401", "408", "413", "415", "429", "500", "503"},
    ("get", "/collect/stats"): {"400", "401", "429", "500", "503"},
    ("get", "/collect/{id}"): {"400", "401", "404", "429", "500", "503"},
    ("get", "/collect/{id}/methods"): {"400", "401", "404", "429", "500", "503"},
    ("post", "/collect/{id}/pay"): {"400", "401", "404", "408", "413", "415", "429", "500", "503"},
    ("get", "/payout/methods"): {"400", "401", "403", "429", "500", "503"},
    ("get", "/payout"): {"400", "401", "403", "429", "500", "503"},
    ("post", "/payout"): {"400", "401", "403", "408", "413", "415", "429", "500", "503"},
    ("get", "/payout/{id}"): {"400", "401", "403", "404", "429", "500", "503"},
    ("post", "/sandbox/payout/{id}"): {
        "400",
        "401",
        "404",
        "408",
        "413",
        "415",
        "429",
        "500",
        "503",
    },
    ("get", "/topup/operators"): {"400", "401", "429", "500", "503"},
    ("get", "/topup"): {"400", "401", "429", "500", "503"},
    ("post", "/topup"): {"400", "401", "408", "413", "415", "429", "500", "503"},
    ("get", "/topup/{id}"): {"400", "401", "404", "429", "500", "503"},
    ("get", "/events"): {"400", "401", "429", "500", "503"},
    ("get", "/balance"): {"400", "401", "429", "500", "503"},
    ("get", "/balance/movements"): {"400", "401", "429", "500", "503"},
    ("get", "/settlements"): {"400", "401", "429", "500", "503"},
    ("get", "/settlements/statement.csv"): {"400", "401", "429", "500", "503"},
    ("get", "/settlements/{id}"): {"400", "401", "404", "429", "500", "503"},
    ("get", "/settlements/{id}/statement.csv"): {"400", "401", "404", "429", "500", "503"},
    ("post", "/sandbox/balance"): {"400", "401", "408", "413", "415", "429", "500", "503"},
    ("post", "/sandbox/collect/{id}"): {
        "400",
        "401",
        "404",
        "408",
        "413",
        "415",
        "429",
        "500",
        "503",
    },
}


def test_document_is_valid_openapi_31(document: Document) -> None:
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
            assert reference == "#/components/schemas/ErrorResponse"
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


def test_document_is_english_in_every_language(anonymous: ApiClient) -> None:
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
        "reference",
        "amount",
        "customerName",
        "customerEmail",
    }
    assert {"customerDocType", "customerDocNumber"} < fields.keys()  # an account may leave them out
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
    assert schemas["PaymentMethod"]["enum"] == ["PSE", "BANK_TRANSFER", "CRYPTO"]
    assert schemas["OrderStatus"]["enum"] == [
        "PENDING",
        "PROCESSING",
        "WAITING_TRANSFER",
        "COMPLETED",
        "FAILED",
        "EXPIRED",
    ]
    parameters = operations(document)[("get", "/collect")]["parameters"]
    limit = next(each["schema"] for each in parameters if each["name"] == "limit")
    assert (limit["minimum"], limit["maximum"], limit["default"]) == (1, 100, 20)
    offset = next(each["schema"] for each in parameters if each["name"] == "offset")
    assert (offset["minimum"], offset["maximum"], offset["default"]) == (0, 2**63 - 1, 0)
    create = operations(document)[("post", "/collect")]["parameters"]
    assert [(each["name"], each["in"]) for each in create] == [("Idempotency-Key", "header")]
