"""500 and 503: a bug of ours or a database that is gone, in the envelope of the contract.

The client learns when to come back and the request id, and nothing of what happened inside.
"""

import select
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.http import HttpResponse

from payments.providers import registry
from tests.contract.answers import INTERNALS, assert_refused
from tests.contract.wire import Server, request, running_server
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient


class TestOurOwnFailures:
    """500 and 503: in the envelope, with the request id, and nothing of what happened inside."""

    SECRET = "SELECT secret FROM /srv/app/payments.py"

    CALLS = [
        ("POST", "/collect"),
        ("GET", "/collect"),
        ("GET", "/collect/stats"),
        ("POST", "/collect/col_00000000000000000000000000/cancel"),
    ]
    # The order comes with the key, before any limit is known.
    WITH_THE_KEY = ("GET", "/collect/col_00000000000000000000000000")

    def call(self, api: ApiClient, method: str, path: str, error: Exception) -> HttpResponse:
        """One request; what it asks of the tables of orders fails with `error`."""

        def fail(execute: Any, sql: str, *details: Any) -> Any:
            if "collect_" in sql:
                raise error
            return execute(sql, *details)

        with connection.execute_wrapper(fail):
            return api.call(method, path, order_body(), {"X-Request-Id": "trace-1"})

    @pytest.mark.parametrize(("method", "path"), [*CALLS, WITH_THE_KEY])
    def test_a_bug_is_a_500(self, api: ApiClient, method: str, path: str) -> None:
        response = self.call(api, method, path, RuntimeError(self.SECRET))

        assert_refused(response, 500, "INTERNAL_ERROR")
        assert response.headers["X-Request-Id"] == "trace-1"
        assert response.body["error"]["details"] == {"requestId": "trace-1"}
        assert b"secret" not in response.content
        assert ("X-RateLimit-Limit" in response.headers) == ((method, path) != self.WITH_THE_KEY)

    @pytest.mark.parametrize(("method", "path"), [*CALLS, WITH_THE_KEY])
    def test_a_database_that_goes_away_is_a_503(
        self, api: ApiClient, method: str, path: str
    ) -> None:
        response = self.call(api, method, path, OperationalError(f"connection: {self.SECRET}"))

        assert_refused(response, 503, "SERVICE_UNAVAILABLE")
        assert int(response.headers["Retry-After"]) > 0
        assert b"secret" not in response.content

    def test_a_bug_in_a_callback_is_a_500_too(
        self, api: ApiClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(adapters: object, code: str) -> None:
            raise RuntimeError(self.SECRET)

        monkeypatch.setattr(registry.Adapters, "serving", fail)
        response = api.generic(
            "POST", "/callbacks/payin/simulator", b"{}", headers={"X-Request-Id": "trace-2"}
        )
        response.body = response.json()
        assert_refused(response, 500, "INTERNAL_ERROR")
        assert response.body["error"]["details"] == {"requestId": "trace-2"}

    def test_a_bug_before_any_view_is_a_500_too(
        self, api: ApiClient, monkeypatch: pytest.MonkeyPatch, settings: Any
    ) -> None:
        settings.API_MAX_BODY_BYTES = None  # the middleware that compares with it breaks
        settings.DEBUG = True  # Django's page full of internals must not come out
        response = api.call("GET", "/collect", None, {"X-Request-Id": "trace-3"})
        assert_refused(response, 500, "INTERNAL_ERROR")
        assert response.body["error"]["details"] == {"requestId": "trace-3"}


@pytest.fixture(scope="module")
def lost_server(django_db_setup: None) -> Iterator[Server]:
    """A web server whose database is not there."""
    nowhere = "postgresql://postgres@127.0.0.1:1/nothing"
    with running_server(DATABASE_URL=nowhere, DATABASE_CONNECT_TIMEOUT="1") as running:
        yield running


class TestWithoutADatabase:
    CREDENTIALS = ("X-Api-Key: pk_x", "X-Api-Secret: sk_x")

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("method", "target"),
        [
            ("GET", "/api/v1/collect"),
            ("GET", "/api/v1/collect/stats"),
            ("GET", "/api/v1/collect/col_00000000000000000000000000"),
            ("POST", "/api/v1/collect"),
            ("POST", "/api/v1/sandbox/balance"),
        ],
    )
    def test_the_api_says_when_to_come_back(
        self, lost_server: Server, method: str, target: str
    ) -> None:
        raw = request(
            method, target, "Content-Type: application/json", *self.CREDENTIALS, body=b"{}"
        )
        (answer,) = lost_server.send(raw)
        assert answer.status == 503
        assert answer.headers["content-type"] == "application/json"
        assert int(answer.headers["retry-after"]) > 0
        assert answer.headers["x-request-id"]
        assert answer.body["success"] is False
        assert answer.body["error"]["code"] == "SERVICE_UNAVAILABLE"
        assert not INTERNALS.search(answer.content.decode())
        assert b"127.0.0.1" not in answer.content

    @pytest.mark.slow
    def test_a_body_that_comes_later_does_not_cost_the_answer(self, lost_server: Server) -> None:
        """Answered before the body was read, the client would meet a closed connection."""
        lines = ("Content-Type: application/json", *self.CREDENTIALS)
        head, gap, body = request("POST", "/api/v1/collect", *lines, body=b"{}").partition(
            b"\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", lost_server.port), 10) as client:
            client.sendall(head + gap)
            assert not select.select([client], [], [], 0.5)[0]
            client.sendall(body)
            assert client.recv(100).startswith(b"HTTP/1.1 503")

    @pytest.mark.slow
    def test_what_needs_no_database_is_answered(self, lost_server: Server) -> None:
        assert lost_server.send(request("GET", "/healthz"))[0].status == 200
        assert lost_server.send(request("GET", "/api/v1/nothing"))[0].status == 404
        assert lost_server.send(request("GET", "/api/v1/collect"))[0].status == 401
        assert lost_server.send(request("GET", "/readyz"))[0].status == 503
