"""/topup: the rows of the contract on top-ups, from the outside."""

import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.test import Client

from merchants.models import Merchant
from payments.core import clock
from payments.ledger import services as ledger
from payments.ledger.models import Entry
from payments.providers import breaker
from payments.providers.simulator import books, outgoing_books
from payments.topup.models import Operator, TopUp, TopUpTerms
from payments.topup.services import catalogue
from tests.factories import issue_key
from tests.fixtures import ApiClient
from tests.topup.stories import balance, bought, buy, credit, read, refusal, topup_body


def test_it_works(api: ApiClient, merchant: Merchant) -> None:
    response = buy(api)

    assert response.status_code == 201, response.content
    topup = TopUp.objects.get()
    data = response.body["data"]
    ticket = data.pop("ticket")
    assert data == {
        "id": topup.pk,
        "status": "completed",
        "phone": "3001234567",
        "amountCop": 20000,
        "feeCop": 0,
        "totalCop": 20000,
        "reference": topup.provider_reference,
        "operatorCode": "claro",
        "failureReason": None,
        "createdAt": clock.iso(topup.created_at),
        "completedAt": clock.iso(topup.completed_at),
    }
    assert re.fullmatch(r"top_[0-9a-z]{26}", topup.pk)
    assert re.fullmatch(r"tor_[0-9a-z]{26}", data["reference"])
    assert re.fullmatch(r"[0-9]{6}", ticket.pop("authorization"))
    assert ticket.pop("number").startswith("simto_")
    assert ticket.pop("legend")
    assert ticket == {
        "provider": "simulator",
        "issuedAt": data["completedAt"],
        "operator": "Claro",
        "phone": "3001234567",
        "amountCop": 20000,
    }
    assert balance(merchant) == (980_000, 0)
    assert outgoing_books.executions(topup.pk) == 1
    assert [entry.kind for entry in Entry.objects.filter(subject_id=topup.pk)] == [
        "topup_reserved",
        "topup_completed",
    ]
    assert not ledger.verify().problems


def test_reading_it_answers_the_same(api: ApiClient) -> None:
    data = buy(api).body["data"]
    assert read(api, data["id"]) == data
    assert api.get("/topup").body["data"] == [data]


def test_the_rail_gets_its_own_code(api: ApiClient) -> None:
    topup = bought(api, phone="+57 301-555 0000", operatorCode="movil-exito", amountCop=3500)
    (record,) = outgoing_books.by_payment_id(topup.pk)
    assert (record.rail, record.destination, record.amount) == ("EXI", "3015550000", 3500)
    assert record.callback_url == "http://testserver/callbacks/topup/simulator"


class TestOperators:
    def test_it_works(self, api: ApiClient) -> None:
        rows = api.get("/topup/operators").body["data"]

        assert [row["code"] for row in rows] == sorted(
            (row["code"] for row in rows), key=lambda code: Operator.objects.get(pk=code).name
        )
        assert {row["code"] for row in rows} == {
            *("claro", "movistar", "tigo", "wom", "virgin", "etb", "movil-exito", "flash", "uff")
        }
        by_code = {row["code"]: row for row in rows}
        assert by_code["claro"] == {
            "code": "claro",
            "name": "Claro",
            "logo": "http://testserver/static/operators/claro.svg",
            "minAmount": 1000,
            "maxAmount": 500000,
            "allowedAmounts": None,
        }
        assert by_code["flash"]["allowedAmounts"] == [5000, 10000, 20000, 30000, 50000]

    def test_each_logo_is_served_to_anybody(self, api: ApiClient) -> None:
        for row in api.get("/topup/operators").body["data"]:
            response = Client().get(row["logo"].removeprefix("http://testserver"))
            assert response.status_code == 200, row
            assert response.headers["Content-Type"] == "image/svg+xml"
            assert b"<svg" in b"".join(response)

    def test_reading_needs_no_enablement(self, api: ApiClient) -> None:
        Merchant.objects.update(topup_enabled=False)
        assert api.get("/topup/operators").status_code == 200
        assert api.get("/topup").body["data"] == []

    @pytest.mark.parametrize("changes", [{"is_enabled": False}, {"codes": {"another": "1"}}])
    def test_what_cannot_be_bought_vanishes(self, api: ApiClient, changes: Any) -> None:
        Operator.objects.filter(code="claro").update(**changes)

        codes = [row["code"] for row in api.get("/topup/operators").body["data"]]
        assert len(codes) == 8
        assert "claro" not in codes
        response = buy(api)
        assert refusal(response) == (400, "VALIDATION_ERROR")
        assert response.body["error"]["details"]["field"] == "operatorCode"

    def test_all_of_them_switched_off(self, api: ApiClient) -> None:
        TopUpTerms.objects.update(is_enabled=False)
        assert api.get("/topup/operators").body["data"] == []
        response = buy(api)
        assert refusal(response) == (503, "SERVICE_UNAVAILABLE")
        assert int(response.headers["Retry-After"]) > 0

    def test_limits_are_the_narrower_of_the_two(self, api: ApiClient) -> None:
        TopUpTerms.objects.update(min_amount=2000, max_amount=40000)
        Operator.objects.filter(code="claro").update(max_amount=100000)
        Operator.objects.filter(code="tigo").update(max_amount=30000, min_amount=5000)

        rows = {row["code"]: row for row in api.get("/topup/operators").body["data"]}
        assert (rows["claro"]["minAmount"], rows["claro"]["maxAmount"]) == (2000, 40000)
        assert (rows["tigo"]["minAmount"], rows["tigo"]["maxAmount"]) == (5000, 30000)
        assert rows["flash"]["allowedAmounts"] == [5000, 10000, 20000, 30000]

    def test_without_any_minimum_it_is_null(self, api: ApiClient) -> None:
        Operator.objects.filter(code="claro").update(min_amount=None)
        row = api.get("/topup/operators").body["data"][0]
        assert (row["code"], row["minAmount"]) == ("claro", None)
        assert buy(api, amountCop=1).status_code == 201

    def test_loading_again_changes_nothing(self) -> None:
        Operator.objects.filter(code="claro").update(name="Claro Colombia", is_enabled=False)
        TopUpTerms.objects.update(max_amount=7)
        assert catalogue.load_catalogue(now=clock.now()) == 0
        claro = Operator.objects.get(code="claro")
        assert (claro.name, claro.is_enabled) == ("Claro Colombia", False)
        assert TopUpTerms.objects.get().max_amount == 7

    def test_a_real_rail_brings_its_own_codes(self, settings: Any) -> None:
        Operator.objects.all().delete()
        settings.TOPUP_PROVIDER = "another"
        assert catalogue.load_catalogue(now=clock.now()) == 0
        assert not Operator.objects.exists()

    def test_a_logo_that_is_gone_leaves_a_neutral_one(
        self, api: ApiClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def manifest(path: str) -> str:
            if "claro" in path:
                raise ValueError("Missing staticfiles manifest entry")
            return f"/static/{path}"

        monkeypatch.setattr(catalogue, "static", manifest)
        rows = api.get("/topup/operators").body["data"]
        assert rows[0]["logo"] == "http://testserver/static/operators/other.svg"


class TestEnablement:
    def test_503_comes_before_everything_else(self, api: ApiClient, merchant: Merchant) -> None:
        first = buy(api, key="k-1")
        Merchant.objects.update(topup_enabled=False)

        for response in (
            buy(api),
            buy(api, key="k-1"),
            api.post("/topup", {}),
            api.post("/topup", b"{", headers={"Idempotency-Key": "k"}),
            buy(api, amountCop=-1, phone="x"),
        ):
            assert refusal(response) == (503, "TOPUP_NOT_ENABLED")
            assert "Retry-After" not in response.headers
        assert read(api, first.body["data"]["id"])["status"] == "completed"
        assert TopUp.objects.count() == 1

    def test_but_after_credentials(self, anonymous: ApiClient) -> None:
        Merchant.objects.update(topup_enabled=False)
        assert refusal(buy(anonymous)) == (401, "MISSING_CREDENTIALS")
        wrong = {"X-Api-Key": "pk_x", "X-Api-Secret": "sk_x"}
        assert refusal(anonymous.post("/topup", {}, headers=wrong)) == (401, "INVALID_CREDENTIALS")

    def test_any_key_of_the_merchant_may_buy(self, api: ApiClient, merchant: Merchant) -> None:
        """The contract knows a permission for payouts only."""
        key, secret = issue_key(merchant)
        headers = {"X-Api-Key": key.public_key, "X-Api-Secret": secret, "Idempotency-Key": "k"}
        assert api.post("/topup", topup_body(), headers=headers).status_code == 201
        assert TopUp.objects.get().requested_by == key.pk


class TestIdempotency:
    def test_a_key_is_required(self, api: ApiClient) -> None:
        assert refusal(api.post("/topup", topup_body())) == (400, "IDEMPOTENCY_KEY_REQUIRED")
        assert refusal(api.post("/topup", {})) == (400, "IDEMPOTENCY_KEY_REQUIRED")
        blank = topup_body(idempotencyKey="")
        assert refusal(api.post("/topup", blank)) == (400, "IDEMPOTENCY_KEY_REQUIRED")

    def test_it_may_come_in_the_body_or_both(self, api: ApiClient, merchant: Merchant) -> None:
        first = api.post("/topup", topup_body(idempotencyKey="k-1"))
        again = buy(api, key="k-1")
        both = buy(api, key="k-1", idempotencyKey="k-1")

        assert [each.status_code for each in (first, again, both)] == [201, 201, 201]
        assert first.content == again.content == both.content
        assert "Idempotent-Replayed" not in first.headers
        assert again.headers["Idempotent-Replayed"] == "true"
        assert both.headers["Idempotent-Replayed"] == "true"
        topup = TopUp.objects.get()
        assert outgoing_books.executions(topup.pk) == 1
        assert books.calls(topup.provider_reference, "send") == 1
        assert balance(merchant) == (980_000, 0)

    def test_header_and_body_must_agree(self, api: ApiClient) -> None:
        response = buy(api, key="b", idempotencyKey="a")
        assert refusal(response) == (400, "VALIDATION_ERROR")
        assert response.body["error"]["details"]["field"] == "idempotencyKey"
        assert not TopUp.objects.exists()

    @pytest.mark.parametrize("key", ["x" * 256, "clave ñ", "a b", 5, ["k"], True])
    def test_a_malformed_key(self, api: ApiClient, key: Any) -> None:
        response = api.post("/topup", topup_body(idempotencyKey=key))
        assert refusal(response) == (400, "VALIDATION_ERROR")
        assert response.body["error"]["details"]["field"] == "idempotencyKey"

    @pytest.mark.parametrize(
        "changes", [{"amountCop": 20001}, {"phone": "3001234568"}, {"operatorCode": "tigo"}]
    )
    def test_another_request_is_refused(self, api: ApiClient, changes: Any) -> None:
        buy(api, key="k-1")
        assert refusal(buy(api, key="k-1", **changes)) == (400, "IDEMPOTENCY_KEY_REUSED")
        assert TopUp.objects.count() == 1

    def test_another_spelling_of_the_phone_is_the_same_request(self, api: ApiClient) -> None:
        first = buy(api, key="k-1", phone="300 123 45 67")
        again = buy(api, key="k-1", phone="+57-300-1234567", extra="ignored")
        assert again.content == first.content
        assert again.headers["Idempotent-Replayed"] == "true"

    def test_a_replay_does_not_look_at_what_has_changed_since(self, api: ApiClient) -> None:
        first = buy(api, key="k-1")
        TopUpTerms.objects.update(max_amount=1, is_enabled=False)
        Operator.objects.update(is_enabled=False, name="Otro")
        again = buy(api, key="k-1")
        assert (again.status_code, again.content) == (201, first.content)

    def test_keys_of_two_merchants_do_not_meet(
        self, api: ApiClient, stranger_api: ApiClient, stranger: Merchant
    ) -> None:
        credit(stranger, 50_000)
        mine, theirs = buy(api, key="same"), buy(stranger_api, key="same")
        assert mine.status_code == theirs.status_code == 201
        assert mine.body["data"]["id"] != theirs.body["data"]["id"]

    @pytest.mark.parametrize(
        "changes",
        [
            {"amountCop": 2_000_000},
            {"amountCop": 1},
            {"amountCop": "20000"},
            {"phone": "123"},
            {"operatorCode": "nobody"},
            {"operatorCode": "flash", "amountCop": 7000},
        ],
    )
    def test_a_refusal_burns_nothing(self, api: ApiClient, changes: Any) -> None:
        assert buy(api, key="k-1", **changes).status_code == 400
        response = buy(api, key="k-1")
        assert response.status_code == 201
        assert "Idempotent-Replayed" not in response.headers

    def test_nor_does_an_empty_balance(self, api: ApiClient, stranger_api: ApiClient) -> None:
        refused = buy(stranger_api, key="k-1")
        assert refusal(refused) == (400, "INSUFFICIENT_BALANCE")
        assert refused.body["error"]["details"] == {"required": 20000, "available": 0}
        assert not TopUp.objects.exists()

        credit(stranger_api.merchant, 20_000)
        assert buy(stranger_api, key="k-1").body["data"]["status"] == "completed"
        assert balance(stranger_api.merchant) == (0, 0)

    def test_nor_does_a_provider_that_is_away(self, api: ApiClient, settings: Any) -> None:
        settings.TOPUP_PROVIDER = ""
        assert buy(api, key="k-1").status_code == 400  # no operator is reached without a rail
        settings.TOPUP_PROVIDER = "simulator"
        for _ in range(settings.PROVIDER_BREAKER_FAILURES):
            breaker.record("topup:simulator", False)
        away = buy(api, key="k-1")
        assert refusal(away) == (503, "SERVICE_UNAVAILABLE")
        assert int(away.headers["Retry-After"]) > 0
        assert not TopUp.objects.exists()
        breaker.record("topup:simulator", True)
        assert buy(api, key="k-1").status_code == 201


class TestPhone:
    @pytest.mark.parametrize(
        "phone",
        [
            "3001234567",
            "+573001234567",
            "+57 300 123 4567",
            "+57-300-123-45-67",
            "300-123 4567",
            "  3001234567  ",
        ],
    )
    def test_forms(self, api: ApiClient, phone: str) -> None:
        assert buy(api, phone=phone).body["data"]["phone"] == "3001234567"

    @pytest.mark.parametrize("phone", ["3991234567", "3000000000", "3777777777", "3221234567"])
    def test_a_prefix_is_no_reason_to_refuse(self, api: ApiClient, phone: str) -> None:
        for operator in ("claro", "tigo"):
            assert buy(api, phone=phone, operatorCode=operator).body["data"]["phone"] == phone

    @pytest.mark.parametrize(
        "phone",
        [
            None,
            "",
            "   ",
            "300123456",
            "30012345678",
            "+5730012345678",
            "573001234567",
            "+583001234567",
            "++573001234567",
            "+57",
            "6012345678",
            "6011234567",
            "2001234567",
            "0300123456",
            "30012345AB",
            "llamame",
            "300.123.4567",
            "(300)1234567",
            "3001234567;3001234568",
            "٣٠٠١٢٣٤٥٦٧",
            "３００１２３４５６７",
            "3001234567\n",
            "3001234567\u0000",
            "3" * 41,
            3001234567,
            True,
            ["3001234567"],
            {"number": "3001234567"},
        ],
    )
    def test_what_is_no_mobile(self, api: ApiClient, merchant: Merchant, phone: Any) -> None:
        response = buy(api, phone=phone)
        assert refusal(response) == (400, "VALIDATION_ERROR")
        assert response.body["error"]["details"]["field"] == "phone"
        assert not TopUp.objects.exists()
        assert balance(merchant) == (1_000_000, 0)


class TestAmount:
    @pytest.mark.parametrize(
        "amount",
        [
            *(None, 0, -1, -20000, "20000", "", True, False, [], [20000], {}),
            *(Decimal("20000.5"), Decimal("20000.01"), Decimal("20000.0"), Decimal("0.5")),
            *(10**12, 10**15, 10**100),
        ],
    )
    def test_whole_pesos_only(self, api: ApiClient, merchant: Merchant, amount: Any) -> None:
        response = buy(api, amountCop=amount)
        assert refusal(response) == (400, "VALIDATION_ERROR")
        assert response.body["error"]["details"]["field"] == "amountCop"
        assert not TopUp.objects.exists()
        assert balance(merchant) == (1_000_000, 0)

    @pytest.mark.parametrize("number", ["1e400", "1e4", "-1e400", "2E4", "9" * 4000])
    def test_spellings_of_numbers(self, api: ApiClient, number: str) -> None:
        body = f'{{"phone": "3001234567", "operatorCode": "claro", "amountCop": {number}}}'
        response = api.post("/topup", body, headers={"Idempotency-Key": "k"})
        assert refusal(response) == (400, "VALIDATION_ERROR")
        assert not TopUp.objects.exists()

    def test_the_cap_is_the_last_that_passes(self, api: ApiClient) -> None:
        assert buy(api, amountCop=500_000).status_code == 201
        response = buy(api, amountCop=500_001)
        assert refusal(response) == (400, "AMOUNT_ABOVE_LIMIT")
        details = response.body["error"]["details"]
        assert details == {"field": "amountCop", "max": 500000}

    def test_the_minimum_is_the_first_that_passes(self, api: ApiClient) -> None:
        assert buy(api, amountCop=1000).status_code == 201
        response = buy(api, amountCop=999)
        assert refusal(response) == (400, "AMOUNT_BELOW_MINIMUM")
        assert response.body["error"]["details"] == {"field": "amountCop", "min": 1000}

    def test_the_operators_own_maximum(self, api: ApiClient) -> None:
        Operator.objects.filter(code="claro").update(max_amount=50_000)
        response = buy(api, amountCop=50_001)
        assert refusal(response) == (400, "AMOUNT_ABOVE_LIMIT")
        assert response.body["error"]["details"]["max"] == 50000
        assert buy(api, amountCop=50_000).status_code == 201

    def test_packages_are_sold_as_they_are(self, api: ApiClient) -> None:
        assert buy(api, operatorCode="flash", amountCop=30_000).status_code == 201
        response = buy(api, operatorCode="flash", amountCop=30_001)
        assert refusal(response) == (400, "VALIDATION_ERROR")
        details = response.body["error"]["details"]
        assert details["field"] == "amountCop"
        assert details["allowedAmounts"] == [5000, 10000, 20000, 30000, 50000]

    def test_the_fee_is_a_row(self, api: ApiClient, merchant: Merchant) -> None:
        TopUpTerms.objects.update(fee_flat=100, fee_rate=Decimal("0.01"))
        data = buy(api, amountCop=20_050).body["data"]
        assert (data["amountCop"], data["feeCop"], data["totalCop"]) == (20050, 301, 20351)
        assert data["ticket"]["amountCop"] == 20050
        assert balance(merchant) == (979_649, 0)

    def test_amount_and_fee_must_be_there(self, api: ApiClient, merchant: Merchant) -> None:
        TopUpTerms.objects.update(fee_flat=1, max_amount=2_000_000)
        response = buy(api, amountCop=1_000_000)
        assert refusal(response) == (400, "INSUFFICIENT_BALANCE")
        assert response.body["error"]["details"] == {"required": 1000001, "available": 1000000}
        assert buy(api, amountCop=999_999).status_code == 201
        assert balance(merchant) == (0, 0)


class TestOperatorCode:
    @pytest.mark.parametrize(
        "code",
        [None, "", "  ", "nobody", "CLARO", "Claro", "clar\u0000o", "x" * 41, 5, True, ["claro"]],
    )
    def test_a_code_that_is_not_in_the_catalogue(self, api: ApiClient, code: Any) -> None:
        response = buy(api, operatorCode=code)
        assert refusal(response) == (400, "VALIDATION_ERROR")
        assert response.body["error"]["details"]["field"] == "operatorCode"
        assert not TopUp.objects.exists()

    def test_every_wrong_field_is_named(self, api: ApiClient) -> None:
        response = api.post("/topup", {}, headers={"Idempotency-Key": "k"})
        details = response.body["error"]["details"]
        assert details["field"] == "phone"
        assert list(details["fields"]) == ["phone", "operatorCode", "amountCop"]


class TestReads:
    def test_newest_first_in_pages(self, api: ApiClient) -> None:
        ids = [buy(api, amountCop=1000 + number).body["data"]["id"] for number in range(5)]
        response = api.get("/topup?limit=2&offset=1")
        assert [row["id"] for row in response.body["data"]] == [ids[3], ids[2]]
        assert response.headers["X-Total-Count"] == "5"
        assert api.get("/topup?offset=5").body["data"] == []

    def test_by_status_in_lower_case(self, api: ApiClient) -> None:
        done, refused = buy(api), buy(api, phone="3990001002")
        for status, response in (("completed", done), ("failed", refused)):
            rows = api.get(f"/topup?status={status}").body["data"]
            assert [row["id"] for row in rows] == [response.body["data"]["id"]]
        assert api.get("/topup?status=refunded").body["data"] == []

    def test_by_time(self, api: ApiClient) -> None:
        with time_machine.travel("2026-03-01T12:00:00Z", tick=False):
            old = buy(api).body["data"]["id"]
        new = buy(api).body["data"]["id"]
        march = "2026-03-01T12:00:00.000Z"
        later = clock.iso(clock.now() - timedelta(minutes=5))
        ids = lambda query: [row["id"] for row in api.get(f"/topup?{query}").body["data"]]  # noqa: E731
        assert ids(f"createdFrom={march}") == [new, old]
        assert ids(f"createdTo={march}") == []
        assert ids(f"createdFrom={later}") == [new]
        assert ids(f"createdTo={later}") == [old]

    @pytest.mark.parametrize(
        ("query", "field"),
        [
            *(("limit=0", "limit"), ("limit=101", "limit"), ("limit=1e1", "limit")),
            *(("offset=-1", "offset"), ("status=COMPLETED", "status"), ("status=", "status")),
            *(("status=pending", "status"), ("createdFrom=today", "createdFrom")),
            *(("createdTo=2026-01-01", "createdTo"), ("limit=1&limit=2", "limit")),
        ],
    )
    def test_bad_queries(self, api: ApiClient, query: str, field: str) -> None:
        response = api.get(f"/topup?{query}")
        assert refusal(response) == (400, "VALIDATION_ERROR")
        assert response.body["error"]["details"]["field"] == field


class TestWalls:
    def test_another_merchants_is_absent(self, api: ApiClient, stranger_api: ApiClient) -> None:
        mine = buy(api).body["data"]["id"]
        absent = stranger_api.get("/topup/top_00000000000000000000000000")
        for path in (mine, "top_x", mine.upper(), f"po_{mine[4:]}", "%00", "x" * 3000):
            response = stranger_api.get(f"/topup/{path}")
            assert refusal(response) == (404, "NOT_FOUND")
            assert response.content == absent.content
        assert stranger_api.get("/topup").body["data"] == []
        assert read(api, mine)["id"] == mine

    def test_methods(self, api: ApiClient) -> None:
        mine = buy(api).body["data"]["id"]
        for method, path in (("PUT", "/topup"), ("DELETE", f"/topup/{mine}")):
            assert refusal(api.call(method, path, {})) == (405, "METHOD_NOT_ALLOWED")
