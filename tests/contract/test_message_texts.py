"""Messages name the value, its unit and what to do, in one voice. Codes are tested elsewhere."""

import re

import pytest

from merchants.models import Merchant
from payments.api.reference.catalogue import EXAMPLES
from tests.contract.answers import check_each
from tests.contract.bad_requests import spelled
from tests.contract.openapi_document import Document, operations
from tests.support import bills
from tests.support.factories import key_payout_body, order_body, payout_body
from tests.support.fixtures import ApiClient
from tests.support.funds import fund
from tests.support.refunds import ask, paid

pytestmark = pytest.mark.django_db


def message(response: object) -> str:
    return str(response.body["error"]["message"])  # type: ignore[attr-defined]


def test_a_wrong_path_is_named_and_the_slash_is_explained(api: ApiClient) -> None:
    slash = "No endpoint `POST /collect/`. Paths have no slash at the end."
    assert message(api.post("/collect/", {})) == slash
    assert message(api.get("/colect")) == "No endpoint `GET /colect`."
    assert len(message(api.get("/" + "x" * 500))) < 130
    assert "\x07" not in message(api.get("/a%07b"))


def test_a_refused_http_method_comes_with_those_that_are_allowed(api: ApiClient) -> None:
    refused = api.call("DELETE", "/collect")
    expected = "This path does not accept the HTTP method DELETE. Allowed: GET, HEAD, POST."
    assert message(refused) == expected


JSON = {
    "cut off after a key": (b'{"reference": }', "line 1, column 15, expected a value"),
    "in the second line": (
        b'{"a": 1,\n b: 2}',
        "line 2, column 2, expected a key in double quotes",
    ),
    "no colon": (b'{"a" 1}', "line 1, column 6, expected a colon"),
    "no comma": (b'{"a": 1 "b": 2}', "line 1, column 9, expected a comma or }"),
    "in a list": (b'{"a": [1 2]}', "line 1, column 10, expected a comma or ]"),
    "two documents": (b'{"a": 1} {"b": 2}', "line 1, column 10, unexpected text after the end"),
    "an open string": (b'{"a": "b}', "line 1, column 7, this string has no end"),
}


def test_a_syntax_error_says_where_it_is(api: ApiClient) -> None:
    def check(_name: str, case: tuple[bytes, str]) -> None:
        body, place = case
        assert message(api.post("/collect", body)) == f"The body is not valid JSON: {place}."

    check_each(JSON.items(), check)


def test_a_key_that_appears_twice_is_named(api: ApiClient) -> None:
    twice = b'{"reference": "a", "reference": "b"}'
    assert message(api.post("/collect", twice)) == 'The key "reference" appears twice.'
    long = b'{"%s": 1, "%s": 2}' % (b"k" * 5000, b"k" * 5000)
    assert len(message(api.post("/collect", long))) < 130
    odd = b'{"\\ud800": 1, "\\ud800": 2}'
    assert message(api.post("/collect", odd)) == 'The key "\ufffd" appears twice.'


def test_no_body_is_no_object_without_fields(api: ApiClient) -> None:
    for body in (b"", b"  \n"):
        refused = api.post("/collect", body)
        assert message(refused) == "The body is empty. Send a JSON object."
    assert message(api.post("/collect", b"{}")) == "reference: This field is required."


ORDERS = {
    "amount: Must be at least 1,000 COP.": {"amount": 999},
    "amount: Must be at least 1,000 USDT.": {"amount": 999, "currency": "USDT"},
    "allowedMethods: List at least one method, or leave the field out.": {"allowedMethods": []},
    "expirationMinutes: Must be from 5 to 10,080 minutes.": {"expirationMinutes": 1},
    "reference: Must have at most 100 characters.": {"reference": "x" * 101},
    "reference: Must not be empty.": {"reference": ""},
    "customerName: Must be a string.": {"customerName": 5},
    "currency: Must be one of the account's: COP.": {"currency": "BTC"},
}


def test_orders(api: ApiClient, merchant: Merchant) -> None:
    Merchant.objects.filter(pk=merchant.pk).update(currencies=["COP"])

    def check(expected: str, changes: dict[str, object]) -> None:
        assert message(api.post("/collect", order_body(**changes))) == expected

    check_each(ORDERS.items(), check)


def test_query_parameters(api: ApiClient) -> None:
    assert message(api.get("/collect?offset=-1")) == (
        "offset: Must be zero or a positive whole number."
    )
    assert message(api.get("/collect?limit=0")) == "limit: Must be a whole number from 1 to 100."
    assert message(api.get("/settlements/statement.csv")) == "from: This parameter is required."


def test_a_malformed_idempotency_key_names_its_header(api: ApiClient) -> None:
    refused = api.post("/collect", spelled().encode(), headers={"Idempotency-Key": "a b"})
    assert message(refused) == (
        "idempotencyKey: The header Idempotency-Key or this field must be 1 to 255 visible ASCII "
        "characters, no spaces."
    )


PAYOUTS: dict[str, tuple[str, dict[str, object]]] = {
    "a currency that is no balance": (
        "currency: Must be the balance that pays: COPM (pesos) or USDT. Payouts arrive in COP.",
        payout_body(currency="COP"),
    ),
    "an alias without @": (
        "keyValue: A key of the type ALPHANUMERIC must be @ and 5 to 20 letters or digits, as in "
        "@TIENDA2026.",
        key_payout_body("ALPHANUMERIC", "tienda"),
    ),
    "a phone that is none": (
        "keyValue: A key of the type PHONE must be 10 digits that begin with 3, as in 3001234567.",
        key_payout_body("PHONE", "12"),
    ),
    "too much for the balance": (
        "The COPM balance is not enough: 50,900 COPM needed, 0 COPM available.",
        key_payout_body(amount=50_000),
    ),
}


def test_payouts(api: ApiClient) -> None:
    def check(name: str, case: tuple[str, dict[str, object]]) -> None:
        expected, body = case
        refused = api.post("/payout", body, headers={"Idempotency-Key": f"k-{len(name)}"})
        assert message(refused) == expected

    check_each(PAYOUTS.items(), check)


def test_nothing_left_to_refund_is_said_with_what_was_paid(api: ApiClient) -> None:
    order = paid(api)
    fund(order.merchant, 100_000)
    too_much = ask(api, order, amount=60_000)
    assert message(too_much) == "No more than 50,025 COP can be returned."
    assert ask(api, order).status_code == 201
    expected = (
        "Nothing is left to refund: 50,025 COP of 50,025 COP is refunded, being refunded or "
        "disputed."
    )
    assert message(ask(api, order, key="r-2")) == expected


def test_a_method_that_is_not_available_says_why_and_which_are(api: ApiClient) -> None:
    small = api.post("/collect", order_body(amount=2_000)).body["data"]["id"]
    below = message(api.post(f"/collect/{small}/pay", {"method": "bank_redirect"}))
    assert below == (
        "bank_redirect needs at least 5,000 COP. Available: pse, push_wallet, breb_key."
    )
    unknown = message(api.post(f"/collect/{small}/pay", {"method": "x" * 60}))
    assert unknown.startswith(f'There is no method "{"x" * 60}". Available: ')
    body = order_body(reference="P-2", allowedMethods=["CRYPTO"])
    coins = api.post("/collect", body).body["data"]["id"]
    left_out = message(api.post(f"/collect/{coins}/pay", {"method": "pse"}))
    assert left_out == "pse is PSE, which the order's allowedMethods leave out. Available: none."


def test_fields_of_a_method(api: ApiClient, order: str) -> None:
    def refused(method: str, **more: object) -> str:
        return message(api.post(f"/collect/{order}/pay", {"method": method, **more}))

    bank = refused("pse", fields={"bankCode": "1", "personType": "NATURAL"})
    assert bank.startswith("fields.bankCode: Must be one of the options: 1")
    phone = refused("push_wallet", fields={"phone": "12"})
    assert phone == (
        "fields.phone: Must be a Colombian mobile: 10 digits that begin with 3, as in 3001234567."
    )
    back = refused("push_wallet", fields={"phone": "3001234567"}, returnUrl="https://shop.example/")
    assert back == "returnUrl: Is only allowed when the method's flow is `redirect`."


def test_an_order_that_is_over_says_its_status(api: ApiClient, order: str) -> None:
    api.post(f"/collect/{order}/cancel")
    over = "The order is EXPIRED and can no longer be paid."
    assert message(api.post(f"/collect/{order}/pay", {"method": "pse"})) == over
    assert message(api.post(f"/sandbox/collect/{order}", {"status": "COMPLETED"})) == over


def test_a_bill_that_costs_something_else(api: ApiClient, merchant: Merchant) -> None:
    fund(merchant, 1_000_000)
    refused = bills.pay(api, bills.reference(), 1_234)
    assert message(refused) == "The amount does not match what is owed: see details.products."


# How the messages of GET, POST, PATCH and DELETE call what each first part of a path names.
NOUNS = {
    "bills/payments": "bill payment",
    "collect": "collection order",
    "links": "payment link",
    "payout": "payout",
    "payout/batches": "batch",
    "sandbox/collect": "collection order",
    "sandbox/dispute": "dispute",
    "sandbox/payout": "payout",
    "sandbox/refund": "refund",
    "settlements": "settlement",
    "topup": "top-up",
    "webhook-endpoints": "webhook endpoint",
}
PLACE = re.compile(r"\{\w+\}")
# What is looked for is absent, malformed, or has the id of another kind.
ABSENT = ("0" * 26, "x", "stl_" + "0" * 26)


def test_what_is_absent_is_called_by_its_name(api: ApiClient, document: Document) -> None:
    """Of every operation whose path has an id."""

    def check(method: str, path: str) -> None:
        body = EXAMPLES[operations(document)[method, path]["operationId"]].body
        for text in ABSENT:
            place = PLACE.sub(text, path)
            refused = api.call(method.upper(), place, body, headers={"Idempotency-Key": text})
            assert refused.status_code == 404
            assert message(refused) == f"There is no such {NOUNS[part_of(path)]}."

    found = [(method, path) for method, path in operations(document) if "{" in path]
    assert {part_of(path) for _method, path in found} == NOUNS.keys()
    check_each(found, check)


def part_of(path: str) -> str:
    return path.removeprefix("/").partition("/{")[0]


def test_a_refund_that_is_absent_is_told_from_its_order(api: ApiClient) -> None:
    order = paid(api)
    refused = api.get(f"/collect/{order.pk}/refunds/ref_{ABSENT[0]}")
    assert message(refused) == "There is no such refund."
