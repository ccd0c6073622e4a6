"""Rate limits of the routes of collections: the contract's rows that no other test has.

How the limits themselves count is in test_limits.py.
"""

from typing import Any

from payments.collect.models import Order
from tests.contract.answers import assert_refused
from tests.support.collect_requests import create
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient


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
