"""/payout: the rows of the contract on payouts, from the outside.

The fields of a request are in test_fields.py, what becomes of a payout in test_engine.py.
"""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.core.cache import cache

from merchants.models import Merchant
from payments.api.idempotency import fingerprint
from payments.core import clock
from payments.ledger import services as ledger
from payments.payout.models import Bank, Payout, PayoutMethod, PayoutSwitch
from payments.payout.services.engine import engine
from payments.providers import breaker
from payments.simulator import store
from tests.support.factories import issue_key, payout_body
from tests.support.fixtures import ApiClient
from tests.support.funds import balance, fund
from tests.support.outgoing_payments import refusal
from tests.support.payouts import read, send

pytestmark = pytest.mark.usefixtures("funds")


def test_payout_is_held_sent_and_completed(api: ApiClient, merchant: Merchant) -> None:
    response = send(api)

    assert response.status_code == 201, response.content
    data = response.body["data"]
    payout = Payout.objects.get()
    assert data == {
        "payoutId": payout.pk,
        "status": "PENDING",
        "amount": 100000,
        "feeAmount": 2500,
        "recipientName": "Juan Pérez",
        "network": "bank",
        "providerPayoutId": None,
        "createdAt": clock.iso(payout.created_at),
        "completedAt": None,
        "failureReason": None,
        "reference": None,
        "description": "Nómina",
        "beneficiary": {
            "name": "J··· P···",
            "documentType": "CC",
            "documentNumber": "···3456",
            "bankCanonicalId": "bancolombia",
            "accountType": "SAVINGS",
            "accountNumber": "···8901",
            "keyType": None,
            "keyValue": None,
        },
        "metadata": {},
    }
    assert balance(merchant) == (897500, 102500)

    engine.process_due(now=clock.now())
    assert read(api, payout.pk)["status"] == "PROCESSING"
    done = api.post(f"/sandbox/payout/{payout.pk}", {"status": "COMPLETED"})
    assert done.body["data"]["status"] == "COMPLETED"
    assert done.body["data"]["completedAt"]
    assert done.body["data"]["providerPayoutId"]
    assert balance(merchant) == (897500, 0)
    assert store.executions(payout.pk) == 1
    assert not ledger.verify().problems


def test_own_reference_and_metadata_come_back_as_sent(api: ApiClient) -> None:
    body = payout_body(reference=" NOMINA-7 ", metadata={"lote": 1.50, "ñ": None})
    made = send(api, body, "k-1").body["data"]
    again = send(api, body, "k-1")
    assert made["reference"] == "NOMINA-7"
    assert made["metadata"] == {"lote": Decimal("1.50"), "ñ": None}
    assert again.headers["Idempotent-Replayed"] == "true"
    other = send(api, body | {"reference": "NOMINA-8"}, "k-1")
    assert refusal(other) == (400, "IDEMPOTENCY_KEY_REUSED")
    assert read(api, made["payoutId"])["reference"] == "NOMINA-7"


def test_repetition_of_a_request_of_the_release_before_is_the_same(api: ApiClient) -> None:
    """It had neither field, so its fingerprint must not count them."""
    wanted = {
        "amount": Decimal(100000),
        "currency": "COPM",
        "recipient_name": "Juan Pérez",
        "recipient_doc_type": "CC",
        "recipient_doc_number": "79.123.456",
        "network": "BANK",
        "bank": "bancolombia",
        "account_type": "SAVINGS",
        "account_number": "12345678901",
        "key_type": None,
        "key_value": None,
        "description": "Nómina",
    }
    send(api, payout_body(), "k-1")
    assert bytes(Payout.objects.get().fingerprint) == fingerprint(wanted)


def test_beneficiary_of_a_key_is_masked(api: ApiClient) -> None:
    key = {"network": "BREB", "keyType": "EMAIL", "keyValue": "juan@example.com"}
    none = dict.fromkeys(("bankCanonicalId", "accountType", "accountNumber"))
    made = send(api, payout_body(**key, **none)).body["data"]["beneficiary"]
    assert (made["keyType"], made["keyValue"]) == ("EMAIL", "j***@example.com")
    assert {name: made[name] for name in none} == none


def test_failed_payout_says_why(api: ApiClient) -> None:
    made = send(api, payout_body(recipientDocNumber="9999001002")).body["data"]
    engine.process_due(now=clock.now())
    failed = read(api, made["payoutId"])
    assert (failed["status"], failed["failureReason"]) == ("FAILED", "REFUSED_BY_PROVIDER")


class TestCatalogue:
    def test_methods_show_limits_fields_and_banks(self, api: ApiClient) -> None:
        data = api.get("/payout/methods").body["data"]

        assert data["enabled"] is True
        bank, breb = data["methods"]
        assert (bank["method"], bank["network"], bank["currency"]) == ("bank", "BANK", "COP")
        assert bank["limits"] == {"maxAmountCop": 50000000}
        assert bank["minAmount"] is None
        assert {"bankCanonicalId": "bancolombia", "name": "Bancolombia"} in bank["banks"]
        assert [field["key"] for field in bank["requiredFields"]][-3:] == [
            "bankCanonicalId",
            "accountType",
            "accountNumber",
        ]
        assert (breb["method"], breb["limits"]) == ("breb", {"maxAmountCop": 11552000})
        assert "banks" not in breb
        assert {"key": "keyType", "required": True, "type": "string"}.items() <= breb[
            "requiredFields"
        ][-2].items()

    def test_switched_off_payouts_have_no_methods_and_are_refused(self, api: ApiClient) -> None:
        PayoutSwitch.objects.update(is_enabled=False)

        assert api.get("/payout/methods").body["data"] == {"enabled": False, "methods": []}
        assert refusal(send(api)) == (503, "PAYOUT_DISABLED")

    def test_a_method_switched_off(self, api: ApiClient) -> None:
        PayoutMethod.objects.filter(method="bank").update(is_enabled=False)

        methods = api.get("/payout/methods").body["data"]["methods"]
        assert [row["method"] for row in methods] == ["breb"]
        assert refusal(send(api)) == (400, "PAYOUT_METHOD_NOT_AVAILABLE")

    def test_fees_and_limits_are_rows(self, api: ApiClient) -> None:
        PayoutMethod.objects.filter(method="bank").update(
            fee_flat=100, fee_rate=Decimal("0.01"), min_amount=1000, max_amount=200000
        )
        assert send(api).body["data"]["feeAmount"] == 1100
        # The limits themselves are taken.
        for edge in (1000, 200000):
            assert send(api, payout_body(amount=edge)).status_code == 201
        low = send(api, payout_body(amount=999))
        assert refusal(low) == (400, "AMOUNT_BELOW_MINIMUM")
        assert low.body["error"]["details"]["min"] == 1000
        high = send(api, payout_body(amount=Decimal("200000.01")))
        assert refusal(high) == (400, "AMOUNT_ABOVE_LIMIT")
        assert high.body["error"]["details"]["max"] == 200000


class TestPermission:
    @pytest.mark.parametrize("path", ["/payout", "/payout/methods", "/payout/po_x"])
    def test_reads_of_payouts_need_enablement(self, api: ApiClient, path: str) -> None:
        Merchant.objects.update(payout_enabled=False)
        assert refusal(api.get(path)) == (403, "FORBIDDEN")

    def test_sending_needs_the_keys_permission(self, api: ApiClient, merchant: Merchant) -> None:
        key, secret = issue_key(merchant)
        headers = {"X-Api-Key": key.public_key, "X-Api-Secret": secret}

        assert api.get("/payout", headers=headers).status_code == 200
        response = api.post("/payout", payout_body(), headers={**headers, "Idempotency-Key": "k"})
        assert refusal(response) == (403, "FORBIDDEN")
        assert "payout:create" in response.body["error"]["message"]

    def test_permission_comes_before_the_idempotency_key(self, api: ApiClient) -> None:
        Merchant.objects.update(payout_enabled=False)
        assert refusal(api.post("/payout", {})) == (403, "FORBIDDEN")


class TestIdempotency:
    def test_a_key_is_required(self, api: ApiClient) -> None:
        assert refusal(api.post("/payout", payout_body())) == (400, "IDEMPOTENCY_KEY_REQUIRED")
        assert refusal(api.post("/payout", {})) == (400, "IDEMPOTENCY_KEY_REQUIRED")

    def test_idempotency_key_may_come_in_the_body(self, api: ApiClient) -> None:
        first = api.post("/payout", payout_body(idempotencyKey="k-1"))
        again = send(api, key="k-1")

        assert first.status_code == again.status_code == 201
        assert first.body == again.body
        assert again.headers["Idempotent-Replayed"] == "true"
        assert Payout.objects.count() == 1

    def test_header_and_body_must_agree(self, api: ApiClient) -> None:
        response = send(api, payout_body(idempotencyKey="a"), key="b")
        assert refusal(response) == (400, "VALIDATION_ERROR")

    def test_a_replay_shows_the_payout_as_it_stands_now(
        self, api: ApiClient, merchant: Merchant
    ) -> None:
        first = send(api, key="k-1").body["data"]["payoutId"]
        api.post(f"/sandbox/payout/{first}", {"status": "COMPLETED"})
        PayoutSwitch.objects.update(is_enabled=False)

        assert send(api, key="k-1").body["data"]["status"] == "COMPLETED"
        assert balance(merchant) == (897500, 0)

    def test_another_request_is_refused(self, api: ApiClient) -> None:
        send(api, key="k-1")
        response = send(api, payout_body(amount=100001), key="k-1")
        assert refusal(response) == (400, "IDEMPOTENCY_KEY_REUSED")

    def test_a_refusal_burns_nothing(self, api: ApiClient, merchant: Merchant) -> None:
        body = payout_body(amount=2_000_000)
        refused = send(api, body, key="k-1")
        assert refusal(refused) == (400, "INSUFFICIENT_BALANCE")
        assert refused.body["error"]["details"] == {"required": 2002500, "available": 1000000}
        fund(merchant, 5_000_000)

        assert send(api, body, key="k-1").status_code == 201


class TestUsdt:
    def test_the_rate_is_fixed_at_creation(self, api: ApiClient, merchant: Merchant) -> None:
        fund(merchant, 100, "USDT")
        data = send(api, payout_body(currency="USDT")).body["data"]
        payout = Payout.objects.get()

        assert data["amount"] == 100000
        assert data["feeAmount"] == 2500
        assert payout.debit == Decimal("25.949368")  # 102,500 at 3,950, rounded up
        assert balance(merchant, "USDT") == (100 - payout.debit, payout.debit)
        api.post(f"/sandbox/payout/{payout.pk}", {"status": "COMPLETED"})
        assert balance(merchant, "USDT") == (100 - payout.debit, 0)
        assert not ledger.verify().problems

    def test_payout_above_the_balance_is_refused(self, api: ApiClient, merchant: Merchant) -> None:
        fund(merchant, 25, "USDT")
        response = send(api, payout_body(currency="USDT"))
        assert refusal(response) == (400, "INSUFFICIENT_BALANCE")
        assert balance(merchant, "USDT") == (25, 0)

    def test_a_stale_rate_is_no_guess(self, api: ApiClient, settings: Any) -> None:
        settings.RATE_MAX_AGE_SECONDS = 1
        with time_machine.travel(clock.now() + timedelta(hours=1)):
            response = send(api, payout_body(currency="USDT"))
        assert refusal(response) == (503, "SERVICE_UNAVAILABLE")


class TestWithoutProvider:
    def test_payout_without_a_configured_provider_is_503(
        self, api: ApiClient, settings: Any
    ) -> None:
        settings.PAYOUT_PROVIDER = ""
        Bank.objects.update(codes={"": "1007"})
        assert refusal(send(api)) == (503, "PAYOUT_PROVIDER_UNAVAILABLE")

    def test_its_circuit_is_open(self, api: ApiClient) -> None:
        for _ in range(5):
            breaker.record("payout:simulator", False)
        response = send(api)
        assert refusal(response) == (503, "PAYOUT_PROVIDER_UNAVAILABLE")
        assert response.headers["Retry-After"]
        cache.clear()
        assert send(api).status_code == 201


class TestReads:
    def test_list_shows_the_merchants_payouts_newest_first(self, api: ApiClient) -> None:
        ids = [send(api).body["data"]["payoutId"] for _ in range(3)]
        api.post(f"/sandbox/payout/{ids[0]}", {"status": "FAILED"})

        page = api.get("/payout?limit=2")
        assert [row["payoutId"] for row in page.body["data"]] == [ids[2], ids[1]]
        assert page.headers["X-Total-Count"] == "3"
        assert api.get("/payout?createdFrom=2999-01-01T00:00:00Z").body["data"] == []
        assert len(api.get("/payout?createdTo=2999-01-01T00:00:00Z").body["data"]) == 3
        failed = api.get("/payout?status=FAILED").body["data"]
        assert [row["payoutId"] for row in failed] == [ids[0]]

    @pytest.mark.parametrize(
        "query",
        ["limit=101", "limit=0", "offset=-1", "status=completed", "status=", "createdFrom=x"],
    )
    def test_malformed_query_of_the_list_is_400(self, api: ApiClient, query: str) -> None:
        assert refusal(api.get(f"/payout?{query}")) == (400, "VALIDATION_ERROR")

    @pytest.mark.parametrize("payout_id", ["po_00000000000000000000000000", "x", "%00"])
    def test_absent_payout_is_404(self, api: ApiClient, payout_id: str) -> None:
        assert refusal(api.get(f"/payout/{payout_id}")) == (404, "NOT_FOUND")

    def test_a_stranger_sees_nothing(self, api: ApiClient, stranger_api: ApiClient) -> None:
        mine = send(api).body["data"]["payoutId"]
        assert stranger_api.get("/payout").body["data"] == []
        absent = stranger_api.get("/payout/po_00000000000000000000000000")
        assert stranger_api.get(f"/payout/{mine}").content == absent.content


class TestSandbox:
    @pytest.mark.parametrize(
        ("status", "available"), [("COMPLETED", 897500), ("FAILED", 1000000), ("REFUNDED", 1000000)]
    )
    def test_sandbox_brings_a_payout_to_each_outcome(
        self, api: ApiClient, merchant: Merchant, status: str, available: int
    ) -> None:
        payout_id = send(api).body["data"]["payoutId"]
        response = api.post(f"/sandbox/payout/{payout_id}", {"status": status})

        assert response.body["data"]["status"] == status, response.content
        assert balance(merchant) == (available, 0)
        assert not ledger.verify().problems

    def test_completed_payout_may_be_returned_later(
        self, api: ApiClient, merchant: Merchant
    ) -> None:
        payout_id = send(api).body["data"]["payoutId"]
        done = api.post(f"/sandbox/payout/{payout_id}", {"status": "COMPLETED"}).body["data"]
        back = api.post(f"/sandbox/payout/{payout_id}", {"status": "REFUNDED"}).body["data"]

        assert back["status"] == "REFUNDED"
        assert back["completedAt"] == done["completedAt"]
        assert balance(merchant) == (1_000_000, 0)
        assert not ledger.verify().problems

    @pytest.mark.parametrize("end", ["FAILED", "REFUNDED"])
    def test_sandbox_refuses_an_outcome_that_the_state_forbids(
        self, api: ApiClient, merchant: Merchant, end: str
    ) -> None:
        payout_id = send(api).body["data"]["payoutId"]
        api.post(f"/sandbox/payout/{payout_id}", {"status": end})
        before = balance(merchant)
        response = api.post(f"/sandbox/payout/{payout_id}", {"status": "COMPLETED"})

        assert refusal(response) == (400, "NOT_ALLOWED")
        assert balance(merchant) == before
