"""Clients that send their body slowly or never, or read slowly: no other client waits."""

import asyncio
import json
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.utils import timezone

from config.request_bodies import BodyLimits
from config.wsgi_adapter import RsgiApplication
from merchants.models import Merchant
from tests.contract.wire import Server, chunked, request, running_server
from tests.deploy.slow_clients import connect, holding, last_words, probe
from tests.support.factories import issue_key
from tests.support.fixtures import API
from tests.support.funds import fund

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
BODY_SECONDS = 5
# Many more than the server has threads: four.
COUNT = 40
FORM = "Content-Type: application/x-www-form-urlencoded"
JSON = "Content-Type: application/json"
COOKIE = "Cookie: csrftoken=" + "a" * 32
LENGTH = "Content-Length: 500"
CHUNKED = "Transfer-Encoding: chunked"
LIMITS = BodyLimits(1.0, 10, 10, 10, 10, (), lambda path, headers: False)
SIGNED = ["X-Simulator-Timestamp: NOW", "X-Simulator-Signature: " + "0" * 64]
CREDENTIALS = ["X-Api-Key: pk_x", "X-Api-Secret: sk_x"]


def start(target: str, *lines: str, body: bytes = b"{") -> bytes:
    """The beginning of a POST."""
    return request("POST", target, *lines, body=body, length=False)


CHUNK = b"5\r\n{    "
SLOW = {
    "API, wrong credentials": start(f"{API}/collect", JSON, LENGTH, *CREDENTIALS),
    "API, chunks": start(f"{API}/collect", JSON, CHUNKED, *CREDENTIALS, body=CHUNK),
    "callback": start("/callbacks/payin/simulator", JSON, LENGTH, *SIGNED),
    "callback, chunks": start("/callbacks/payin/simulator", JSON, CHUNKED, *SIGNED, body=CHUNK),
    "console's login": start("/admin/login/", FORM, COOKIE, LENGTH),
    "payer's form": start("/pay/x/pse", FORM, COOKIE, LENGTH),
    "long": start("/admin/login/", FORM, COOKIE, "Content-Length: 120000", body=b"a" * 60_000),
    "no operation": start("/healthz", LENGTH),
}


def slow(name: str) -> bytes:
    """One of SLOW, with a timestamp that is not stale when it is sent."""
    return SLOW[name].replace(b": NOW", b": %d" % (time.time() * 1000))


@pytest.fixture(scope="module")
def server(django_db_setup: None) -> Iterator[Server]:
    with running_server(BODY_SECONDS=str(BODY_SECONDS)) as running:
        yield running


@pytest.mark.parametrize("name", SLOW)
def test_a_body_that_never_comes_delays_no_other_client_and_is_given_up(
    server: Server, name: str
) -> None:
    with holding(server, slow(name), COUNT) as held:
        for _ in range(5):
            probe(server)
        for said in last_words(held, BODY_SECONDS + 15):
            assert said.startswith(b"HTTP/1.1 408"), said
            if "console" not in name and "form" not in name and name != "long":
                assert json.loads(said.partition(b"\r\n\r\n")[2])["error"]["code"] == (
                    "REQUEST_TIMEOUT"
                )


def test_a_body_that_drips_is_given_up_at_the_same_time(server: Server) -> None:
    """A byte every now and then does not begin the time again."""
    with connect(server, slow("callback")) as connection:
        began = time.monotonic()
        connection.settimeout(0.2)
        said = b""
        while not said and time.monotonic() - began < BODY_SECONDS + 10:
            connection.sendall(b" ")
            try:
                said = connection.recv(4096)
            except TimeoutError:
                continue
        assert said.startswith(b"HTTP/1.1 408")
        assert time.monotonic() - began >= BODY_SECONDS


@pytest.mark.parametrize("lines", [(LENGTH,), (CHUNKED,)])
def test_an_api_request_without_credentials_is_refused_before_its_body(
    server: Server, lines: tuple[str, ...]
) -> None:
    began = time.monotonic()
    with connect(server, start(f"{API}/collect", JSON, *lines, body=b"")) as connection:
        said = connection.recv(4096)
    assert said.startswith(b"HTTP/1.1 401")
    assert b"MISSING_CREDENTIALS" in said
    assert time.monotonic() - began < BODY_SECONDS


@pytest.mark.parametrize("length", [LENGTH, CHUNKED])
@pytest.mark.parametrize(
    ("provider", "headers", "status"),
    [
        ("simulator", [], b"401"),
        ("simulator", ["X-Simulator-Timestamp: 1700000000000", SIGNED[1]], b"401"),
        ("simulator", [SIGNED[0]], b"401"),
        ("NO_ACCOUNT", SIGNED, b"404"),
    ],
    ids=["unsigned", "stale", "no signature", "unknown provider"],
)
def test_a_callback_that_its_headers_condemn_is_refused_before_its_body(
    server: Server, provider: str, headers: list[str], status: bytes, length: str
) -> None:
    now = f"{time.time() * 1000:.0f}"
    lines = [line.replace("NOW", now) for line in headers]
    began = time.monotonic()
    target = f"/callbacks/payout/{provider}"
    with connect(server, start(target, JSON, length, *lines, body=b"")) as connection:
        assert connection.recv(4096).startswith(b"HTTP/1.1 " + status)
    assert time.monotonic() - began < BODY_SECONDS


@pytest.mark.parametrize(
    ("target", "length"), [(f"{API}/collect", 65_537), ("/admin/login/", 131_073)]
)
def test_a_body_that_is_too_long_is_refused_before_it_comes(
    server: Server, target: str, length: int
) -> None:
    lines = (*CREDENTIALS, COOKIE, f"Content-Length: {length}")
    began = time.monotonic()
    with connect(server, start(target, *lines, body=b"")) as connection:
        assert connection.recv(4096).startswith(b"HTTP/1.1 413")
    assert time.monotonic() - began < BODY_SECONDS


def test_a_page_takes_no_endless_body_in_chunks(server: Server) -> None:
    lines = (COOKIE, FORM, CHUNKED)
    (answer,) = server.send(start("/admin/login/", *lines, body=chunked(b"a" * 200_000)))
    assert answer.status == 413


def test_a_client_that_asks_first_is_told_to_continue(server: Server) -> None:
    lines = (JSON, LENGTH, *CREDENTIALS, "Expect: 100-continue")
    with connect(server, start(f"{API}/collect", *lines, body=b"")) as connection:
        assert connection.recv(4096).startswith(b"HTTP/1.1 100")
        connection.sendall(b" " * 500)
        assert connection.recv(4096).startswith(b"HTTP/1.1 401")


def test_requests_in_a_row_on_one_connection_are_answered_in_order(server: Server) -> None:
    """Sent at once, bodies between them."""
    body = b'{"a": 1}'
    ask = request("POST", f"{API}/collect", JSON, *CREDENTIALS, body=body)
    ask = ask.replace(b"Connection: close\r\n", b"")
    look = request("GET", "/healthz").replace(b"Connection: close\r\n", b"")
    answers = server.send(ask + look + ask + look + request("GET", f"{API}/nothing"))
    assert [answer.status for answer in answers] == [401, 200, 401, 200, 404]


def test_a_header_with_an_underscore_does_not_pass_for_another(
    server: Server, credentials: list[str]
) -> None:
    lines = [line.replace("-Api-", "_Api_") for line in credentials]
    (answer,) = server.send(request("GET", f"{API}/collect", *lines))
    assert answer.status == 401


@pytest.fixture
def credentials(merchant: Merchant) -> list[str]:
    key, secret = issue_key(merchant)
    return [f"X-Api-Key: {key.public_key}", f"X-Api-Secret: {secret}"]


@pytest.fixture
def statement(merchant: Merchant, credentials: list[str]) -> bytes:
    """A request for a file that fits into no buffer of the kernel's."""
    for _ in range(3):
        fund(merchant, 1_000)
    today = timezone.localdate()
    target = f"{API}/settlements/statement.csv?from={today}&to={today}"
    return request("GET", target, *credentials)


def test_a_statement_is_streamed_whole(server: Server, statement: bytes) -> None:
    (answer,) = server.send(statement)
    assert answer.status == 200, answer.content
    assert answer.headers["content-type"].startswith("text/csv")
    assert len(answer.content.decode().splitlines()) >= 3


def test_clients_that_do_not_take_a_large_answer_delay_no_other_client(server: Server) -> None:
    """A file of the pages, larger than the buffers of a connection."""
    target = b"/static/admin/js/vendor/xregexp/xregexp.js"
    ask = b"GET " + target + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    before = memory(server)
    held = []
    try:
        for _ in range(COUNT):
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", server.port))
            connection.sendall(ask)
            held.append(connection)
        for _ in range(5):
            probe(server)
        assert memory(server) - before < 32_000_000
        connection = held[0]
        connection.settimeout(10)
        received = b""
        while piece := connection.recv(1 << 20):
            received += piece
        head, _, content = received.partition(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head.lower())
        assert length is not None
        assert len(content) == int(length[1]) > 300_000
    finally:
        for connection in held:
            connection.close()


def memory(server: Server) -> int:
    """Bytes that the server's processes have in hand."""
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    pages = [int(Path(f"/proc/{child}/statm").read_text().split()[1]) for child in children]
    return sum(pages) * 4096


def test_a_request_without_a_body_does_not_pass_the_event_loop() -> None:
    """If granian hands it over differently, it still works, and costs a fifth more."""
    application = RsgiApplication(lambda environ, start: None, LIMITS)
    loop = asyncio.new_event_loop()
    scope = SimpleNamespace(headers={"host": "x"})
    posted = SimpleNamespace(headers={"content-length": "3"})

    async def handled(watcher: object) -> None:
        """What granian schedules."""

    try:
        application._bypass_loop(loop)
        for given in (scope, posted):
            coroutine = handled(given)
            loop.call_soon_threadsafe(lambda *_: None, coroutine, SimpleNamespace(scope=given))
            coroutine.close()
        assert application.jobs.qsize() == 1
    finally:
        loop.close()
