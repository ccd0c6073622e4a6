"""The rows of the contract on collections, errors and limits that no other test has."""

import re
import select
import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from urllib.parse import quote

import pytest
from django.db import OperationalError, connection
from django.http import HttpResponse

from merchants.models import Merchant
from payments.collect.models import Order
from payments.collect.services import charges
from payments.core import clock, jsontext
from payments.providers import registry
from tests.contract.answers import INTERNALS, assert_refused, check_each
from tests.contract.wire import Server, request, running_server
from tests.factories import order_body
from tests.fixtures import ApiClient

MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
CREATED_FIELDS = [
    *("id", "reference", "amount", "baseAmount", "feeAmount", "currency", "status"),
    *("collectUrl", "expiresAt", "createdAt"),
]
REQUIRED = [
    *("reference", "amount", "customerName", "customerEmail"),
    *("customerDocType", "customerDocNumber"),
]
# Contract, Collection order (response of get and elements of list): 18 fields.
ORDER_FIELDS = {
    "id": str,
    "reference": str,
    "amount": int,
    "baseAmount": int,
    "feeAmount": int,
    "currency": str,
    "description": str,
    "status": str,
    "selectedMethod": type(None),
    "allowedMethods": list,
    "customer": dict,
    "collectUrl": str,
    "callbackUrl": type(None),
    "metadata": dict,
    "expiresAt": str,
    "paidAt": type(None),
    "createdAt": str,
    "updatedAt": str,
}
# Beside them, what happened after the payment (docs/gaps.md, Orders).
ADDITIONS = {"confirmedAt": type(None), "cancelledAt": type(None), "refundedAmount": int}


def create(api: ApiClient, **changes: Any) -> dict[str, Any]:
    """Creates an order and returns it as GET /collect/{id} shows it."""
    response = api.post("/collect", order_body(**changes))
    assert response.status_code == 201, response.content
    return api.get(f"/collect/{response.body['data']['id']}").body["data"]


# --- Requests ---------------------------------------------------------------------------------
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
    assert create(api, reference="  A-1  ")["reference"] == "A-1"
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


# --- Answers ----------------------------------------------------------------------------------
def test_create_answers_exactly_the_fields_of_the_contract(api: ApiClient) -> None:
    response = api.post("/collect", order_body())
    assert list(response.body) == ["success", "data"]
    assert list(response.body["data"]) == CREATED_FIELDS


def test_get_and_list_answer_the_eighteen_fields_and_three_additions(api: ApiClient) -> None:
    order = create(api)
    (row,) = api.get("/collect").body["data"]
    assert len(ORDER_FIELDS) == 18
    assert row == order
    assert {name: type(value) for name, value in order.items()} == ORDER_FIELDS | ADDITIONS
    assert list(order["customer"]) == ["name", "email", "documentType", "documentNumber"]
    assert all(isinstance(value, str) for value in order["customer"].values())


def test_a_paid_order_has_the_types_of_the_contract(api: ApiClient) -> None:
    order = create(api, callbackUrl="https://tienda.example/")
    api.post(f"/sandbox/collect/{order['id']}", {"status": "COMPLETED", "method": "CRYPTO"})
    paid = api.get(f"/collect/{order['id']}").body["data"]

    assert (paid["status"], paid["selectedMethod"]) == ("COMPLETED", "CRYPTO")
    for name in ("expiresAt", "paidAt", "createdAt", "updatedAt"):
        assert MOMENT.fullmatch(paid[name]), name
    assert paid["createdAt"] <= paid["paidAt"] <= paid["updatedAt"]
    unchanged = set(ORDER_FIELDS) - {"status", "selectedMethod", "paidAt", "updatedAt"}
    assert {name: paid[name] for name in unchanged} == {name: order[name] for name in unchanged}


def test_ids_sort_by_time_and_links_are_not_guessed_from_them(api: ApiClient) -> None:
    made = [create(api) for _ in range(5)]
    ids = [order["id"] for order in made]
    assert ids == sorted(ids)
    assert all(re.fullmatch(r"col_[0-9a-z]{26}", order_id) for order_id in ids)
    links = {order["collectUrl"] for order in made}
    assert len(links) == 5
    assert not any(order["id"] in order["collectUrl"] for order in made)


def test_a_legacy_order_has_no_base_and_no_fee(api: ApiClient) -> None:
    order_id = create(api)["id"]
    Order.objects.filter(pk=order_id).update(
        created_at=datetime(2025, 12, 31, 23, 59, tzinfo=UTC), base_amount=None, fee_amount=None
    )
    response = api.get(f"/collect/{order_id}")
    data = response.body["data"]
    assert (data["baseAmount"], data["feeAmount"], data["amount"]) == (None, None, 50025)
    assert set(data) == set(ORDER_FIELDS | ADDITIONS)
    assert data["createdAt"] == "2025-12-31T23:59:00.000Z"
    assert api.get("/collect").body["data"] == [data]


def test_a_legacy_order_can_be_paid(api: ApiClient) -> None:
    order_id = create(api)["id"]
    Order.objects.update(base_amount=None, fee_amount=None)
    answer = api.post(f"/sandbox/collect/{order_id}", {"status": "COMPLETED"})
    assert answer.body["data"]["status"] == "COMPLETED"
    assert api.get("/collect/stats").body["data"]["totalCollected"] == "50025"


# --- Lists and statistics ---------------------------------------------------------------------
@pytest.fixture
def one_of_each(api: ApiClient) -> dict[str, str]:
    """An order in each status, by what a merchant can do about it."""
    steps: dict[str, dict[str, Any] | None] = {
        "PENDING": None,
        "WAITING_TRANSFER": {"status": "COMPLETED", "method": "BANK_TRANSFER", "amount": 1},
        "COMPLETED": {"status": "COMPLETED"},
        "FAILED": {"status": "FAILED"},
        "EXPIRED": {"status": "EXPIRED"},
    }
    made = {}
    for status, step in steps.items():
        made[status] = create(api)["id"]
        if step:
            answer = api.post(f"/sandbox/collect/{made[status]}", step)
            assert answer.body["data"]["status"] == status, answer.content
    made["PROCESSING"] = create(api)["id"]
    order = Order.objects.get(pk=made["PROCESSING"])
    charges.start_charge(
        order=order,
        method="PSE",
        payer=charges.payer_of(order),
        fields={"bankCode": "1007", "personType": "NATURAL"},
        return_url=order.collect_url,
        now=clock.now(),
    )
    return made


def test_the_filter_finds_each_status(api: ApiClient, one_of_each: dict[str, str]) -> None:
    for status, order_id in one_of_each.items():
        response = api.get(f"/collect?status={status}")
        assert [row["id"] for row in response.body["data"]] == [order_id], status
        assert response.headers["X-Total-Count"] == "1"
        assert response.body["data"][0]["status"] == status
    assert set(one_of_each) == set(Order.Status.values)
    assert len(api.get("/collect").body["data"]) == 6


def test_statistics_count_each_status(api: ApiClient, one_of_each: dict[str, str]) -> None:
    statistics = api.get("/collect/stats").body["data"]
    assert statistics == {
        "total": 6,
        "pending": 1,
        "completed": 1,
        "failed": 1,
        "totalCollected": "50025",
        "collectedByCurrency": {"COP": "50025"},
    }


def test_a_collected_sum_has_no_exponent_and_no_trailing_zeros(api: ApiClient) -> None:
    for amount in (Decimal("1000.50"), Decimal("1000000")):
        order_id = create(api, amount=amount)["id"]
        api.post(f"/sandbox/collect/{order_id}", {"status": "COMPLETED"})
    assert api.get("/collect/stats").body["data"]["totalCollected"] == "1001501.5"


def test_limit_and_offset_at_their_edges(api: ApiClient) -> None:
    ids = [create(api)["id"] for _ in range(3)][::-1]
    for query, expected in (
        ("limit=1", ids[:1]),
        ("limit=100", ids),
        ("limit=001", ids[:1]),
        ("offset=2", ids[2:]),
        ("offset=3", []),
        ("limit=1&offset=1", ids[1:2]),
    ):
        response = api.get(f"/collect?{query}")
        assert [row["id"] for row in response.body["data"]] == expected, query
        assert response.headers["X-Total-Count"] == "3"


def test_filters_narrow_together(api: ApiClient) -> None:
    order = create(api, reference="A-1")
    create(api, reference="A-2")
    since = order["createdAt"].replace("Z", "%2B00:00")
    assert len(api.get(f"/collect?status=PENDING&createdFrom={since}").body["data"]) == 2
    found = api.get(f"/collect?status=PENDING&reference=A-1&createdFrom={since}").body["data"]
    assert [row["id"] for row in found] == [order["id"]]
    assert api.get("/collect?status=FAILED&reference=A-1").body["data"] == []


def test_a_moment_means_the_same_in_every_zone(api: ApiClient) -> None:
    order_id = create(api)["id"]
    Order.objects.filter(pk=order_id).update(created_at=datetime(2026, 3, 1, 5, tzinfo=UTC))
    for moment, expected in (
        ("2026-03-01T05:00:00Z", 1),
        ("2026-03-01T00:00:00-05:00", 1),
        ("2026-03-01T05:00:00.001Z", 0),
        ("2026-03-01T00:00:00-04:00", 1),
        ("2026-03-01T00:00:00-06:00", 0),
    ):
        assert len(api.get(f"/collect?createdFrom={moment}").body["data"]) == expected, moment


# --- The sandbox ------------------------------------------------------------------------------
@pytest.mark.parametrize("final", ["COMPLETED", "FAILED", "EXPIRED"])
@pytest.mark.parametrize("wish", ["COMPLETED", "FAILED", "EXPIRED"])
def test_a_final_order_never_changes(api: ApiClient, final: str, wish: str) -> None:
    order_id = create(api)["id"]
    api.post(f"/sandbox/collect/{order_id}", {"status": final})
    before = api.get(f"/collect/{order_id}").body

    answer = api.post(f"/sandbox/collect/{order_id}", {"status": wish})
    assert_refused(answer, 400, "ORDER_NOT_PAYABLE")
    assert api.get(f"/collect/{order_id}").body == before


def test_a_method_that_the_order_does_not_have(api: ApiClient) -> None:
    order = create(api, allowedMethods=["PSE"])
    answer = api.post(
        f"/sandbox/collect/{order['id']}", {"status": "COMPLETED", "method": "CRYPTO"}
    )
    assert_refused(answer, 400, "METHOD_NOT_AVAILABLE")
    assert api.get(f"/collect/{order['id']}").body["data"] == order


def test_play_money_adds_up(api: ApiClient) -> None:
    for available in (5000, 10000):
        answer = api.post("/sandbox/balance", {"currency": "COPM", "amount": 5000})
        assert answer.body == {
            "success": True,
            "data": {"currency": "COPM", "available": available},
        }
    answer = api.post("/sandbox/balance", {"currency": "BTC", "amount": Decimal("0.00000001")})
    assert b'"available":0.00000001' in answer.content


# --- Errors -----------------------------------------------------------------------------------
class TestOurOwnFailures:
    """500 and 503: in the envelope, with the request id, and nothing of what happened inside."""

    SECRET = "SELECT secret FROM /srv/app/payments.py"

    CALLS = [
        ("POST", "/collect"),
        ("GET", "/collect"),
        ("GET", "/collect/stats"),
        ("GET", "/collect/col_00000000000000000000000000"),
    ]

    def call(self, api: ApiClient, method: str, path: str, error: Exception) -> HttpResponse:
        """One request; what it asks of the tables of orders fails with `error`."""

        def fail(execute: Any, sql: str, *details: Any) -> Any:
            if "collect_" in sql:
                raise error
            return execute(sql, *details)

        with connection.execute_wrapper(fail):
            return api.call(method, path, order_body(), {"X-Request-Id": "trace-1"})

    @pytest.mark.parametrize(("method", "path"), CALLS)
    def test_a_bug_is_a_500(self, api: ApiClient, method: str, path: str) -> None:
        response = self.call(api, method, path, RuntimeError(self.SECRET))

        assert_refused(response, 500, "INTERNAL_ERROR")
        assert response.headers["X-Request-Id"] == "trace-1"
        assert response.body["error"]["details"] == {"requestId": "trace-1"}
        assert b"secret" not in response.content
        assert "X-RateLimit-Limit" in response.headers

    @pytest.mark.parametrize(("method", "path"), CALLS)
    def test_a_database_that_goes_away_is_a_503(
        self, api: ApiClient, method: str, path: str
    ) -> None:
        response = self.call(api, method, path, OperationalError(f"connection: {self.SECRET}"))

        assert_refused(response, 503, "SERVICE_UNAVAILABLE")
        assert int(response.headers["Retry-After"]) > 0
        assert b"secret" not in response.content

    def test_a_bug_in_a_callback_is_a_500_too(
        self, api: ApiClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(code: str) -> None:
            raise RuntimeError(self.SECRET)

        monkeypatch.setattr(registry, "payin_by_code", fail)
        response = api.generic(
            "POST", "/callbacks/payin/simulator", b"{}", headers={"X-Request-Id": "trace-2"}
        )
        response.body = response.json()
        assert_refused(response, 500, "INTERNAL_ERROR")
        assert response.body["error"]["details"] == {"requestId": "trace-2"}

    def test_a_bug_before_any_view_is_a_500_too(
        self, api: ApiClient, monkeypatch: pytest.MonkeyPatch, settings: Any
    ) -> None:
        settings.API_MAX_BODY_BYTES = None  # the middleware that compares with it breaks
        settings.DEBUG = True  # Django's page full of internals must not come out
        response = api.call("GET", "/collect", None, {"X-Request-Id": "trace-3"})
        assert_refused(response, 500, "INTERNAL_ERROR")
        assert response.body["error"]["details"] == {"requestId": "trace-3"}


@pytest.fixture(scope="module")
def lost_server(django_db_setup: None) -> Iterator[Server]:
    """A web server whose database is not there."""
    nowhere = "postgresql://postgres@127.0.0.1:1/nothing"
    with running_server(DATABASE_URL=nowhere, DATABASE_CONNECT_TIMEOUT="1") as running:
        yield running


class TestWithoutADatabase:
    CREDENTIALS = ("X-Api-Key: pk_x", "X-Api-Secret: sk_x")

    @pytest.mark.parametrize(
        ("method", "target"),
        [
            ("GET", "/api/v1/collect"),
            ("GET", "/api/v1/collect/stats"),
            ("GET", "/api/v1/collect/col_00000000000000000000000000"),
            ("POST", "/api/v1/collect"),
            ("POST", "/api/v1/sandbox/balance"),
        ],
    )
    def test_the_api_says_when_to_come_back(
        self, lost_server: Server, method: str, target: str
    ) -> None:
        raw = request(
            method, target, "Content-Type: application/json", *self.CREDENTIALS, body=b"{}"
        )
        (answer,) = lost_server.send(raw)
        assert answer.status == 503
        assert answer.headers["content-type"] == "application/json"
        assert int(answer.headers["retry-after"]) > 0
        assert answer.headers["x-request-id"]
        assert answer.body["success"] is False
        assert answer.body["error"]["code"] == "SERVICE_UNAVAILABLE"
        assert not INTERNALS.search(answer.content.decode())
        assert b"127.0.0.1" not in answer.content

    def test_a_body_that_comes_later_does_not_cost_the_answer(self, lost_server: Server) -> None:
        """Answered before the body was read, the client would meet a closed connection."""
        lines = ("Content-Type: application/json", *self.CREDENTIALS)
        head, gap, body = request("POST", "/api/v1/collect", *lines, body=b"{}").partition(
            b"\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", lost_server.port), 10) as client:
            client.sendall(head + gap)
            assert not select.select([client], [], [], 0.5)[0]
            client.sendall(body)
            assert client.recv(100).startswith(b"HTTP/1.1 503")

    def test_what_needs_no_database_is_answered(self, lost_server: Server) -> None:
        assert lost_server.send(request("GET", "/healthz"))[0].status == 200
        assert lost_server.send(request("GET", "/api/v1/nothing"))[0].status == 404
        assert lost_server.send(request("GET", "/api/v1/collect"))[0].status == 401
        assert lost_server.send(request("GET", "/readyz"))[0].status == 503


# --- Limits -----------------------------------------------------------------------------------
def test_each_route_has_its_own_limit(api: ApiClient) -> None:
    order_id = create(api)["id"]
    limits = {
        ("POST", "/collect"): "100",
        ("GET", "/collect"): "1000",
        ("GET", "/collect/stats"): "1000",
        ("GET", f"/collect/{order_id}"): "1000",
        ("POST", "/sandbox/balance"): "300",
        ("POST", f"/sandbox/collect/{order_id}"): "300",
    }
    for (method, path), expected in limits.items():
        assert api.call(method, path, {}).headers["X-RateLimit-Limit"] == expected, path


def test_a_refused_request_counts_and_one_without_credentials_does_not(
    api: ApiClient, anonymous: ApiClient
) -> None:
    anonymous.post("/collect", order_body())
    api.post("/collect", {})
    api.post("/collect", "no json")
    response = api.post("/collect", order_body())
    assert response.headers["X-RateLimit-Remaining"] == "97"


def test_beyond_the_limit_nothing_is_validated_or_done(api: ApiClient, settings: Any) -> None:
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "collect_create": "1/m"}
    create(api)
    for body in (order_body(), "no json", {}):
        response = api.post("/collect", body)
        assert_refused(response, 429, "RATE_LIMIT_EXCEEDED")
        assert {"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} <= set(
            response.headers
        )
    assert Order.objects.count() == 1
