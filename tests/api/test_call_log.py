"""The log of API calls: what it keeps of a request, and that no answer depends on it."""

import json
import time
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import OperationalError, connection

from merchants.models import Merchant
from payments.api import request_log
from payments.api.models import ApiCall
from payments.api.request_log import batch_writer, capture, redaction, rows
from payments.core import clock
from tests.contract.wire import request, running_server
from tests.support.factories import MerchantFactory, issue_key, order_body, payout_body
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.usefixtures("call_log")
SK = "sk_" + "aB3-_" * 8 + "xyz"
WHSEC = "whsec_" + "aB3+/" * 8 + "xyz="


def logged() -> list[ApiCall]:
    assert request_log.writer.flush()
    return list(ApiCall.objects.order_by("id"))


def test_successful_call_is_logged_without_its_bodies(api: ApiClient) -> None:
    answer = api.post("/collect", order_body(), headers={"Idempotency-Key": "pedido-7"})
    (call,) = logged()
    assert (call.merchant, call.key) == (api.merchant, api.key.public_key)
    assert (call.method, call.route, call.path) == ("POST", "/collect", "/collect")
    assert (call.status, call.code) == (201, "")
    assert call.request_id == answer.headers["X-Request-Id"]
    assert call.idempotency_key == "pedido-7"
    assert call.subject_id == answer.body["data"]["id"]
    assert call.address == "127.0.0.0/24"
    assert clock.now() - call.at < timedelta(seconds=10)
    assert call.duration_ms < 10_000
    # What went well is not kept.
    assert (call.request_body, call.answer_body) == ("", "")


def test_a_read_names_its_template_and_what_it_is_about(api: ApiClient) -> None:
    order_id = api.post("/collect", order_body()).body["data"]["id"]
    api.get(f"/collect/{order_id}")
    api.get("/collect?status=PENDING&limit=5")
    _created, one, listed = logged()
    assert (one.route, one.path) == ("/collect/{order_id}", f"/collect/{order_id}")
    assert one.subject_id == order_id
    assert (listed.route, listed.path) == ("/collect", "/collect?status=PENDING&limit=5")


@pytest.mark.parametrize(
    ("path", "body", "where"),
    [
        ("/payout", payout_body(), "payoutId"),
        ("/topup", {"phone": "3001234567", "operatorCode": "claro", "amountCop": 20000}, "id"),
    ],
)
def test_created_resource_is_the_subject_of_its_call(
    api: ApiClient, path: str, body: Any, where: str
) -> None:
    api.post("/sandbox/balance", {"currency": "COPM", "amount": 1_000_000})
    made = api.post(path, body, headers={"Idempotency-Key": "k-1"}).body["data"][where]
    api.get(f"{path}/{made}")
    assert [call.subject_id for call in logged()] == ["", made, made]


def test_a_failure_keeps_body_and_answer_without_what_is_personal(api: ApiClient) -> None:
    body = payout_body(
        amount=-1,
        idempotencyKey="nomina-1",
        metadata={"celular": "3001234567", "nota": "llamar al 300 123 4567", "token": "abcdef"},
    )
    answer = api.post("/payout", body)
    (call,) = logged()
    assert (call.status, call.code) == (400, "VALIDATION_ERROR")
    assert call.idempotency_key == "nomina-1"
    kept = json.loads(call.request_body)
    assert kept["amount"] == -1
    assert (kept["network"], kept["bankCanonicalId"]) == ("BANK", "bancolombia")
    assert (kept["recipientDocType"], kept["accountType"]) == ("CC", "SAVINGS")
    assert kept["metadata"]["token"] == "[removed]"
    for secret in ("79.123.456", "12345678901", "Juan Pérez", "3001234567", "300 123 4567"):
        assert secret not in call.request_body
    assert json.loads(call.answer_body) == answer.body


def test_a_refusal_names_the_field_that_was_wrong(api: ApiClient) -> None:
    api.post("/collect", order_body(customerEmail="maria"))
    (call,) = logged()
    fields = json.loads(call.answer_body)["error"]["details"]["fields"]
    assert fields == {"customerEmail": "Must be a valid e-mail address."}


def test_no_secret_and_no_stranger_s_body_is_kept(api: ApiClient, anonymous: ApiClient) -> None:
    secret = api.headers["X-Api-Secret"]
    swapped = {"X-Api-Key": secret, "X-Api-Secret": api.headers["X-Api-Key"]}
    anonymous.post("/collect", order_body(), headers=swapped)
    api.post("/collect", order_body(), headers={"X-Api-Secret": "sk_wrong"})
    first, second = logged()
    assert (first.status, first.merchant, first.key) == (401, None, "")
    assert (second.status, second.merchant, second.key) == (401, None, api.key.public_key)
    everything = str(list(ApiCall.objects.values_list()))
    assert secret not in everything
    assert "sk_wrong" not in everything
    assert first.request_body == second.request_body == ""


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        ('{"customerDocNumber": "1020304050"', "(34 bytes that are not JSON)"),
        (json.dumps({"description": "x" * 9000}), "(9019 bytes)"),
    ],
)
def test_a_body_whose_fields_cannot_be_told_apart_is_not_kept(
    api: ApiClient, body: str, kept: str
) -> None:
    assert api.post("/collect", body).status_code == 400
    assert [call.request_body for call in logged()] == [kept]


def test_stored_body_is_cut_at_its_limit(api: ApiClient) -> None:
    api.post("/collect", order_body(amount=1, description="ñ" * 4000))
    (call,) = logged()
    assert len(call.request_body) == 2048


def test_text_that_the_database_cannot_store_does_not_stop_the_others(api: ApiClient) -> None:
    api.post("/collect", '{"description": "\\u0000\\ud800", "reference": "\\u0000"}')
    api.get("/collect/%00%ff?x=%00")
    api.get("/balance")
    assert [call.status for call in logged()] == [400, 400, 200]


def test_only_the_api_is_logged_and_only_while_it_is_on(api: ApiClient, settings: Any) -> None:
    api.get("/nowhere")
    api.generic("GET", "/healthz")
    api.generic("POST", "/callbacks/payin/simulator", b"{}")
    (call,) = logged()
    assert (call.status, call.code, call.route, call.path) == (404, "NOT_FOUND", "", "/nowhere")
    settings.API_LOG = False
    api.get("/balance")
    assert len(logged()) == 1


def test_logging_a_call_costs_its_request_no_query(
    api: ApiClient, settings: Any, django_assert_num_queries: Any
) -> None:
    settings.API_LOG = False
    with django_assert_num_queries(2) as before:
        api.get("/balance")
    settings.API_LOG = True
    with django_assert_num_queries(len(before)):
        api.get("/balance")


def test_callers_without_credentials_cannot_fill_the_table(
    anonymous: ApiClient, api: ApiClient
) -> None:
    for _ in range(40):
        anonymous.get("/balance")
    api.get("/balance")
    kept = logged()
    strangers = [call for call in kept if call.merchant_id is None]
    assert len(strangers) <= 2 * capture.ANONYMOUS_PER_SECOND  # the second may have turned
    assert kept[-1].merchant_id == api.merchant.pk


class TestWithoutADatabase:
    """The log waits, then forgets; an answer never knows."""

    def test_an_answer_is_given_and_the_calls_wait(
        self, api: ApiClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def away(_rows: object) -> None:
            raise OperationalError

        monkeypatch.setattr(batch_writer, "_copy", away)
        assert api.get("/balance").status_code == 200
        assert not request_log.writer.flush()
        assert len(request_log.writer.calls) == 1
        monkeypatch.undo()
        assert [call.status for call in logged()] == [200]

    def test_a_row_that_it_will_never_take_is_counted_and_left(
        self, api: ApiClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(batch_writer, "_COPY", "COPY api_apicall (nothing) FROM STDIN")
        api.get("/balance")
        assert request_log.writer.flush()
        assert (len(request_log.writer.calls), request_log.writer.lost) == (0, 1)

    def test_full_queue_drops_and_counts_its_oldest_call(
        self, api: ApiClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(batch_writer, "QUEUE_MAX", 2)
        paths = ["/balance", "/collect", "/payout"]
        assert [api.get(path).status_code for path in paths] == [200] * 3
        assert request_log.writer.lost == 1
        assert [call.path for call in logged()] == paths[1:]

    def test_what_finds_no_room_again_is_counted(
        self, api: ApiClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for _ in range(3):
            api.get("/balance")
        first, second, third = request_log.writer.calls
        request_log.writer.calls.clear()
        request_log.writer.add(third)
        monkeypatch.setattr(batch_writer, "QUEUE_MAX", 2)
        request_log.writer._put_back([first, second])
        assert list(request_log.writer.calls) == [second, third]
        assert request_log.writer.lost == 1

    def test_one_bad_row_costs_no_other(
        self, api: ApiClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for number in range(7):
            api.get(f"/balance?x={number}")
        row = batch_writer.as_row

        def bad(call: Any) -> Any:
            cells = row(call)
            return ("no moment", *cells[1:]) if call.query == "x=4" else cells

        monkeypatch.setattr(batch_writer, "as_row", bad)
        assert [call.path[-1] for call in logged()] == ["0", "1", "2", "3", "5", "6"]
        assert (len(request_log.writer.calls), request_log.writer.lost) == (0, 1)

    def test_a_defect_of_the_log_is_no_defect_of_the_answer(
        self, api: ApiClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(*_: object, **__: object) -> None:
            raise RuntimeError

        monkeypatch.setattr(capture, "Call", broken)
        assert api.get("/balance").status_code == 200
        assert logged() == []


def test_old_calls_go_in_batches(
    merchant: Merchant, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("payments.api.request_log.retention.BATCH_ROWS", 3)
    now = clock.now()
    ages = [29, 29.9, 30.1, 31, 40, 50, 60, 70, 80]
    ApiCall.objects.bulk_create(
        ApiCall(
            at=now - timedelta(days=age), merchant=merchant, method="GET", status=200, duration_ms=1
        )
        for age in ages
    )
    assert request_log.delete_old(now=now) == 7
    assert ApiCall.objects.count() == 2
    settings.API_LOG_DAYS = 1
    assert request_log.delete_old(now=now) == 2


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("190.24.10.77", "190.24.10.0/24"),
        ("2800:e2:1:2::9", "2800:e2:1::/48"),
        ("nonsense", ""),
    ],
)
def test_of_an_address_the_network_is_kept(text: str, kept: str) -> None:
    assert rows.network(text) == kept


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"customer_doc_number": "1020304050"}, {"customer_doc_number": "···050"}),
        ({"customerEmail": "maria@example.com"}, {"customerEmail": "m***@example.com"}),
        (
            {"keyValue": "3001234567", "keyType": "PHONE"},
            {"keyValue": "···567", "keyType": "PHONE"},
        ),
        ({"payer": {"phoneNumber": 3001234567}}, {"payer": {"phoneNumber": "···567"}}),
        ({"accounts": [{"x": "12345678"}]}, {"accounts": [{"x": "···78"}]}),
        ({"API-Secret": "s"}, {"API-Secret": "[removed]"}),
        ({"reference": "PEDIDO-20260131"}, {"reference": "PEDIDO-20260131"}),
        ({"reference": "1020304050"}, {"reference": "1020304050"}),
        ({"note": "cc 1.020.304.050, ana@x.co"}, {"note": "cc ···.050, a***@x.co"}),
        ({"createdFrom": "2026-01-31T10:00:00Z"}, {"createdFrom": "2026-01-31T10:00:00Z"}),
        ({"from": "2026-01-31"}, {"from": "2026-01-31"}),
        ({"shipping": "Bogotá", "pin": 1234}, {"shipping": "Bogotá", "pin": "[removed]"}),
        ({"amount": 50000000, "ok": True, "x": None}, {"amount": 50000000, "ok": True, "x": None}),
        ({"totals": [50000000], "fee": 1000000}, {"totals": [50000000], "fee": 1000000}),
        ({"nit": 900123456, "ids": [-9001234]}, {"nit": "···456", "ids": ["···34"]}),
        ({"cc": Decimal("1020304050.0"), "pages": 999_999}, {"cc": "···50.0", "pages": 999_999}),
        (
            {"fields": {"otp": "1", "name": "Ana María"}},
            {"fields": {"otp": "[removed]", "name": "···ría"}},
        ),
        ({"bankName": "Bancolombia"}, {"bankName": "Bancolombia"}),
        (
            {"bankName": {"apiSecret": "s", "x": "3001234567"}},
            {"bankName": {"apiSecret": "[removed]", "x": "···567"}},
        ),
        ({"idempotencyKey": {"secret": "s3cr3t"}}, {"idempotencyKey": {"secret": "[removed]"}}),
        ({"x": f"a {SK} b", "y": WHSEC}, {"x": "a [removed] b", "y": "[removed]"}),
        ({"reference": SK, "bankName": WHSEC}, {"reference": "[removed]", "bankName": "[removed]"}),
        ({"name": f"Ana {SK}", SK: 1}, {"name": "[removed]", "[removed]": 1}),
        ({"x": f"key{SK}"}, {"x": "key[removed]"}),
        ({"x": "task_list of the desk_1"}, {"x": "task_list of the desk_1"}),
    ],
)
def test_personal_and_secret_fields_are_known_by_their_names(given: Any, kept: Any) -> None:
    assert redaction.redact(given) == kept


def test_names_with_what_is_wrong_are_told_of_an_error_only() -> None:
    fields = {"otp": "Required.", "customerPhone": "Not 3001234567."}
    told = {"otp": "Required.", "customerPhone": "Not ···567."}
    error = {"error": {"details": {"fields": fields}}}
    assert redaction.redact_error(error) == {"error": {"details": {"fields": told}}}
    assert redaction.redact(error)["error"]["details"]["fields"]["otp"] == "[removed]"
    assert redaction.redact_error(None) is None


def test_the_fields_of_a_payment_are_no_names_with_what_is_wrong(api: ApiClient) -> None:
    order_id = api.post("/collect", order_body()).body["data"]["id"]
    fields = {"otp": "482913", "password": "hunter2", "name": "Ana Pérez", "phone": "3001234567"}
    api.post(f"/collect/{order_id}/pay", {"method": "nothing", "fields": fields})
    call = logged()[-1]
    assert call.status >= 400
    for value in fields.values():
        assert value not in call.request_body


def test_a_secret_in_a_wrong_place_is_removed(api: ApiClient) -> None:
    sent = order_body(amount=-1, metadata={"a": SK, "b": WHSEC})
    api.post("/collect", sent, headers={"Idempotency-Key": SK})
    api.post("/payout", payout_body(amount=-1, idempotencyKey={"x": "abcdefgh"}))
    api.post("/payout", payout_body(amount=-1, idempotencyKey=WHSEC))
    api.get(f"/collect/{SK}?x={SK}&{SK}=1&reference={SK}")
    kept = logged()
    assert [call.idempotency_key for call in kept] == ["[removed]", "", "[removed]", ""]
    everything = str(list(ApiCall.objects.values_list()))
    assert SK not in everything
    assert WHSEC not in everything


def test_a_query_is_treated_as_fields() -> None:
    assert redaction.query("email=a%40b.co&limit=5") == "email=a***@b.co&limit=5"


class TestThread:
    """The real thread writes on a connection of its own, past any rollback."""

    @pytest.fixture
    def backend(self, transactional_db: None) -> ApiClient:
        return ApiClient(MerchantFactory())

    def test_thread_writes_calls_without_a_flush(self, backend: ApiClient) -> None:
        request_log.writer.threaded = True
        assert backend.get("/balance").status_code == 200
        ends_at = time.monotonic() + 60
        while not ApiCall.objects.exists() and time.monotonic() < ends_at:
            time.sleep(0.05)
        assert ApiCall.objects.get().status == 200
        request_log.writer.finish()

    @pytest.mark.slow
    def test_a_web_server_that_is_stopped_leaves_nothing_unwritten(
        self, transactional_db: None
    ) -> None:
        key, secret = issue_key(MerchantFactory())
        lines = [f"X-Api-Key: {key.public_key}", f"X-Api-Secret: {secret}"]
        with running_server(API_LOG="1") as server:
            for _ in range(5):
                (answer,) = server.send(request("GET", "/api/v1/balance", *lines))
                assert answer.status == 200
        assert ApiCall.objects.filter(status=200, key=key.public_key).count() == 5
        connection.close()
