"""Paths that are no route and methods that a path does not have: always the JSON envelope.

Nothing is done, and nothing ends in a 500.
"""

import pytest
from django.http import HttpResponse

from tests.contract.answers import assert_refused, check_each
from tests.contract.bad_requests import ABSENT
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.usefixtures("no_side_effect")
NO_ROUTES = [
    "/api",
    "/api/",
    "/api/v1",
    "/api/v1/",
    "/api/v2/collect",
    "/api//v1/collect",
    "/api/v1//collect",
    "/api/v1/collect/",
    "/api/v1/collect//",
    "/api/v1/collect/stats/",
    "/api/v1/collect/a/b",
    "/api/v1/collect.json",
    "/api/v1/COLLECT",
    "/api/v1/sandbox",
    "/api/v1/sandbox/",
    "/api/v1/sandbox/balance/",
    "/api/v1/../admin/",
    "/api/v1/%00",
    "/callbacks",
    "/callbacks/",
    "/callbacks/payin/",
    "/callbacks/payin/simulator/",
    "/callbacks/nothing/simulator",
    "/callbacks//payin/simulator",
]


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "OPTIONS"])
def test_a_path_that_is_no_route(api: ApiClient, anonymous: ApiClient, method: str) -> None:
    def check(path: str) -> None:
        for client in (api, anonymous):  # the route comes before credentials
            response = client.generic(method, path, b"", headers=client.headers)
            response.body = response.json()
            assert_refused(response, 404, "NOT_FOUND")

    check_each(NO_ROUTES, check)


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/collect", {"GET", "HEAD", "POST"}),
        ("/collect/stats", {"GET", "HEAD"}),
        (ABSENT, {"GET", "HEAD"}),
        ("/sandbox/balance", {"POST"}),
        (f"/sandbox{ABSENT}", {"POST"}),
    ],
)
def test_methods_that_a_path_does_not_have(api: ApiClient, path: str, allowed: set[str]) -> None:
    every = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"}
    for method in every - allowed - {"HEAD"}:
        response = api.call(method, path, order_body())
        assert_refused(response, 405, "METHOD_NOT_ALLOWED")
        assert set(response.headers["Allow"].split(", ")) == allowed
    assert (head(api, path).status_code == 405) == ("HEAD" not in allowed)


def head(api: ApiClient, path: str) -> HttpResponse:
    return api.generic("HEAD", f"/api/v1{path}", headers=api.headers)


def test_a_head_request_has_the_headers_of_its_get(api: ApiClient, order: str) -> None:
    for path in ("/collect", "/collect/stats", f"/collect/{order}", ABSENT):
        expected, answer = api.get(path), head(api, path)
        assert answer.status_code == expected.status_code
        assert answer.content == b""
        for name in ("Content-Type", "X-Total-Count", "X-RateLimit-Limit"):
            assert answer.headers.get(name) == expected.headers.get(name)


def test_an_id_in_capitals_is_another_id(api: ApiClient, order: str) -> None:
    assert_refused(api.get(f"/collect/{order.upper()}"), 404, "ORDER_NOT_FOUND")
    assert_refused(api.get(f"/collect/{order}%20"), 404, "ORDER_NOT_FOUND")
    assert_refused(api.get(f"/collect/{order}%0A"), 404, "ORDER_NOT_FOUND")


def test_a_callback_path_takes_no_other_method(anonymous: ApiClient) -> None:
    for method in ("GET", "PUT", "DELETE", "OPTIONS", "TRACE"):
        response = anonymous.generic(method, "/callbacks/payin/simulator")
        response.body = response.json()
        assert_refused(response, 405, "METHOD_NOT_ALLOWED")
        assert response.headers["Allow"] == "POST"
