"""The check of every answer (tests/support/openapi_conformance.py) fails on a difference."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from rest_framework.response import Response

from payments.api import views
from payments.api.serializing import serialize_many
from payments.collect.api.orders import OrderDetail, OrderViewSet
from payments.collect.services.errors import OrderNotFound
from tests.support import openapi_conformance
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient

GONE = object()
# How each of these breaks an order in GET /collect, and what the message must name.
BROKEN_ORDERS = {
    "a field is missing": ({"collectUrl": GONE}, 'data.0: "collectUrl" is a required property'),
    "a field that is not documented": ({"payerIp": "::1"}, "data.0: Additional.*payerIp"),
    "null where it never is": ({"currency": None}, "data.0.currency: null"),
    "not in the list": ({"status": "pending"}, 'data.0.status: "pending"'),
    "a number as text": ({"amount": "50025"}, 'data.0.amount: "50025"'),
    "a day for a moment": ({"createdAt": "2026-11-21"}, 'data.0.createdAt: "2026-11-21"'),
    "deeper": ({"customer": {"name": "Ana"}}, 'data.0.customer: "email" is a required'),
}
# The same for the answer as a whole.
BROKEN_ANSWERS = {
    "a status that is not listed": ({"status": 202}, "202 is not among its answers: 200, 400"),
    "a header is missing": ({"headers": {}}, "the header X-Total-Count is missing"),
    "a header of another kind": ({"headers": {"X-Total-Count": "all"}}, "X-Total-Count is 'all'"),
    "a header that is not documented": (
        {"headers": {"X-Total-Count": "1", "Idempotent-Replayed": "true"}},
        "the header idempotent-replayed is not in the document",
    ),
    "another kind of content": ({"content_type": "text/plain"}, "Content-Type 'text/plain'"),
}


@pytest.fixture
def listed(api: ApiClient) -> ApiClient:
    """Café Andino with one order, and a list that is as it should be."""
    assert api.post("/collect", order_body()).status_code == 201
    assert api.get("/collect").status_code == 200
    return api


@contextmanager
def refused(message: str) -> Iterator[None]:
    """The call fails where it is made; what is broken on purpose must not fail the test itself."""
    with pytest.raises(openapi_conformance.UndocumentedResponse, match=message):
        yield
    openapi_conformance.conformance.broken.clear()


@pytest.mark.parametrize(("changes", "message"), BROKEN_ORDERS.values(), ids=BROKEN_ORDERS)
def test_body_that_differs_from_the_document_fails_the_test(
    listed: ApiClient, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], message: str
) -> None:
    def broken(kind: type[OrderDetail], found: list[Any]) -> list[dict[str, Any]]:
        fields = [{**order, **changes} for order in serialize_many(kind, found)]
        return [
            {name: value for name, value in each.items() if value is not GONE} for each in fields
        ]

    monkeypatch.setattr(views, "serialize_many", broken)
    with refused(message):
        listed.get("/collect")


@pytest.mark.parametrize(("changes", "message"), BROKEN_ANSWERS.values(), ids=BROKEN_ANSWERS)
def test_status_or_header_that_is_not_documented_fails_the_test(
    listed: ApiClient, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], message: str
) -> None:
    def broken(data: Any, **given: Any) -> Response:
        return Response({"success": True, "data": data}, **{**given, **changes})

    monkeypatch.setattr(OrderViewSet, "answer", staticmethod(broken))
    with refused(message):
        listed.get("/collect")


def test_success_that_is_not_what_the_status_says(
    listed: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(data: Any, **given: Any) -> Response:
        return Response({"success": False, "data": data}, **given)

    monkeypatch.setattr(OrderViewSet, "answer", staticmethod(broken))
    with refused("success: False with the status 200"):
        listed.get("/collect")


def test_a_code_that_the_operation_does_not_list(
    listed: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OrderNotFound, "code", "PAYOUT_NOT_FOUND")
    with refused("PAYOUT_NOT_FOUND is not among the codes of this status: ORDER_NOT_FOUND"):
        listed.get("/collect/x")


def test_what_a_thread_swallowed_fails_its_test(
    request: pytest.FixtureRequest,
) -> None:
    def ask() -> None:
        with suppress(AssertionError):
            openapi_conformance.check("GET", "/api/v1/collect/stats", 418, {}, b"")

    around = openapi_conformance.pytest_runtest_call(request.node)
    next(around)
    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    with pytest.raises(pytest.fail.Exception, match="GET /api/v1/collect/stats answered 418"):
        next(around)
    openapi_conformance.conformance.broken.clear()


def test_each_refusal_is_the_envelope(listed: ApiClient) -> None:
    """Also of what is no operation: a path or a method that does not exist."""
    for method, path in (("GET", "/nothing"), ("PUT", "/collect"), ("DELETE", "/collect/x")):
        assert listed.call(method, path).status_code in (404, 405)
        with refused(f"{method} /api/v1{path} answered 404"):
            openapi_conformance.check(
                method, f"/api/v1{path}", 404, {}, b'{"detail": "Not found."}'
            )
        with refused("200 of what is no operation of the document"):
            openapi_conformance.check(method, f"/api/v1{path}", 200, {}, b"")
