"""Filters by date at both ends of the calendar: lists are empty or whole, and never a 500."""

from datetime import UTC, datetime, timedelta
from itertools import cycle

import pytest
import time_machine

from merchants.models import Merchant
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient
from tests.support.funds import fund

# {path: a filter beside that of dates}
LISTS = {
    "/collect": "status=PENDING",
    "/payout": "status=PENDING",
    "/topup": "status=completed",
    "/bills/payments": "status=completed",
    "/balance/movements": "account=available",
}
STATEMENTS = ["/settlements/statement.csv", "/settlements/statement.html"]
BEGINNINGS = [
    "0001-01-01T00:00:00Z",
    "0001-01-01T00:00:00.000001Z",
    "0001-01-01T00:00:00-05:00",
    "0001-01-01T23:59:59.999999Z",
    "0001-01-02T00:00:00Z",
    "0001-01-01T14:00:00%2B14:00",
]
ENDS = [
    "9999-12-31T23:59:59.999999Z",
    "9999-12-31T00:00:00Z",
    "9999-12-31T23:59:59%2B14:00",
    "9999-12-31T09:59:59-14:00",
]


@pytest.fixture
def busy(api: ApiClient, merchant: Merchant) -> ApiClient:
    """A merchant with an order and a movement."""
    fund(merchant, 50_000)
    assert api.post("/collect", order_body()).status_code == 201
    return api


@pytest.mark.parametrize(("path", "other"), LISTS.items())
def test_lists_take_both_ends_of_the_calendar(busy: ApiClient, path: str, other: str) -> None:
    for more in (other, "limit=1&offset=1"):
        expected = busy.get(f"{path}?{more}").headers["X-Total-Count"]
        for early, late in zip(BEGINNINGS, cycle(ENDS), strict=False):
            for query, total in (
                (f"createdTo={early}", "0"),
                (f"createdFrom={late}", "0"),
                (f"createdFrom={early}&createdTo={late}", expected),
                (f"createdFrom={late}&createdTo={early}", "0"),
            ):
                answer = busy.get(f"{path}?{query}&{more}")
                assert answer.status_code == 200, (query, answer.content)
                assert answer.headers["X-Total-Count"] == total, query


def test_closed_days_take_both_ends_of_the_calendar(busy: ApiClient) -> None:
    for query in ("from=0001-01-01", "to=0001-01-01", "from=9999-12-31", "to=9999-12-31"):
        assert busy.get(f"/settlements?{query}").status_code == 200, query


def test_an_order_created_at_midnight_is_not_before_it(api: ApiClient) -> None:
    """The day that begins with `createdTo` is left out whole, the one before it taken whole."""
    midnight = datetime(2026, 3, 2, tzinfo=UTC)
    for at in (midnight - timedelta(microseconds=1), midnight):
        with time_machine.travel(at, tick=False):
            assert api.post("/collect", order_body()).status_code == 201
    for late, total in (("T00:00:00Z", "1"), ("T00:00:00.000001Z", "2")):
        assert api.get(f"/collect?createdTo=2026-03-02{late}").headers["X-Total-Count"] == total


@pytest.mark.parametrize("path", STATEMENTS)
def test_statements_begin_as_early_as_the_calendar(busy: ApiClient, path: str) -> None:
    for first, last, status in (
        ("0001-01-01", "0001-01-01", 200),
        ("0001-01-01", "2026-01-01", 200),
        ("0001-01-01", "9999-12-31", 400),
        ("9999-12-31", "9999-12-31", 400),
        ("9999-12-31", "0001-01-01", 400),
    ):
        answer = busy.get(f"{path}?from={first}&to={last}")
        assert answer.status_code == status, (first, last, answer.content)
        if answer.streaming:
            assert b"opening_balance" in b"".join(answer.streaming_content)
