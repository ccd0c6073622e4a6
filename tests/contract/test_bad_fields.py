"""Fields that break their rule: always the JSON envelope, no side effect, never a 500.

Expiry, methods, metadata, documents, currencies, e-mails, and the fields of the sandbox.
"""

from typing import Any

import pytest

from tests.contract.answers import assert_refused, check_each
from tests.contract.bad_requests import spelled
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.usefixtures("no_side_effect")
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
