"""The sandbox of collections: the contract's rows that no other test has.

What is final stays final, a method must be the order's, and play money adds up.
"""

from decimal import Decimal

import pytest

from tests.contract.answers import assert_refused
from tests.support.collect_requests import create
from tests.support.fixtures import ApiClient


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
