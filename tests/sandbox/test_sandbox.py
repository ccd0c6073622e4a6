"""POST /sandbox/collect/{id} and /sandbox/balance (docs/gaps.md, Sandbox)."""

from typing import Any

import pytest
from django.http import HttpResponse

from payments.collect.models import Charge, Order, UnmatchedFunds
from payments.core.models import Transition
from payments.ledger import services as ledger
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient
from webhooks.models import Event


def create(api: ApiClient, **changes: Any) -> str:
    return api.post("/collect", order_body(**changes)).body["data"]["id"]


def answer(api: ApiClient, order_id: str, **body: Any) -> HttpResponse:
    return api.post(f"/sandbox/collect/{order_id}", body)


@pytest.mark.parametrize("method", ["PSE", "BANK_TRANSFER", "CRYPTO"])
@pytest.mark.parametrize("status", ["COMPLETED", "FAILED"])
def test_developer_brings_an_order_to_an_outcome(api: ApiClient, method: str, status: str) -> None:
    order_id = create(api)
    response = answer(api, order_id, status=status, method=method)

    assert response.status_code == 200
    assert response.body["data"]["status"] == status
    assert response.body["data"]["selectedMethod"] == method
    assert api.get(f"/collect/{order_id}").body["data"] == response.body["data"]
    kind = {"COMPLETED": "payment.completed", "FAILED": "payment.failed"}[status]
    assert list(Event.objects.values_list("kind", flat=True)) == [kind]


def test_forced_outcome_goes_through_the_callback_of_the_provider(api: ApiClient) -> None:
    order_id = create(api)
    answer(api, order_id, status="COMPLETED")

    moves = Transition.objects.filter(subject_id=order_id).order_by("id")
    assert [move.actor for move in moves] == ["payer", "simulator"]
    assert Charge.objects.get().trace_code


@pytest.mark.parametrize("started", [None, "PSE", "BANK_TRANSFER"])
def test_an_order_can_be_made_to_expire(api: ApiClient, started: str | None) -> None:
    order_id = create(api)
    if started:
        part = answer(api, order_id, status="COMPLETED", method=started, amount=1)
        assert part.body["data"]["status"] == "WAITING_TRANSFER"
    response = answer(api, order_id, status="EXPIRED")

    assert response.body["data"]["status"] == "EXPIRED"


@pytest.mark.parametrize("final", ["COMPLETED", "FAILED", "EXPIRED"])
@pytest.mark.parametrize("status", ["COMPLETED", "FAILED", "EXPIRED"])
def test_a_final_order_stays_as_it_is(api: ApiClient, final: str, status: str) -> None:
    order_id = create(api)
    answer(api, order_id, status=final)
    before = api.get(f"/collect/{order_id}").content
    response = answer(api, order_id, status=status)

    assert response.status_code == 400
    assert response.body["error"]["code"] == "ORDER_NOT_PAYABLE"
    assert api.get(f"/collect/{order_id}").content == before
    assert not UnmatchedFunds.objects.exists()


def test_a_part_and_then_the_rest(api: ApiClient) -> None:
    order_id = create(api)
    part = answer(api, order_id, status="COMPLETED", method="BANK_TRANSFER", amount=20000)
    assert part.body["data"]["status"] == "WAITING_TRANSFER"

    rest = answer(api, order_id, status="COMPLETED", amount=30025)
    assert rest.body["data"]["status"] == "COMPLETED"
    assert ledger.balances(api.merchant.pk)["COPM"]["available"] == 50000


def test_a_part_by_pse_and_the_rest_by_transfer(api: ApiClient) -> None:
    """A bank debits once, so the rest has a charge of its own."""
    order_id = create(api, amount=50000)
    assert answer(api, order_id, status="COMPLETED", amount=20000).body["data"]["status"] == (
        "WAITING_TRANSFER"
    )
    rest = answer(api, order_id, status="COMPLETED")

    assert rest.body["data"]["status"] == "COMPLETED"
    received = Charge.objects.order_by("created_at").values_list("received", flat=True)
    assert list(received) == [20000, 30025]


def test_the_rest_of_a_debit_comes_in_a_way_that_the_order_allows(api: ApiClient) -> None:
    order_id = create(api, amount=50000, allowedMethods=["PSE", "CRYPTO"])
    answer(api, order_id, status="COMPLETED", amount=20000)
    assert answer(api, order_id, status="COMPLETED").body["data"]["selectedMethod"] == "CRYPTO"

    only_pse = create(api, amount=50000, allowedMethods=["PSE"], reference="P-2")
    answer(api, only_pse, status="COMPLETED", amount=20000)
    refused = answer(api, only_pse, status="COMPLETED")
    assert refused.status_code == 400
    assert "allows only PSE" in refused.body["error"]["message"]
    assert Charge.objects.filter(order=only_pse).count() == 1


def test_too_much_completes_the_order_and_waits_for_an_operator(api: ApiClient) -> None:
    order_id = create(api)
    response = answer(api, order_id, status="COMPLETED", method="BANK_TRANSFER", amount=60025)

    assert response.body["data"]["status"] == "COMPLETED"
    assert UnmatchedFunds.objects.get().amount == 10000


def test_a_part_in_coins(api: ApiClient) -> None:
    order_id = create(api)
    part = answer(api, order_id, status="COMPLETED", method="CRYPTO", amount=20000)
    assert part.body["data"]["status"] == "WAITING_TRANSFER"

    assert answer(api, order_id, status="COMPLETED").body["data"]["status"] == "COMPLETED"
    assert ledger.balances(api.merchant.pk)["COPM"]["available"] == 50000
    assert not ledger.verify().problems


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "status"),
        ({"status": "PENDING"}, "status"),
        ({"status": "COMPLETED", "method": "CASH"}, "method"),
        ({"status": "COMPLETED", "amount": 0}, "amount"),
        ({"status": "COMPLETED", "amount": -1}, "amount"),
        ({"status": "COMPLETED", "amount": "5"}, "amount"),
        ({"status": "COMPLETED", "amount": True}, "amount"),
    ],
)
def test_bad_bodies_change_nothing(api: ApiClient, body: dict[str, Any], field: str) -> None:
    order_id = create(api)
    response = api.post(f"/sandbox/collect/{order_id}", body)

    assert response.status_code == 400
    assert response.body["error"]["details"]["field"] == field
    assert Order.objects.get().status == "PENDING"


def test_a_method_that_the_order_does_not_allow(api: ApiClient) -> None:
    order_id = create(api, allowedMethods=["PSE"])
    response = answer(api, order_id, status="COMPLETED", method="CRYPTO")

    assert (response.status_code, response.body["error"]["code"]) == (400, "METHOD_NOT_AVAILABLE")


def test_order_of_another_merchant_is_not_found(api: ApiClient, stranger_api: ApiClient) -> None:
    order_id = create(stranger_api)
    response = answer(api, order_id, status="COMPLETED")

    assert (response.status_code, response.body["error"]["code"]) == (404, "ORDER_NOT_FOUND")


class TestBalance:
    @pytest.mark.parametrize("currency", ["COPM", "USDT", "USDC", "BTC", "ETH"])
    def test_developer_credits_play_money_to_the_balance(
        self, api: ApiClient, currency: str
    ) -> None:
        for available in (1500, 3000):
            response = api.post("/sandbox/balance", {"currency": currency, "amount": 1500})
            assert response.status_code == 200
            assert response.body["data"] == {"currency": currency, "available": available}

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"currency": "EUR", "amount": 1}, "currency"),
            ({"currency": "COPM", "amount": 0}, "amount"),
            ({"currency": "COPM", "amount": 1.005}, "amount"),
            ({"currency": "COPM"}, "amount"),
        ],
    )
    def test_credit_with_a_bad_body_changes_no_balance(
        self, api: ApiClient, body: dict[str, Any], field: str
    ) -> None:
        response = api.post("/sandbox/balance", body)

        assert response.status_code == 400
        assert response.body["error"]["details"]["field"] == field
        assert ledger.balances(api.merchant.pk) == {}
