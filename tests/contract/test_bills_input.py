"""What no client library would send to /bills: the envelope, and nothing happens."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.http import HttpResponse

from merchants.models import Merchant
from payments.bills.models import BillPayment
from payments.ledger.models import Entry
from tests.contract.answers import assert_refused, check_each
from tests.support import bills
from tests.support.fixtures import ApiClient
from tests.support.funds import balance, fund

GOOD = '"agreementId":1001,"reference":"12345","amountCop":50000'
ROUTES = ("/bills/check", "/bills/pay")
WRONG_INTEGERS = {
    "text": '"1001"',
    "text with an underscore": '"1_000"',
    "true": "true",
    "false": "false",
    "null": "null",
    "a list": "[1001]",
    "an object": "{}",
    "zero": "0",
    "minus zero": "-0",
    "negative": "-1001",
    "a whole decimal": "50000.0",
    "cents": "50000.50",
    "a tail": "50000." + "0" * 40 + "1",
    "an exponent": "5e4",
    "1e400": "1e400",
    "1e-400": "1e-400",
    "1e999999999": "1e999999999",
    "2^63": str(2**63),
    "2^64 + 1001": str(2**64 + 1001),
    "4,000 digits": "9" * 4000,
}
UNREADABLE = {
    "NaN": "NaN",
    "Infinity": "Infinity",
    "full-width digits": "１０００",
    "a leading zero": "01001",
    "hexadecimal": "0x1000",
    "5,000 digits": "9" * 5000,
}
WRONG_TEXTS = {
    "a number": "12345",
    "true": "true",
    "a list": '["12345"]',
    "an object": "{}",
    "empty": '""',
    "spaces": '"   "',
    "NUL": '"12\\u0000345"',
    "a line break": '"123\\n45"',
    "a lone surrogate": '"\\ud800"',
}


@pytest.fixture(autouse=True)
def _no_side_effect(merchant: Merchant) -> Iterator[None]:
    fund(merchant, bills.FUNDS)
    yield
    assert not BillPayment.objects.exists()
    assert Entry.objects.count() == 1
    assert balance(merchant) == (bills.FUNDS, 0)


def post(api: ApiClient, path: str, body: Any, **headers: str) -> HttpResponse:
    return api.post(path, body, headers={"Idempotency-Key": "k", **headers})


def spelled(**values: str) -> str:
    """A body in which each field is spelled exactly as given."""
    fields = {"agreementId": "1001", "reference": '"12345"', "amountCop": "50000", **values}
    return "{" + ",".join(f'"{name}":{value}' for name, value in fields.items()) + "}"


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/bills/check", "agreementId"),
        ("/bills/pay", "agreementId"),
        ("/bills/pay", "amountCop"),
    ],
)
def test_field_that_is_no_whole_number_is_refused(api: ApiClient, path: str, field: str) -> None:
    def check(name: str, value: str) -> None:
        response = post(api, path, spelled(**{field: value}))
        assert_refused(response, 400, "VALIDATION_ERROR", field)

    check_each(WRONG_INTEGERS.items(), check)


@pytest.mark.parametrize("path", ROUTES)
def test_what_is_no_json_number(api: ApiClient, path: str) -> None:
    def check(name: str, value: str) -> None:
        response = post(api, path, spelled(agreementId=value))
        assert_refused(response, 400, "VALIDATION_ERROR")

    check_each(UNREADABLE.items(), check)


@pytest.mark.parametrize(
    ("path", "field"),
    [("/bills/check", "reference"), ("/bills/pay", "reference"), ("/bills/pay", "codeRecord")],
)
def test_wrong_text_is_refused(api: ApiClient, path: str, field: str) -> None:
    limit = {"reference": 100, "codeRecord": 64}[field]

    def check(name: str, value: str) -> None:
        response = post(api, path, spelled(**{field: value}))
        assert_refused(response, 400, "VALIDATION_ERROR", field)

    check_each({**WRONG_TEXTS, "too long": f'"{"7" * (limit + 1)}"'}.items(), check)


@pytest.mark.parametrize("value", ['"-"', '"¡!"', '"☕"', "null"])
def test_a_reference_without_letters_or_digits(api: ApiClient, value: str) -> None:
    for path in ROUTES:
        response = post(api, path, spelled(reference=value))
        assert_refused(response, 400, "VALIDATION_ERROR", "reference")


@pytest.mark.parametrize("field", ["agreementId", "reference", "amountCop"])
def test_request_with_a_missing_field_is_refused(api: ApiClient, field: str) -> None:
    body = bills.body_of("12345", 50_000, **{field: None})
    assert_refused(post(api, "/bills/pay", body), 400, "VALIDATION_ERROR", field)


def test_all_offending_fields_are_named(api: ApiClient) -> None:
    response = post(api, "/bills/pay", {})
    assert_refused(response, 400, "VALIDATION_ERROR", "agreementId")
    fields = response.body["error"]["details"]["fields"]
    assert fields.keys() == {"agreementId", "reference", "amountCop"}


@pytest.mark.parametrize(
    "text", ["=cmd|' /C calc'!A0", "<script>alert(1)</script>", "%s", "{{7*7}}", "‮12345", "a" * 100]
)
def test_odd_references_are_only_references(api: ApiClient, text: str) -> None:
    response = post(api, "/bills/check", {"agreementId": 1001, "reference": text})
    assert response.status_code == 200
    assert post(api, "/bills/pay", bills.body_of(text, 1)).body["error"]["code"] == "BILL_CHANGED"


@pytest.mark.parametrize("path", ROUTES)
@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        "null",
        '"12345"',
        "{",
        f"{{{GOOD}}}{{}}",
        f"{{{GOOD},}}",
        f'{{{GOOD},"amountCop":50000}}',
        f"\ufeff{{{GOOD}}}",
        "[" * 100_000,
        f'{{{GOOD},"x":NaN}}',
        f"reference=1&{GOOD}",
        "<xml/>",
    ],
    ids=lambda text: text[:20],
)
def test_what_is_no_object(api: ApiClient, path: str, body: str) -> None:
    expected = (413, "PAYLOAD_TOO_LARGE") if len(body) > 65536 else (400, "VALIDATION_ERROR")
    assert_refused(post(api, path, body.encode()), *expected)


@pytest.mark.parametrize("path", ROUTES)
@pytest.mark.parametrize(
    "content_type",
    ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x", ""],
)
def test_body_of_another_media_type_is_refused(
    api: ApiClient, path: str, content_type: str
) -> None:
    response = post(api, path, f"{{{GOOD}}}", **{"Content-Type": content_type})
    assert_refused(response, 415, "UNSUPPORTED_MEDIA_TYPE")


@pytest.mark.parametrize("key", ["", " ", "x" * 256, "emoji-\U0001f4b8", "a\tb", "ñ", "a b"])
def test_wrong_idempotency_key_is_refused(api: ApiClient, key: str) -> None:
    response = post(api, "/bills/pay", f"{{{GOOD}}}", **{"Idempotency-Key": key})
    assert response.status_code == 400
    assert response.body["error"]["code"] in ("IDEMPOTENCY_KEY_REQUIRED", "VALIDATION_ERROR")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/bills/check"),
        ("GET", "/bills/pay"),
        ("POST", "/bills/agreements"),
        ("POST", "/bills/payments"),
        ("PUT", "/bills/pay"),
        ("DELETE", "/bills/payments/bil_00000000000000000000000000"),
        ("PATCH", "/bills/agreements"),
    ],
)
def test_other_method_is_not_allowed(api: ApiClient, method: str, path: str) -> None:
    assert_refused(api.call(method, path), 405, "METHOD_NOT_ALLOWED")


@pytest.mark.parametrize(
    "path", ["/bills", "/bills/", "/bills/pay/", "/bills/agreements/1", "/Bills/pay"]
)
def test_unknown_path_is_not_found(api: ApiClient, path: str) -> None:
    assert_refused(api.get(path), 404, "NOT_FOUND")


def test_the_order_of_checks(api: ApiClient, anonymous: ApiClient) -> None:
    """Credentials, enablement, key, validation (docs/gaps.md)."""
    assert_refused(anonymous.post("/bills/pay", {}), 401, "MISSING_CREDENTIALS")
    assert_refused(api.post("/bills/pay", {}), 400, "IDEMPOTENCY_KEY_REQUIRED")
    Merchant.objects.update(bills_enabled=False)
    assert_refused(api.post("/bills/pay", {}), 503, "BILL_PAYMENT_NOT_ENABLED")
    Merchant.objects.update(is_active=False)
    assert_refused(api.post("/bills/pay", {}), 401, "MERCHANT_NOT_ACTIVE")
