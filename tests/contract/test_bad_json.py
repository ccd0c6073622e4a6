"""Bodies that are no JSON object: always the JSON envelope, no side effect, never a 500.

Broken, nested without end, in another encoding, too large, or of another media type.
"""

import pytest

from tests.contract.answers import assert_refused, check_each
from tests.contract.bad_requests import spelled
from tests.factories import order_body
from tests.fixtures import ApiClient

pytestmark = pytest.mark.usefixtures("no_side_effect")
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


def test_other_media_type_of_an_order_is_refused(api: ApiClient) -> None:
    def check(name: str, value: str) -> None:
        response = api.post("/collect", order_body(), headers={name: value})
        assert_refused(response, 415, "UNSUPPORTED_MEDIA_TYPE")

    check_each(WRONG_MEDIA_TYPES, check)


def test_a_length_that_is_no_number(api: ApiClient) -> None:
    for length in ("abc", "-1", "１０", "1e3"):
        response = api.generic("POST", "/api/v1/collect", b"{}", CONTENT_LENGTH=length)
        response.body = response.json()
        assert_refused(response, 400, "VALIDATION_ERROR")
