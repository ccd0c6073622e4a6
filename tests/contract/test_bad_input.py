"""Bad input: always the JSON envelope, no side effect, never a 500 (faults.md, Bad input)."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.http import HttpResponse

from payments.collect.models import Charge, Order
from payments.core import jsontext
from payments.ledger.models import Entry
from tests.contract.answers import assert_refused, check_each
from tests.contract.wire import Server, chunked, request
from tests.factories import order_body
from tests.fixtures import ApiClient
from webhooks.models import Event

ABSENT = "/collect/col_00000000000000000000000000"
JSON = "Content-Type: application/json"


@pytest.fixture(autouse=True)
def _no_side_effect(request: pytest.FixtureRequest, db: None) -> Iterator[None]:
    """A refused request leaves nothing behind, and the order of the test as it was."""
    yield
    known = request.node.funcargs.get("order")
    assert list(Order.objects.values_list("pk", "status")) == (
        [(known, "PENDING")] if known else []
    )
    assert not any(model.objects.exists() for model in (Charge, Event, Entry))


@pytest.fixture
def order(api: ApiClient) -> str:
    """An order of the merchant."""
    return str(api.post("/collect", order_body()).body["data"]["id"])


def spelled(**values: str) -> str:
    """A valid body of POST /collect in which each field is spelled exactly as given."""
    body = {name: f"@{name}@" for name in values}
    text = jsontext.dumps({**order_body(), **body})
    for name, value in values.items():
        text = text.replace(f'"@{name}@"', value)
    return text


# --- Money --------------------------------------------------------------------------------------
WRONG_AMOUNTS = {
    "text": '"1000"',
    "text with an underscore": '"1_000"',
    "full-width digits": '"１０００"',
    "true": "true",
    "null": "null",
    "a list": "[]",
    "a list with a number": "[5000]",
    "an object": "{}",
    "below the minimum": "999.99",
    "zero": "0",
    "minus zero": "-0",
    "negative": "-5000",
    "three decimals": "1000.005",
    "a long tail": "1000." + "0" * 40 + "1",
    "a tail that rounds away": "1000." + "9" * 60,
    "beyond the upper bound by a cent": "1000000000000.00",
    "the upper bound with a third decimal": "999999999999.991",
    "1e400": "1e400",
    "1e-400": "1e-400",
    "-1e400": "-1e400",
    "1e999999999": "1e999999999",
    "1e-999999999": "1e-999999999",
    "0e-999999999": "0e-999999999",
    "0e999999999": "0e999999999",
    "4,000 digits": "9" * 4000,
}
UNREADABLE_NUMBERS = {
    "NaN": "NaN",
    "Infinity": "Infinity",
    "-Infinity": "-Infinity",
    "digits with an underscore": "1_000",
    "full-width digits": "１０００",
    "a plus": "+5000",
    "a leading zero": "05000",
    "hexadecimal": "0x1000",
    "no digit after the point": "5000.",
    "5,000 digits": "9" * 5000,
    "an exponent beyond reason": "1e99999999999999999999",
}


class TestAmounts:
    def test_of_an_order(self, api: ApiClient) -> None:
        def check(name: str, amount: str) -> None:
            response = api.post("/collect", spelled(amount=amount))
            assert_refused(response, 400, "VALIDATION_ERROR", "amount")

        check_each(WRONG_AMOUNTS.items(), check)

    def test_of_a_balance(self, api: ApiClient) -> None:
        def check(name: str, amount: str) -> None:
            if name == "below the minimum":
                amount = "0.001"  # there is no minimum here, but pesos have two decimals
            response = api.post("/sandbox/balance", f'{{"currency":"COPM","amount":{amount}}}')
            assert_refused(response, 400, "VALIDATION_ERROR", "amount")

        check_each(WRONG_AMOUNTS.items(), check)

    def test_of_a_deposit(self, api: ApiClient, order: str) -> None:
        def check(name: str, amount: str) -> None:
            if name in ("below the minimum", "null"):
                amount = "0.001"  # null means: what is missing
            body = f'{{"status":"COMPLETED","amount":{amount}}}'
            response = api.post(f"/sandbox/collect/{order}", body)
            assert_refused(response, 400, "VALIDATION_ERROR", "amount")

        check_each(WRONG_AMOUNTS.items(), check)


def test_what_is_no_json_number(api: ApiClient) -> None:
    def check(name: str, amount: str) -> None:
        assert_refused(api.post("/collect", spelled(amount=amount)), 400, "VALIDATION_ERROR")

    check_each(UNREADABLE_NUMBERS.items(), check)


@pytest.mark.parametrize(
    ("currency", "amount"), [("USDT", "1000.0000001"), ("BTC", "1000.000000001"), ("ETH", "999")]
)
def test_each_currency_has_its_decimals(api: ApiClient, currency: str, amount: str) -> None:
    body = spelled(currency=f'"{currency}"', amount=amount)
    assert_refused(api.post("/collect", body), 400, "VALIDATION_ERROR", "amount")


# --- JSON ---------------------------------------------------------------------------------------
WRONG_BODIES = {
    "empty": b"",
    "a list": b"[]",
    "null": b"null",
    "a bare string": b'"reference"',
    "a number": b"5",
    "an empty object": b"{}",
    "trailing garbage": spelled().encode() + b"}",
    "two documents": spelled().encode() * 2,
    "a trailing comma": spelled().encode()[:-1] + b",}",
    "single quotes": b"{'reference':'x'}",
    "a comment": b"{/* x */}",
    "cut off": spelled().encode()[:-1],
    "a BOM": b"\xef\xbb\xbf" + spelled().encode(),
    "UTF-16": spelled().encode("utf-16"),
    "UTF-32": spelled().encode("utf-32"),
    "Latin-1": spelled().encode("latin-1"),
    "an overlong NUL": b'{"reference":"\xc0\x80"}',
    "a surrogate in UTF-8": b'{"reference":"\xed\xa0\x80"}',
    "a raw line break in a string": b'{"reference":"a\nb"}',
    "a raw NUL": b"\x00",
    "duplicate keys": b'{"amount":1000,"amount":2000}',
    "duplicate keys inside": spelled(metadata='{"a":1,"a":2}').encode(),
    "duplicate keys in two spellings": b'{"amount":1000,"\\u0061mount":2000}',
    "60,000 nested lists": b"[" * 60_000,
    "10,000 nested objects": b'{"":' * 10_000 + b"1" + b"}" * 10_000,
    "a form": b"reference=x&amount=5000",
}


@pytest.mark.parametrize("path", ["/collect", "/sandbox/balance"])
def test_what_is_no_json_object(api: ApiClient, path: str) -> None:
    def check(name: str, body: bytes) -> None:
        assert_refused(api.post(path, body), 400, "VALIDATION_ERROR")

    check_each(WRONG_BODIES.items(), check)


@pytest.mark.parametrize(
    "body", [b" " * 70_000, b"[" * 100_000, b"{" + b" " * 3_000_000 + b"}"], ids=len
)
def test_a_body_that_is_too_large(api: ApiClient, anonymous: ApiClient, body: bytes) -> None:
    for client in (api, anonymous):  # size comes before credentials
        response = client.post("/collect", body)
        assert_refused(response, 413, "PAYLOAD_TOO_LARGE")
        assert response.body["error"]["details"] == {"maxBytes": 65536}


def test_the_largest_body_that_is_read(api: ApiClient) -> None:
    full = spelled(amount="1").encode()
    padded = full + b" " * (65536 - len(full))
    assert_refused(api.post("/collect", padded), 400, "VALIDATION_ERROR", "amount")
    assert_refused(api.post("/collect", padded + b" "), 413, "PAYLOAD_TOO_LARGE")


WRONG_MEDIA_TYPES = [
    ("Content-Type", "application/x-www-form-urlencoded"),
    ("Content-Type", "multipart/form-data; boundary=x"),
    ("Content-Type", "text/plain"),
    ("Content-Type", "text/json"),
    ("Content-Type", "application/jsonx"),
    ("Content-Type", "application/xml"),
    ("Content-Type", "application/json; charset=bogus"),
    ("Content-Type", "application/json; charset=utf-16"),
    ("Content-Type", "application/json, text/plain"),
    ("Content-Type", "*/*"),
    ("Content-Type", "nonsense"),
    ("Content-Type", ""),
    ("Content-Encoding", "gzip"),
    ("Content-Encoding", "deflate"),
    ("Content-Encoding", "br"),
]


def test_another_media_type(api: ApiClient) -> None:
    def check(name: str, value: str) -> None:
        response = api.post("/collect", order_body(), headers={name: value})
        assert_refused(response, 415, "UNSUPPORTED_MEDIA_TYPE")

    check_each(WRONG_MEDIA_TYPES, check)


def test_a_length_that_is_no_number(api: ApiClient) -> None:
    for length in ("abc", "-1", "１０", "1e3"):
        response = api.generic("POST", "/api/v1/collect", b"{}", CONTENT_LENGTH=length)
        response.body = response.json()
        assert_refused(response, 400, "VALIDATION_ERROR")


# --- Text ---------------------------------------------------------------------------------------
WRONG_TEXTS = {
    "NUL": r'"a\u0000b"',
    "a lone high surrogate": r'"\ud800"',
    "a lone low surrogate": r'"a\udc00"',
    "surrogates the wrong way round": r'"\udc00\ud800"',
    "CR LF": r'"a\r\nSet-Cookie: b"',
    "a tab": r'"a\tb"',
    "an escape": r'"\u001b[31m"',
    "delete": r'"a\u007f"',
    "a C1 control": r'"a\u0085b"',
    "a line break at the end": r'"a\n"',
    "a number": "5",
    "true": "true",
    "a list": '["a"]',
    "an object": '{"a":1}',
}
REQUIRED_TEXTS = ("reference", "customerName", "customerEmail", "customerDocNumber")
TEXTS = (*REQUIRED_TEXTS, "description")


BLANKS = {"empty": '""', "spaces": '"   "', "wide spaces": r'"\u3000\u00a0"', "null": "null"}


@pytest.mark.parametrize("field", TEXTS)
def test_text_that_is_not_kept(api: ApiClient, field: str) -> None:
    def check(name: str, text: str) -> None:
        response = api.post("/collect", spelled(**{field: text}))
        assert_refused(response, 400, "VALIDATION_ERROR", field)

    check_each(WRONG_TEXTS.items(), check)
    if field in REQUIRED_TEXTS:
        check_each(BLANKS.items(), check)


def test_no_field_breaks_the_answer_with_what_it_holds(api: ApiClient) -> None:
    """What cannot be written as UTF-8 must not come back in a message."""
    choices = ("currency", "customerDocType", "callbackUrl", "allowedMethods", "metadata")

    def check(field: str, value: str) -> None:
        response = api.post("/collect", spelled(**{field: value}))
        assert response.status_code == 400, response.content
        assert response.body["error"]["details"]["field"].split(".")[0] == field

    values = (r'"\ud800"', r'["\ud800"]', r'{"\ud800":1}', '"' + "9" * 5000 + '"')
    check_each([(field, value) for field in (*TEXTS, *choices) for value in values], check)


# --- Fields -------------------------------------------------------------------------------------
WRONG_FIELDS = [
    ("expirationMinutes", "4"),
    ("expirationMinutes", "10081"),
    ("expirationMinutes", "0"),
    ("expirationMinutes", "-60"),
    ("expirationMinutes", "60.9"),
    ("expirationMinutes", "60.0"),
    ("expirationMinutes", "6e1"),
    ("expirationMinutes", "true"),
    ("expirationMinutes", '"60"'),
    ("expirationMinutes", "null"),
    ("expirationMinutes", "[60]"),
    ("expirationMinutes", "9" * 4000),
    ("allowedMethods", "[]"),
    ("allowedMethods", '"PSE"'),
    ("allowedMethods", "5"),
    ("allowedMethods", '{"0":"PSE"}'),
    ("allowedMethods", '["PSE","PSE"]'),
    ("allowedMethods", '["PSE","CRYPTO","BANK_TRANSFER","PSE"]'),
    ("allowedMethods.0", '["pse"]'),
    ("allowedMethods.0", '[" PSE"]'),
    ("allowedMethods.0", "[null]"),
    ("allowedMethods.0", "[[]]"),
    ("allowedMethods.1", '["PSE",true]'),
    ("allowedMethods.2", '["PSE","CRYPTO","CASH"]'),
    ("metadata", "[]"),
    ("metadata", '"{}"'),
    ("metadata", "null"),
    ("metadata", "5"),
    ("metadata", '{"a":"' + "x" * 1017 + '"}'),  # 1,025 bytes
    ("metadata", '{"a":"' + "ñ" * 509 + '"}'),  # 1,026 bytes in 517 characters
    ("metadata", '{"a":' + "9" * 4000 + "}"),
    ("metadata", '{"a":' * 21 + "1" + "}" * 21),
    ("metadata", '{"a":' + "[" * 20 + "]" * 20 + "}"),
    ("metadata", r'{"a\u0000":1}'),
    ("metadata", r'{"a":"\u0000"}'),
    ("metadata", r'{"a":["b",{"c":"\ud800"}]}'),
    ("metadata", r'{"a":{"\udfff":1}}'),
    ("customerDocType", '"cc"'),
    ("customerDocType", '"CC "'),
    ("customerDocType", '"TI"'),
    ("customerDocType", '""'),
    ("customerDocType", "null"),
    ("customerDocType", "5"),
    ("customerDocType", '["CC"]'),
    ("customerDocNumber", '"---"'),
    ("customerDocNumber", '"..."'),
    ("currency", '"cop"'),
    ("currency", '"COPM"'),
    ("currency", '"USD"'),
    ("currency", '""'),
    ("currency", "null"),
    ("currency", "true"),
    ("currency", '["COP"]'),
    ("customerEmail", '"maria"'),
    ("customerEmail", '"maria@"'),
    ("customerEmail", '"@example.com"'),
    ("customerEmail", '"a@b@example.com"'),
    ("customerEmail", r'"maria@example.com\r\nBcc: x@example.com"'),
    ("customerEmail", '"maria@example.com,other@example.com"'),
    ("customerEmail", '"María <maria@example.com>"'),
    ("customerEmail", '"maria@example..com"'),
    ("description", "null"),
]


@pytest.mark.parametrize("name", sorted({field.partition(".")[0] for field, _ in WRONG_FIELDS}))
def test_a_field_that_breaks_its_rule(api: ApiClient, name: str) -> None:
    def check(field: str, value: str) -> None:
        response = api.post("/collect", spelled(**{name: value}))
        assert_refused(response, 400, "VALIDATION_ERROR", field)

    check_each([row for row in WRONG_FIELDS if row[0].partition(".")[0] == name], check)


def test_metadata_of_900_levels(api: ApiClient) -> None:
    body = spelled(metadata='{"a":' * 900 + "1" + "}" * 900)
    assert_refused(api.post("/collect", body), 400, "VALIDATION_ERROR")


WRONG_SANDBOX_BODIES: list[tuple[str, dict[str, Any], str]] = [
    ("balance", {"amount": 1}, "currency"),
    ("balance", {"currency": "COP", "amount": 1}, "currency"),
    ("balance", {"currency": "COPM"}, "amount"),
    ("collect", {}, "status"),
    ("collect", {"status": "PENDING"}, "status"),
    ("collect", {"status": "completed"}, "status"),
    ("collect", {"status": None}, "status"),
    ("collect", {"status": "COMPLETED", "method": "pse"}, "method"),
    ("collect", {"status": "COMPLETED", "method": ["PSE"]}, "method"),
]


def test_a_field_of_the_sandbox(api: ApiClient, order: str) -> None:
    def check(path: str, body: dict[str, Any], field: str) -> None:
        target = f"/sandbox/collect/{order}" if path == "collect" else "/sandbox/balance"
        assert_refused(api.post(target, body), 400, "VALIDATION_ERROR", field)

    check_each(WRONG_SANDBOX_BODIES, check)


# --- URLs ---------------------------------------------------------------------------------------
WRONG_URLS = [
    "",
    "   ",
    "tienda.example",
    "http://tienda.example/",
    "HTTPS://tienda.example/",
    "ftp://tienda.example/",
    "javascript:alert(1)",
    "https:javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "//tienda.example/",
    "/volver",
    "https:/tienda.example",
    "https:///tienda.example",
    "https://",
    "https://?x",
    "https://:443/",
    "https://user@tienda.example/",
    "https://user:pass@tienda.example/",
    "https://tienda.example@evil.example/",
    "https://tienda.example%40evil.example/",
    "https://tienda.example\\@evil.example/",
    "https://tienda.example\\.evil.example/",
    "https:\\\\tienda.example/",
    "https://tienda.example:0/",
    "https://tienda.example:99999/",
    "https://tienda.example:x/",
    "https://tienda.example/a b",
    "https://tienda.example/a\tb",
    "https://tienda.example/\r\nSet-Cookie: a=b",
    " https://tienda.example/",
    "https://tienda.example/\u0000",
    "https://tienda.example/\u2028",
    'https://tienda.example/"onload="x',
    "https://tienda.example/<script>",
    "https://-tienda.example/",
    "https://[::1/",
    "https://[tienda.example]/",
    "https://tienda.example/" + "x" * 1978,  # 2,001 characters
    "https://tienda.example/" + "x" * 8000,
]


def test_a_callback_url_that_no_browser_may_be_sent_to(api: ApiClient) -> None:
    def check(url: Any) -> None:
        response = api.post("/collect", order_body(callbackUrl=url))
        assert_refused(response, 400, "VALIDATION_ERROR", "callbackUrl")

    check_each([*WRONG_URLS, 5, True, ["https://tienda.example/"], {}], check)


# --- Query --------------------------------------------------------------------------------------
WRONG_QUERIES = [
    ("limit=+5", "limit"),  # a plus is a space
    ("limit=%2B5", "limit"),
    ("limit=5.0", "limit"),
    ("limit=0x10", "limit"),
    ("limit=%D9%A1%D9%A0", "limit"),  # Arabic digits
    ("limit=" + "9" * 5000, "limit"),
    ("limit=99999999999999999999", "limit"),
    ("limit=20%00", "limit"),
    ("limit[]=5&limit=x", "limit"),
    ("offset=-0", "offset"),
    ("offset=1e3", "offset"),
    ("offset=", "offset"),
    ("offset=" + "9" * 19, "offset"),
    ("offset=1&offset=1", "offset"),
    ("status=PENDING&status=COMPLETED", "status"),
    ("status=PENDING%20", "status"),
    ("status=CANCELLED", "status"),
    ("status=" + "P" * 10_000, "status"),
    ("reference=" + "x" * 10_000, "reference"),
    ("reference=a%0D%0Ab", "reference"),
    ("reference=a&reference=b", "reference"),
    ("createdFrom=0", "createdFrom"),
    ("createdFrom=2026-13-45T00:00:00Z", "createdFrom"),
    ("createdFrom=2026-01-01", "createdFrom"),
    ("createdFrom=", "createdFrom"),
    ("createdTo=%00", "createdTo"),
    ("createdFrom=0001-01-01T00:00:00%2B14:00", "createdFrom"),
    ("createdTo=9999-12-31T23:59:59-14:00", "createdTo"),
]
ODD_QUERIES = [
    "offset=9223372036854775807",
    "limit=0100",
    "reference=%25",
    "reference=_",
    "reference=%FF%FE",
    "reference=%F0%9F%91%A8%E2%80%8D%F0%9F%91%A9",  # emoji joined to one family
    "reference=%27%20OR%201=1--",
    "createdFrom=2026-12-31T00:00:00Z&createdTo=2026-01-01T00:00:00Z",
    "unknown=1&unknown=2",
    "%00=%00",
    "a" * 8000,
    "&&&===",
]


def test_a_query_that_cannot_be_meant(api: ApiClient) -> None:
    def check(query: str, field: str) -> None:
        assert_refused(api.get(f"/collect?{query}"), 400, "VALIDATION_ERROR", field)

    check_each(WRONG_QUERIES, check)


def test_an_odd_query_is_answered(api: ApiClient) -> None:
    def check(query: str) -> None:
        response = api.get(f"/collect?{query}")
        assert response.status_code == 200, response.content
        assert response.body["data"] == []

    check_each(ODD_QUERIES, check)


def test_wildcards_of_sql_find_nothing_else(api: ApiClient, order: str) -> None:
    assert len(api.get("/collect").body["data"]) == 1
    for text in ("%25", "PEDIDO%25", "______", "pedido"):
        assert api.get(f"/collect?reference={text}").body["data"] == []


def test_every_wrong_parameter_is_named(api: ApiClient) -> None:
    response = api.get("/collect?limit=0&offset=x&status=y")
    assert list(response.body["error"]["details"]["fields"]) == ["limit", "offset", "status"]


# --- Headers ------------------------------------------------------------------------------------
def test_an_idempotency_key_of_other_characters(api: ApiClient) -> None:
    def check(key: str) -> None:
        response = api.post("/collect", order_body(), headers={"Idempotency-Key": key})
        assert_refused(response, 400, "VALIDATION_ERROR", "idempotencyKey")

    check_each(["  ", "x" * 256, "x" * 8192, "☕", "a\tb", "a\x00b", "ключ", " a"], check)


def test_an_idempotency_key_that_is_blank(api: ApiClient) -> None:
    response = api.post("/collect", order_body(), headers={"Idempotency-Key": ""})
    assert_refused(response, 400, "VALIDATION_ERROR", "idempotencyKey")


def test_a_request_id_that_could_do_harm_is_replaced(api: ApiClient) -> None:
    def check(given: str) -> None:
        response = api.get(ABSENT, headers={"X-Request-Id": given})
        assert_refused(response, 404, "ORDER_NOT_FOUND")
        assert response.headers["X-Request-Id"] != given

    harmful = ["", "a b", "a\nb", "x" * 65, "x" * 8192, "ñ", "<script>", "a;b", "../x", "%0d%0a"]
    check_each(harmful, check)


def test_a_harmless_request_id_is_kept(api: ApiClient) -> None:
    for given in ("a", "A-9", "x" * 64):
        assert api.get(ABSENT, headers={"X-Request-Id": given}).headers["X-Request-Id"] == given


def test_no_header_changes_the_method(api: ApiClient) -> None:
    def check(header: str) -> None:
        response = api.get("/collect", headers={header: "POST"})
        assert (response.status_code, response.body["data"]) == (200, [])
        for override in ("GET", "DELETE"):
            response = api.post("/collect", {}, headers={header: override})
            assert_refused(response, 400, "VALIDATION_ERROR", "reference")

    check_each(["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"], check)


def test_whatever_is_accepted_the_answer_is_json(api: ApiClient, anonymous: ApiClient) -> None:
    def check(accept: str) -> None:
        headers = {"Accept": accept}
        assert api.get("/collect", headers=headers).headers["Content-Type"] == "application/json"
        assert_refused(api.get(ABSENT, headers=headers), 404, "ORDER_NOT_FOUND")
        assert_refused(anonymous.get("/nothing", headers=headers), 404, "NOT_FOUND")

    accepts = ["text/html", "application/xml", "image/*;q=0.8", "*/*", "", "nonsense", "x" * 5000]
    check_each(accepts, check)
    schema = anonymous.get("/openapi.json", headers={"Accept": "text/html"})
    assert (schema.status_code, schema.headers["Content-Type"]) == (200, "application/json")


def test_the_language_of_the_caller_changes_no_message(api: ApiClient) -> None:
    answers = {
        api.post("/collect", {}, headers={"Accept-Language": language}).content
        for language in ("es", "en", "fr", "")
    }
    assert len(answers) == 1
    assert b"This field is required." in answers.pop()


def test_the_payment_link_never_follows_the_host(api: ApiClient, order: str) -> None:
    def check(host: str) -> None:
        headers = {"Host": host, "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "ftp"}
        response = api.get(f"/collect/{order}", headers=headers)
        assert response.body["data"]["collectUrl"].startswith("http://testserver/pay/")
        assert b"evil" not in response.content
        assert_refused(api.get(ABSENT, headers=headers), 404, "ORDER_NOT_FOUND")

    check_each(["evil.example", "evil.example:99999", "a b", "'\"<", ""], check)


# --- Paths and methods --------------------------------------------------------------------------
NO_ROUTES = [
    "/api",
    "/api/",
    "/api/v1",
    "/api/v1/",
    "/api/v2/collect",
    "/api//v1/collect",
    "/api/v1//collect",
    "/api/v1/collect/",
    "/api/v1/collect//",
    "/api/v1/collect/stats/",
    "/api/v1/collect/a/b",
    "/api/v1/collect.json",
    "/api/v1/COLLECT",
    "/api/v1/sandbox",
    "/api/v1/sandbox/",
    "/api/v1/sandbox/balance/",
    "/api/v1/../admin/",
    "/api/v1/%00",
    "/callbacks",
    "/callbacks/",
    "/callbacks/payin/",
    "/callbacks/payin/simulator/",
    "/callbacks/nothing/simulator",
    "/callbacks//payin/simulator",
]


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "OPTIONS"])
def test_a_path_that_is_no_route(api: ApiClient, anonymous: ApiClient, method: str) -> None:
    def check(path: str) -> None:
        for client in (api, anonymous):  # the route comes before credentials
            response = client.generic(method, path, b"", headers=client.headers)
            response.body = response.json()
            assert_refused(response, 404, "NOT_FOUND")

    check_each(NO_ROUTES, check)


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/collect", {"GET", "HEAD", "POST"}),
        ("/collect/stats", {"GET", "HEAD"}),
        (ABSENT, {"GET", "HEAD"}),
        ("/sandbox/balance", {"POST"}),
        (f"/sandbox{ABSENT}", {"POST"}),
    ],
)
def test_methods_that_a_path_does_not_have(api: ApiClient, path: str, allowed: set[str]) -> None:
    every = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"}
    for method in every - allowed - {"HEAD"}:
        response = api.call(method, path, order_body())
        assert_refused(response, 405, "METHOD_NOT_ALLOWED")
        assert set(response.headers["Allow"].split(", ")) == allowed
    assert (head(api, path).status_code == 405) == ("HEAD" not in allowed)


def head(api: ApiClient, path: str) -> HttpResponse:
    return api.generic("HEAD", f"/api/v1{path}", headers=api.headers)


def test_a_head_request_has_the_headers_of_its_get(api: ApiClient, order: str) -> None:
    for path in ("/collect", "/collect/stats", f"/collect/{order}", ABSENT):
        expected, answer = api.get(path), head(api, path)
        assert answer.status_code == expected.status_code
        assert answer.content == b""
        for name in ("Content-Type", "X-Total-Count", "X-RateLimit-Limit"):
            assert answer.headers.get(name) == expected.headers.get(name)


def test_an_id_in_capitals_is_another_id(api: ApiClient, order: str) -> None:
    assert_refused(api.get(f"/collect/{order.upper()}"), 404, "ORDER_NOT_FOUND")
    assert_refused(api.get(f"/collect/{order}%20"), 404, "ORDER_NOT_FOUND")
    assert_refused(api.get(f"/collect/{order}%0A"), 404, "ORDER_NOT_FOUND")


def test_a_callback_path_takes_no_other_method(anonymous: ApiClient) -> None:
    for method in ("GET", "PUT", "DELETE", "OPTIONS", "TRACE"):
        response = anonymous.generic(method, "/callbacks/payin/simulator")
        response.body = response.json()
        assert_refused(response, 405, "METHOD_NOT_ALLOWED")
        assert response.headers["Allow"] == "POST"


# --- Over the wire: what no client library sends ------------------------------------------------
NOT_ASCII = ["ñ".encode(), b"\xff\xfe", "☕".encode()]


def create(*lines: str | bytes, body: bytes, length: bool = True) -> bytes:
    return request("POST", "/api/v1/collect", JSON, *lines, body=body, length=length)


class TestOverTheWire:
    pytestmark = pytest.mark.django_db(transaction=True)

    def refused(
        self, server: Server, raw: bytes, status: int, code: str, *, hang_up: bool = False
    ) -> None:
        (answer,) = server.send(raw, hang_up=hang_up)
        assert answer.status == status, answer.content
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-request-id"]
        assert answer.body["success"] is False
        assert answer.body["error"]["code"] == code

    def test_three_megabytes(self, server: Server, credentials: list[str]) -> None:
        body = b"{" + b" " * 3_000_000 + b"}"
        self.refused(server, create(*credentials, body=body), 413, "PAYLOAD_TOO_LARGE")
        self.refused(server, create(body=body), 413, "PAYLOAD_TOO_LARGE")

    def test_three_megabytes_in_chunks(self, server: Server, credentials: list[str]) -> None:
        body = chunked(b"{" + b" " * 3_000_000 + b"}")
        lines = [*credentials, "Transfer-Encoding: chunked"]
        self.refused(server, create(*lines, body=body, length=False), 413, "PAYLOAD_TOO_LARGE")

    def test_chunks_that_are_no_json(self, server: Server, credentials: list[str]) -> None:
        lines = [*credentials, "Transfer-Encoding: chunked"]
        for body in (b"", b"[]", b'{"amount":1,"amount":2}'):
            raw = create(*lines, body=chunked(body, 3), length=False)
            self.refused(server, raw, 400, "VALIDATION_ERROR")

    def test_more_than_was_announced(self, server: Server, credentials: list[str]) -> None:
        body = spelled().encode()
        lines = [*credentials, "Content-Length: 10"]
        self.refused(server, create(*lines, body=body, length=False), 400, "VALIDATION_ERROR")
        assert server.is_alive()

    def test_less_than_was_announced(self, server: Server, credentials: list[str]) -> None:
        """Half of a request may look like a whole one: it is not carried out."""
        body = spelled().encode()
        lines = [*credentials, f"Content-Length: {len(body) + 10}"]
        raw = create(*lines, body=body, length=False)
        self.refused(server, raw, 400, "VALIDATION_ERROR", hang_up=True)

    def test_what_is_no_http(self, server: Server, credentials: list[str]) -> None:
        """The web server itself says 400 and hangs up; we never see the request."""

        def check(*lines: str | bytes) -> None:
            (answer,) = server.send(create(*credentials, *lines, body=b"{}", length=False))
            assert answer.status == 400

        twice = ("Content-Length: 5", "Content-Length: 6")
        lengths = ["Content-Length: abc", "Content-Length: -5", f"Content-Length: {'9' * 30}"]
        check_each([twice, *lengths, "X-Api-Key : x", "X Api Key: x", b"X-Api-Key: a\x00b"], check)
        assert server.is_alive()

    def test_noise(self, server: Server) -> None:
        noises = [b"\x00\x01\r\n\r\n", b"\x16\x03\x01\x02\x00\x01", b"GET\r\n\r\n", b"\r\n" * 9]
        for raw in noises:
            assert all(answer.status == 400 for answer in server.send(raw, hang_up=True))
        assert server.is_alive()

    @pytest.mark.parametrize("name", ["X-Api-Key", "X-Api-Secret"])
    def test_a_credential_twice(self, server: Server, credentials: list[str], name: str) -> None:
        raw = create(*credentials, f"{name}: x", body=spelled().encode())
        expected = "INVALID_API_KEY" if name == "X-Api-Key" else "INVALID_CREDENTIALS"
        self.refused(server, raw, 401, expected)

    def test_a_credential_that_is_not_ascii(self, server: Server, credentials: list[str]) -> None:
        for value in NOT_ASCII:
            for name, position in (("X-Api-Key", 0), ("X-Api-Secret", 1)):
                lines: list[str | bytes] = [*credentials]
                lines[position] = name.encode() + b": " + value
                (answer,) = server.send(create(*lines, body=spelled().encode()))
                assert answer.status == 401
                code = answer.body["error"]["code"]
                assert code in ("MISSING_CREDENTIALS", "INVALID_CREDENTIALS", "INVALID_API_KEY")

    def test_an_idempotency_key_that_is_not_ascii_is_not_dropped(
        self, server: Server, credentials: list[str]
    ) -> None:
        for value in NOT_ASCII:
            raw = create(*credentials, b"Idempotency-Key: " + value, body=spelled().encode())
            (answer,) = server.send(raw)
            assert answer.status == 400, answer.content
            assert answer.body["success"] is False

    def test_headers_of_eight_kilobytes(self, server: Server, credentials: list[str]) -> None:
        long = "x" * 8192
        raw = create(f"X-Api-Key: {long}", credentials[1], body=spelled().encode())
        self.refused(server, raw, 401, "INVALID_API_KEY")
        raw = create(*credentials, f"Idempotency-Key: {long}", body=spelled().encode())
        self.refused(server, raw, 400, "VALIDATION_ERROR")

    TARGETS = [
        ("/api/v1/collect/" + "x" * 10_240, "ORDER_NOT_FOUND"),
        ("/api/v1/" + "x/" * 5_120, "NOT_FOUND"),
        ("/api/v1/collect/%00", "ORDER_NOT_FOUND"),
        ("/api/v1/collect/%", "ORDER_NOT_FOUND"),
        ("/api/v1/collect/%zz", "ORDER_NOT_FOUND"),
        ("/api/v1/collect/%ff%fe", "ORDER_NOT_FOUND"),
        ("/api/v1/collect/%2e%2e", "ORDER_NOT_FOUND"),
        ("/api/v1/collect/..", "ORDER_NOT_FOUND"),
        ("/api/v1/collect/../collect", "NOT_FOUND"),
        ("/api/v1/../../etc/passwd", "NOT_FOUND"),
        ("/api/v1/%ff%fe", "NOT_FOUND"),
        ("/api/v1/collect/a%2Fb", "NOT_FOUND"),
        ("//api/v1/collect", "NOT_FOUND"),
    ]

    def test_targets(self, server: Server, credentials: list[str]) -> None:
        def check(target: str, code: str) -> None:
            self.refused(server, request("GET", target, *credentials), 404, code)

        check_each(self.TARGETS, check)

    def test_methods(self, server: Server, credentials: list[str]) -> None:
        def check(method: str) -> None:
            raw = request(method, "/api/v1/collect", *credentials)
            self.refused(server, raw, 405, "METHOD_NOT_ALLOWED")

        check_each(["TRACE", "CONNECT", "BREW", "OPTIONS", "PATCH"], check)

    def test_a_trace_returns_no_secret(self, server: Server, credentials: list[str]) -> None:
        for target in ("/api/v1/collect", "/api/v1/nothing", "/callbacks/payin/simulator"):
            answer = server.exchange(request("TRACE", target, *credentials))
            assert credentials[1].removeprefix("X-Api-Secret: ").encode() not in answer

    def test_a_head_answer_has_no_body(self, server: Server, credentials: list[str]) -> None:
        answer = server.exchange(request("HEAD", "/api/v1/collect", *credentials))
        head, _, rest = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200")
        assert rest == b""

    def test_a_second_request_hidden_in_the_first_is_not_carried_out(
        self, server: Server, credentials: list[str]
    ) -> None:
        """Length and chunks together: whatever is believed, there is one order at most."""
        hidden = create(*credentials, body=spelled().encode())
        raw = request(
            "POST",
            "/api/v1/collect",
            JSON,
            *credentials,
            "Content-Length: 4",
            "Transfer-Encoding: chunked",
            body=b"0\r\n\r\n" + hidden,
            length=False,
        )
        first, *_ = server.send(raw)
        assert first.status == 400

    def test_chunks_that_say_what_is_wrong(self, server: Server, credentials: list[str]) -> None:
        """They are read like any other body: the answer names the field."""
        body = chunked(spelled(amount="1").encode(), 7)
        (answer,) = server.send(
            create(*credentials, "Transfer-Encoding: chunked", body=body, length=False)
        )
        assert answer.status == 400
        assert answer.body["error"]["details"]["fields"].keys() == {"amount"}
