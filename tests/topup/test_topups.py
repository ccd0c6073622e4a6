"""/topup: the rows of the contract on top-ups, from the outside.

One top-up from the request to the ticket, who may buy, reads and isolation. Operators, keys,
phones and amounts have files of their own.
"""

import re
from datetime import timedelta

import pytest
import time_machine

from merchants.models import Merchant
from payments.core import clock
from payments.ledger import services as ledger
from payments.ledger.models import Entry
from payments.simulator import store
from payments.topup.models import TopUp
from tests.support.factories import issue_key
from tests.support.fixtures import ApiClient
from tests.support.funds import balance
from tests.support.outgoing_payments import refusal
from tests.support.topups import bought, buy, read, topup_body


def test_topup_reaches_the_phone_and_is_paid_from_the_balance(
    api: ApiClient, merchant: Merchant
) -> None:
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
    assert store.executions(topup.pk) == 1
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
    (record,) = store.outgoing.by_payment_id(topup.pk)
    assert (record.rail, record.destination, record.amount) == ("EXI", "3015550000", 3500)
    assert record.callback_url == "http://testserver/callbacks/topup/simulator"


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

    def test_credentials_are_checked_before_enablement(self, anonymous: ApiClient) -> None:
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


class TestReads:
    def test_newest_first_in_pages(self, api: ApiClient) -> None:
        ids = [buy(api, amountCop=1000 + number).body["data"]["id"] for number in range(5)]
        response = api.get("/topup?limit=2&offset=1")
        assert [row["id"] for row in response.body["data"]] == [ids[3], ids[2]]
        assert response.headers["X-Total-Count"] == "5"
        assert api.get("/topup?offset=5").body["data"] == []

    def test_list_filters_by_status_in_lower_case(self, api: ApiClient) -> None:
        done, refused = buy(api), buy(api, phone="3990001002")
        for status, response in (("completed", done), ("failed", refused)):
            rows = api.get(f"/topup?status={status}").body["data"]
            assert [row["id"] for row in rows] == [response.body["data"]["id"]]
        assert api.get("/topup?status=refunded").body["data"] == []

    def test_list_is_narrowed_by_time(self, api: ApiClient) -> None:
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
    def test_malformed_query_of_the_list_is_400(
        self, api: ApiClient, query: str, field: str
    ) -> None:
        response = api.get(f"/topup?{query}")
        assert refusal(response) == (400, "VALIDATION_ERROR")
        assert response.body["error"]["details"]["field"] == field


class TestTenantIsolation:
    def test_another_merchants_is_absent(self, api: ApiClient, stranger_api: ApiClient) -> None:
        mine = buy(api).body["data"]["id"]
        absent = stranger_api.get("/topup/top_00000000000000000000000000")
        for path in (mine, "top_x", mine.upper(), f"po_{mine[4:]}", "%00", "x" * 3000):
            response = stranger_api.get(f"/topup/{path}")
            assert refusal(response) == (404, "NOT_FOUND")
            assert response.content == absent.content
        assert stranger_api.get("/topup").body["data"] == []
        assert read(api, mine)["id"] == mine

    def test_other_methods_are_405(self, api: ApiClient) -> None:
        mine = buy(api).body["data"]["id"]
        for method, path in (("PUT", "/topup"), ("DELETE", f"/topup/{mine}")):
            assert refusal(api.call(method, path, {})) == (405, "METHOD_NOT_ALLOWED")
