"""What the Python SDK sends again, after how long, and what it never sends twice."""

from decimal import Decimal
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from config.devstack.valkey import free_port
from pasarela import (
    APIError,
    ConnectionFailed,
    InvalidRequest,
    Pasarela,
    RateLimited,
    ServerError,
    TimedOut,
)
from pasarela._json import dumps, loads
from tests.sdks.stub import JSON, Reply, Stub

DONE = {"success": True, "data": {"id": "col_1"}}
ORDER: Any = {"reference": "PEDIDO-1", "amount": 50000}


class Service:
    """Answers in this order; notes what came, and how long the client waited."""

    def __init__(self, server: HTTPServer, *answers: tuple[int, dict[str, str]]) -> None:
        self.answers = list(answers)
        self.requests: list[Request] = []
        self.waits: list[float] = []
        server.expect_request("/api/v1/collect").respond_with_handler(self.answer)
        server.expect_request("/api/v1/collect/col_1/pay").respond_with_handler(self.answer)
        self.client = Pasarela("pk", "sk", base_url=server.url_for("/"))
        self.client.transport.sleep = self.waits.append

    def answer(self, request: Request) -> Response:
        self.requests.append(request)
        status, headers = self.answers.pop(0)
        error = {"success": False, "error": {"code": "SOMETHING", "message": "Later."}}
        body = dumps(DONE if status < 300 else error)
        return Response(body, status, headers, content_type="application/json")

    def keys_sent(self) -> set[str | None]:
        return {request.headers.get("Idempotency-Key") for request in self.requests}


def test_waits_as_long_as_the_service_says_and_keeps_the_key(httpserver: HTTPServer) -> None:
    service = Service(httpserver, (429, {"Retry-After": "7"}), (500, {}), (201, {}))
    assert service.client.orders.create(**ORDER) == {"id": "col_1"}
    first, second = service.waits
    assert first == 7
    assert 1 <= second < 2
    (key,) = service.keys_sent()
    assert key
    assert len(service.requests) == 3


def test_each_call_has_its_own_key(httpserver: HTTPServer) -> None:
    service = Service(httpserver, (201, {}), (201, {}), (201, {}))
    service.client.orders.create(**ORDER)
    service.client.orders.create(**ORDER)
    service.client.orders.create(idempotency_key="mine", **ORDER)
    assert len(service.keys_sent()) == 3
    assert "mine" in service.keys_sent()


def test_gives_up_after_the_last_try(httpserver: HTTPServer) -> None:
    service = Service(httpserver, *[(502, {})] * 3)
    with pytest.raises(ServerError) as error:
        service.client.orders.list()
    assert error.value.status == 502
    assert len(service.requests) == 3


def test_does_not_wait_longer_than_allowed(httpserver: HTTPServer) -> None:
    service = Service(httpserver, (429, {"Retry-After": "61"}))
    with pytest.raises(RateLimited) as error:
        service.client.orders.list()
    assert error.value.retry_after == 61
    assert service.waits == []


def test_what_has_no_key_is_sent_again_only_if_nothing_was_done(httpserver: HTTPServer) -> None:
    service = Service(httpserver, (429, {"Retry-After": "1"}), (500, {}))
    with pytest.raises(ServerError):
        service.client.orders.pay("col_1", method="PSE")
    assert len(service.requests) == 2
    assert service.keys_sent() == {None}


def test_503_without_retry_after_is_final(httpserver: HTTPServer) -> None:
    service = Service(httpserver, (503, {}))
    with pytest.raises(ServerError):
        service.client.orders.create(**ORDER)
    assert len(service.requests) == 1


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply(200, dict(JSON), b'{"success": tru'), APIError),
        (Reply(200, {"Content-Type": "text/html"}, b"Hi"), APIError),
        (Reply(302, {"Location": "/elsewhere"}, b""), APIError),
        (Reply(405, {"Content-Type": "text/html"}, b"No"), InvalidRequest),
    ],
    ids=["cut", "page", "redirect", "refused"],
)
def test_an_answer_that_is_not_of_the_service_is_an_error(
    stub: Stub, reply: Reply, kind: type[APIError]
) -> None:
    stub.replies = [reply]
    client = Pasarela("pk", "sk", base_url=stub.address)
    with pytest.raises(APIError) as error:
        client.orders.get("col_1")
    assert type(error.value) is kind
    assert error.value.code == f"HTTP_{reply.status}"
    assert len(stub.seen) == 1


def test_no_answer_in_time_is_an_error_of_its_own(stub: Stub) -> None:
    stub.replies = [Reply(is_silent=True)]
    client = Pasarela("pk", "sk", base_url=stub.address, timeout=0.05, retries=0)
    with pytest.raises(TimedOut):
        client.orders.get("col_1")


@pytest.mark.parametrize(
    ("keys", "address"),
    [
        (("", "sk"), "https://pagos.example"),
        (("pk", ""), "https://pagos.example"),
        (("pk", "sk"), ""),
    ],
    ids=["key", "secret", "address"],
)
def test_a_client_without_its_settings_is_refused(keys: tuple[str, str], address: str) -> None:
    with pytest.raises(ValueError, match="is missing"):
        Pasarela(*keys, base_url=address)


def test_a_missing_id_asks_nothing(stub: Stub) -> None:
    stub.replies = [Reply()]
    client = Pasarela("pk", "sk", base_url=stub.address)
    for missing in ("", ".", ".."):
        with pytest.raises(ValueError, match="an id is missing"):
            client.orders.get(missing)
    assert stub.seen == []


def test_a_key_in_the_body_is_the_key(stub: Stub) -> None:
    stub.replies = [Reply()]
    Pasarela("pk", "sk", base_url=stub.address).orders.create(**ORDER, idempotencyKey="mine")
    assert stub.keys() == {"mine"}


def test_no_service_is_an_error_with_the_key() -> None:
    client = Pasarela("pk", "sk", base_url=f"http://127.0.0.1:{free_port()}/")
    client.transport.sleep = (waits := []).append
    with pytest.raises(ConnectionFailed) as error:
        client.orders.create(**ORDER)
    assert error.value.idempotency_key
    assert len(waits) == 2


def test_amounts_keep_every_digit() -> None:
    exact = {"amount": Decimal("0.1234567890123456789"), "limit": 5, "lines": [{"amount": 7}]}
    text = dumps(exact)
    assert text == '{"amount":0.1234567890123456789,"limit":5,"lines":[{"amount":7}]}'
    read = loads(text)
    assert read == exact
    assert [type(read[name]) for name in ("amount", "limit")] == [Decimal, int]
    assert type(read["lines"][0]["amount"]) is Decimal
    with pytest.raises(ValueError, match="NaN"):
        dumps({"amount": Decimal("NaN")})
