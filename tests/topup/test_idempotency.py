"""The idempotency key of POST /topup: one key is one top-up, and a refusal burns nothing.

Requests that race for a key are in tests/contract/test_topup_races.py.
"""

from typing import Any

import pytest

from merchants.models import Merchant
from payments.providers import breaker
from payments.simulator import store
from payments.topup.models import Operator, TopUp, TopUpTerms
from tests.support.fixtures import ApiClient
from tests.support.funds import balance, fund
from tests.support.outgoing_payments import refusal
from tests.support.topups import buy, topup_body


class TestIdempotency:
    def test_a_key_is_required(self, api: ApiClient) -> None:
        assert refusal(api.post("/topup", topup_body())) == (400, "IDEMPOTENCY_KEY_REQUIRED")
        assert refusal(api.post("/topup", {})) == (400, "IDEMPOTENCY_KEY_REQUIRED")
        blank = topup_body(idempotencyKey="")
        assert refusal(api.post("/topup", blank)) == (400, "IDEMPOTENCY_KEY_REQUIRED")

    def test_idempotency_key_may_come_in_the_body_or_in_both(
        self, api: ApiClient, merchant: Merchant
    ) -> None:
        first = api.post("/topup", topup_body(idempotencyKey="k-1"))
        again = buy(api, key="k-1")
        both = buy(api, key="k-1", idempotencyKey="k-1")

        assert [each.status_code for each in (first, again, both)] == [201, 201, 201]
        assert first.content == again.content == both.content
        assert "Idempotent-Replayed" not in first.headers
        assert again.headers["Idempotent-Replayed"] == "true"
        assert both.headers["Idempotent-Replayed"] == "true"
        topup = TopUp.objects.get()
        assert store.executions(topup.pk) == 1
        assert store.calls(topup.provider_reference, "send") == 1
        assert balance(merchant) == (980_000, 0)

    def test_header_and_body_must_agree(self, api: ApiClient) -> None:
        response = buy(api, key="b", idempotencyKey="a")
        assert refusal(response) == (400, "VALIDATION_ERROR")
        assert response.body["error"]["details"]["field"] == "idempotencyKey"
        assert not TopUp.objects.exists()

    @pytest.mark.parametrize("key", ["x" * 256, "clave ñ", "a b", 5, ["k"], True])
    def test_malformed_key_is_refused(self, api: ApiClient, key: Any) -> None:
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
        fund(stranger, 50_000)
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
            {"operatorCode": "unknown"},
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

        fund(stranger_api.merchant, 20_000)
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
