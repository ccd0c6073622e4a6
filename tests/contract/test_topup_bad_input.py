"""Bodies that no client library would send to POST /topup: the envelope, and nothing happens."""

from typing import Any

import pytest

from merchants.models import Merchant
from payments.topup.models import TopUp
from tests.contract.answers import assert_refused
from tests.support.fixtures import ApiClient
from tests.support.funds import balance, fund
from tests.support.topups import buy

GOOD = '"phone":"3001234567","operatorCode":"claro","amountCop":20000'


@pytest.fixture(autouse=True)
def _ready(merchant: Merchant) -> None:
    fund(merchant, 1_000_000)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        "null",
        '"3001234567"',
        "{",
        f"{{{GOOD}}}{{}}",
        f"{{{GOOD},}}",
        f'{{{GOOD},"amountCop":20000}}',
        f"\ufeff{{{GOOD}}}",
        "[" * 100_000,
        f'{{{GOOD},"x":NaN}}',
        '{"phone":"\\ud800"}',
        '{"phone":"3001234567","amountCop":Infinity}',
        f"phone=3001234567&{GOOD}",
        "<xml/>",
    ],
)
def test_what_is_no_object(api: ApiClient, merchant: Merchant, body: str) -> None:
    response = api.post("/topup", body.encode(), headers={"Idempotency-Key": "k"})

    expected = (413, "PAYLOAD_TOO_LARGE") if len(body) > 65536 else (400, "VALIDATION_ERROR")
    assert_refused(response, *expected)
    assert not TopUp.objects.exists()
    assert balance(merchant) == (1_000_000, 0)


@pytest.mark.parametrize(
    "content_type",
    ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x", ""],
)
def test_topup_of_another_media_type_is_refused(api: ApiClient, content_type: str) -> None:
    headers = {"Idempotency-Key": "k", "Content-Type": content_type}
    response = api.post("/topup", f"{{{GOOD}}}", headers=headers)
    assert_refused(response, 415, "UNSUPPORTED_MEDIA_TYPE")


@pytest.mark.parametrize("key", ["", " ", "x" * 256, "emoji-\U0001f4b8", "a\tb", "ñ"])
def test_topup_with_a_wrong_idempotency_key_is_refused(api: ApiClient, key: str) -> None:
    response = api.post("/topup", f"{{{GOOD}}}", headers={"Idempotency-Key": key})
    assert response.status_code == 400
    assert response.body["error"]["code"] in ("IDEMPOTENCY_KEY_REQUIRED", "VALIDATION_ERROR")
    assert not TopUp.objects.exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (field, value)
        for field in ("phone", "operatorCode", "amountCop")
        for value in (
            "=cmd|' /C calc'!A0",
            "<script>",
            "%s",
            "{{7*7}}",
            "\u202e3001234567",
            None,
            {},
            [],
        )
    ],
)
def test_topup_with_a_wrong_value_is_refused_without_an_echo(
    api: ApiClient, field: str, value: Any
) -> None:
    response = buy(api, **{field: value})
    assert_refused(response, 400, "VALIDATION_ERROR", field)
    # What was sent is not echoed.
    assert "script" not in response.content.decode()
    assert not TopUp.objects.exists()


def test_null_is_not_given(api: ApiClient) -> None:
    body = f'{{{GOOD},"idempotencyKey":null}}'
    response = api.post("/topup", body, headers={"Idempotency-Key": "k"})
    assert response.status_code == 201


def test_unknown_fields_are_ignored(api: ApiClient, merchant: Merchant) -> None:
    body = f'{{{GOOD},"status":"failed","feeCop":-5,"merchant":"mer_x","id":"top_x"}}'
    response = api.post("/topup", body, headers={"Idempotency-Key": "k"})
    assert (response.status_code, response.body["data"]["feeCop"]) == (201, 0)
    assert response.body["data"]["status"] == "completed"
    assert balance(merchant) == (980_000, 0)
