"""Lists of orders and their statistics: the contract's rows that no other test has.

Filters by status, reference and time, pages, and sums.
"""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from payments.collect.models import Order
from tests.collect.stories import start
from tests.contract.collect_scene import create
from tests.fixtures import ApiClient


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
    start(Order.objects.get(pk=made["PROCESSING"]))
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


def test_all_filters_of_a_list_apply_together(api: ApiClient) -> None:
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
