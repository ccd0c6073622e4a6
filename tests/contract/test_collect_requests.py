"""What POST /collect takes: the contract's rows that no other test has.

Required fields, limits of texts, amounts, metadata and URLs; each comes back as it was sent.
"""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from urllib.parse import quote

import pytest

from merchants.models import Merchant
from payments.core import jsontext
from tests.contract.answers import assert_refused, check_each
from tests.support.collect_requests import create
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient

REQUIRED = [
    "reference",
    "amount",
    "customerName",
    "customerEmail",
    "customerDocType",
    "customerDocNumber",
]


@pytest.mark.parametrize("field", REQUIRED)
def test_a_required_field_is_required(api: ApiClient, field: str) -> None:
    body = order_body()
    del body[field]
    assert_refused(api.post("/collect", body), 400, "VALIDATION_ERROR", field)
    body[field] = None
    assert_refused(api.post("/collect", body), 400, "VALIDATION_ERROR", field)


def test_every_missing_field_is_named_in_the_order_of_the_contract(api: ApiClient) -> None:
    response = api.post("/collect", {})
    assert_refused(response, 400, "VALIDATION_ERROR", "reference")
    assert list(response.body["error"]["details"]["fields"]) == REQUIRED


# Each limit counts characters, not bytes or UTF-16 halves: an emoji is one.
TEXT_LIMITS = {"reference": 100, "description": 500, "customerName": 200}


@pytest.mark.parametrize(("field", "limit"), TEXT_LIMITS.items())
@pytest.mark.parametrize("character", ["x", "ñ", "☕", "😀"])
def test_a_text_at_its_limit_is_kept_and_beyond_it_refused(
    api: ApiClient, field: str, limit: int, character: str
) -> None:
    order = create(api, **{field: character * limit})
    kept = order["customer"]["name"] if field == "customerName" else order[field]
    assert kept == character * limit

    response = api.post("/collect", order_body(**{field: character * (limit + 1)}))
    assert_refused(response, 400, "VALIDATION_ERROR", field)


def test_an_email_at_its_limit(api: ApiClient) -> None:
    domain = ".".join(["d" * 60] * 3) + ".co"
    longest = "m" * (254 - len(domain) - 1) + "@" + domain
    assert create(api, customerEmail=longest)["customer"]["email"] == longest
    response = api.post("/collect", order_body(customerEmail="m" + longest))
    assert_refused(response, 400, "VALIDATION_ERROR", "customerEmail")


@pytest.mark.parametrize("field", ["reference", "description", "customerName"])
@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "=cmd|'/C calc'!A0",
        "%s %d %n {0} {{7*7}} ${7*7}",
        "'; DROP TABLE collect_order; --",
        "abc\u202edef",
        "👨\u200d👩\u200d👧",
        "e\u0301",
        '\\u0041 \\ " /',
        "../../etc/passwd",
        "null",
    ],
)
def test_text_is_kept_as_it_was_sent(api: ApiClient, field: str, text: str) -> None:
    order = create(api, **{field: text})
    assert (order["customer"]["name"] if field == "customerName" else order[field]) == text


def test_a_reference_of_any_characters_is_found_again(api: ApiClient) -> None:
    for reference in ("a b", "👨\u200d👩\u200d👧", "a\u00a0b", "50%_", "ñ&x=1"):
        order = create(api, reference=reference)
        found = api.get(f"/collect?reference={quote(reference)}").body["data"]
        assert [row["id"] for row in found] == [order["id"]]


def test_spaces_around_a_text_are_dropped(api: ApiClient) -> None:
    order = create(api, reference="  A-1  ")
    assert order["reference"] == "A-1"
    found = api.get(f"/collect?reference={quote('  A-1  ')}").body["data"]
    assert [row["id"] for row in found] == [order["id"]], "as the merchant knows it"
    response = api.post("/collect", order_body(reference="A-1"))
    assert_refused(response, 400, "VALIDATION_ERROR", "reference")


def test_the_minimum_amount_is_1000_in_each_currency(api: ApiClient) -> None:
    for currency in ("COP", "USDT", "USDC", "BTC", "ETH"):
        assert create(api, currency=currency, amount=1000)["baseAmount"] == 1000
        response = api.post("/collect", order_body(currency=currency, amount=Decimal("999.99")))
        assert_refused(response, 400, "VALIDATION_ERROR", "amount")


@pytest.mark.parametrize(
    "spelled", ["1000", "1000.0", "1000.00", "1000.000000000", "1e3", "1E+3", "10.00e2"]
)
def test_a_number_counts_not_its_spelling(api: ApiClient, spelled: str) -> None:
    body = jsontext.dumps(order_body(amount="@")).replace('"@"', spelled)
    assert api.post("/collect", body).body["data"]["baseAmount"] == 1000


@pytest.mark.parametrize("minutes", [5, 60, 10080])
def test_the_expiry_counts_from_the_creation(api: ApiClient, minutes: int) -> None:
    order = create(api, expirationMinutes=minutes)
    created, expires = (datetime.fromisoformat(order[n]) for n in ("createdAt", "expiresAt"))
    assert expires - created == timedelta(minutes=minutes)


@pytest.mark.parametrize("kind", ["CC", "CE", "NIT", "PP"])
def test_each_document_type_is_taken(api: ApiClient, kind: str) -> None:
    assert create(api, customerDocType=kind)["customer"]["documentType"] == kind


@pytest.mark.parametrize(
    "methods", [["PSE"], ["BANK_TRANSFER"], ["CRYPTO"], ["CRYPTO", "BANK_TRANSFER", "PSE"]]
)
def test_allowed_methods_come_back_in_their_order(api: ApiClient, methods: list[str]) -> None:
    assert create(api, allowedMethods=methods)["allowedMethods"] == methods


def test_without_allowed_methods_those_of_the_account_apply(
    api: ApiClient, merchant: Merchant
) -> None:
    Merchant.objects.update(methods=["BANK_TRANSFER", "PSE"])
    assert create(api)["allowedMethods"] == ["BANK_TRANSFER", "PSE"]
    assert create(api, allowedMethods=["PSE"])["allowedMethods"] == ["PSE"]


def test_a_later_change_of_the_account_leaves_an_order_as_it_was(
    api: ApiClient, merchant: Merchant
) -> None:
    order = create(api)
    Merchant.objects.update(methods=["PSE"], currencies=["USDT"])
    again = api.get(f"/collect/{order['id']}").body["data"]
    assert again == order


def test_metadata_at_its_limits(api: ApiClient) -> None:
    deepest: Any = 1
    for _ in range(20):
        deepest = {"a": deepest}
    limits = [
        {"a": "x" * 1016},  # 1,024 bytes as compact JSON
        {"a": "ñ" * 508},
        {"a": "😀" * 254},
        deepest,
        {},
        {"": ""},
        {"a.b": 1, "$where": 2, "__proto__": {"x": 1}, "camelCase": 1, "snake_case": 2},
        {"lines": "a\r\nb\tc", "del": "\x7f", "bidi": "\u202e", "script": "</script>"},
    ]

    def check(metadata: dict[str, Any]) -> None:
        assert create(api, metadata=metadata)["metadata"] == metadata

    check_each(limits, check)


def test_metadata_is_measured_as_compact_utf8_however_it_is_spelled(api: ApiClient) -> None:
    spaced = '{ "a" :   "' + "\\u00f1" * 508 + '" }'
    body = jsontext.dumps(order_body(metadata="@")).replace('"@"', spaced)
    assert api.post("/collect", body).status_code == 201


@pytest.mark.parametrize(
    "url",
    [
        "https://tienda.example",
        "https://tienda.example/volver?pedido=1&x=%20#fin",
        "https://tienda.example:8443/",
        "https://sub.tienda.com.co/a/b/../c",
        "https://127.0.0.1/",
        "https://[2001:db8::1]/",
        "https://xn--caf-dma.example/",
        "https://tienda.example/" + "x" * 1977,
    ],
)
def test_a_callback_url_comes_back_as_it_was_sent(api: ApiClient, url: str) -> None:
    assert create(api, callbackUrl=url)["callbackUrl"] == url


def test_no_payment_is_confirmed_by_what_the_merchant_sends(api: ApiClient) -> None:
    """Fields of the answer mean nothing in the request."""
    order = create(
        api,
        id="col_00000000000000000000000000",
        status="COMPLETED",
        paidAt="2026-01-01T00:00:00.000Z",
        feeAmount=0,
        baseAmount=5,
        selectedMethod="PSE",
        merchant="mer_00000000000000000000000000",
        token="x",
    )
    assert (order["status"], order["paidAt"], order["selectedMethod"]) == ("PENDING", None, None)
    assert (order["baseAmount"], order["feeAmount"]) == (50000, 25)
    assert order["id"] != "col_00000000000000000000000000"
