"""One POST, whatever the receiver does: what counts as success, and hostile receivers (F11).

The deadlines are cut to a tenth here; with FAULTS_SCALE=1 the real ten seconds are waited for.
"""

import asyncio
import gzip
import socket
import ssl
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.certificates import self_signed
from tests.support.measurements import record
from tests.webhooks.conftest import SCALE
from tests.webhooks.receivers import (
    Behaviour,
    Receiver,
    Unreachable,
    answering,
    hanging,
    mute,
    resetting,
    response,
    saying,
)
from webhooks import event_loop
from webhooks import sender as sender_module
from webhooks.sender import DeliveryResponse, Sender

HEADERS = {"Content-Type": "application/json", "X-Service-Event-Id": "evt_1"}
BODY = b'{"event":"payment.completed"}'
DEADLINE = 10.0 if SCALE >= 1 else 1.0
CONNECT = 3.0 if SCALE >= 1 else 0.5
# A busy machine; without their bounds these calls would last for minutes, or for ever.
SLOWER = 0.5 if SCALE >= 1 else 5
BYTES = 10 * 1024 * 1024
OK = b"HTTP/1.1 200 OK\r\n"


@pytest.fixture(autouse=True)
def _deadlines(settings: Any) -> None:
    settings.WEBHOOK_TIMEOUT_SECONDS = DEADLINE
    settings.WEBHOOK_CONNECT_TIMEOUT_SECONDS = CONNECT


def post(url: str, *, times: int = 1, tls: ssl.SSLContext | None = None) -> DeliveryResponse:
    async def send() -> DeliveryResponse:
        async with Sender(tls=tls) as sender:
            for _ in range(times):
                answer = await sender.post(url, BODY, HEADERS)
            return answer

    return event_loop.run(send())


def test_body_and_headers_arrive_as_they_were_given(receiver: Receiver) -> None:
    answer = post(receiver.url)
    assert (answer.status, answer.excerpt, answer.error) == (200, "ok", "")
    (request,) = receiver.requests
    assert request.path == "/hooks"
    assert request.body == BODY
    assert request.headers["content-type"] == "application/json"
    assert request.headers["x-service-event-id"] == "evt_1"
    assert "cookie" not in request.headers


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_every_2xx_is_success(status: int) -> None:
    with Receiver(answering(status)) as receiver:
        assert post(receiver.url).error == ""


@pytest.mark.parametrize("status", [400, 401, 404, 410, 429, 500, 503, 599])
def test_every_other_status_is_failure(status: int) -> None:
    with Receiver(answering(status, b"nope")) as receiver:
        answer = post(receiver.url)
    assert (answer.status, answer.excerpt, answer.error) == (status, "nope", "HTTP_STATUS")


@pytest.mark.parametrize("status", [300, 301, 302, 303, 304, 307, 308])
def test_redirects_are_failures_and_are_not_followed(status: int) -> None:
    with Receiver() as elsewhere:
        moved = answering(status, b"", f"Location: {elsewhere.url}")
        with Receiver(moved) as receiver:
            answer = post(receiver.url)
        assert (answer.status, answer.error) == (status, "REDIRECT")
        assert elsewhere.connections == 0


def test_no_url_is_a_failure_of_its_own() -> None:
    assert post("").error == "INVALID_URL"


def test_a_url_that_cannot_be_used() -> None:
    assert post("ftp://example.com/").error == "INVALID_URL"


def test_cookies_are_not_kept() -> None:
    with Receiver(answering(200, b"", "Set-Cookie: session=1")) as receiver:
        post(receiver.url, times=2)
    assert all("cookie" not in request.headers for request in receiver.requests)


def test_a_clean_answer_lets_the_connection_be_used_again(receiver: Receiver) -> None:
    post(receiver.url, times=5)
    assert (len(receiver.requests), receiver.connections) == (5, 1)


def test_at_most_4_kb_of_the_answer_are_kept() -> None:
    with Receiver(answering(500, b"x" * 4096)) as receiver:
        assert len(post(receiver.url).excerpt) == 4096
    with Receiver(answering(500, b"y" * 100_000)) as receiver:
        assert post(receiver.url, times=2).excerpt == "y" * 4096
        # What was not read to its end is closed.
        assert receiver.connections == 2


def test_an_answer_that_is_no_text_is_kept_as_far_as_possible() -> None:
    with Receiver(answering(500, b"a\x00b\xff\xfec\xed\xa0\x80")) as receiver:
        excerpt = post(receiver.url).excerpt
    assert excerpt.startswith("a\ufffdb\ufffd")
    assert "\x00" not in excerpt
    excerpt.encode()  # PostgreSQL will want to


def test_closed_port_is_a_connection_failure() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        assert post(f"http://127.0.0.1:{closed.getsockname()[1]}/").error == "CONNECT"


# --- TLS -----------------------------------------------------------------------------------------

Contexts = tuple[ssl.SSLContext, ssl.SSLContext]


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> Contexts:
    file, server = self_signed(tmp_path_factory.mktemp("tls"))
    return server, ssl.create_default_context(cafile=str(file))


@pytest.fixture
def tls_receiver(tls: Contexts) -> Iterator[Receiver]:
    with Receiver(tls=tls[0]) as receiver:
        yield receiver


def test_receiver_with_a_trusted_certificate_gets_the_post(
    tls_receiver: Receiver, tls: Contexts
) -> None:
    assert post(tls_receiver.url, tls=tls[1]).error == ""
    assert post(f"https://localhost:{tls_receiver.port}/", tls=tls[1]).error == ""


def test_a_certificate_without_a_trusted_issuer(tls_receiver: Receiver) -> None:
    assert post(tls_receiver.url).error == "TLS"
    assert tls_receiver.requests == []


def test_a_certificate_of_another_host(tls: Contexts) -> None:
    with Receiver(tls=tls[0], host="127.0.0.2") as receiver:
        assert post(receiver.url, tls=tls[1]).error == "TLS"
    assert receiver.requests == []


def test_plain_http_on_a_tls_port(receiver: Receiver) -> None:
    assert post(receiver.url.replace("http:", "https:")).error in ("TLS", "DISCONNECTED", "TIMEOUT")
    assert receiver.requests == []


# --- F11: hostile receivers are bounded -----------------------------------------------------------

KB64 = b"z" * 65536
CHUNK = b"10000\r\n" + KB64 + b"\r\n"
BOMB = gzip.compress(b"\0" * 50_000_000)

HOSTILE: dict[str, tuple[Behaviour, set[str]]] = {
    "says nothing": (hanging, {"TIMEOUT"}),
    "does not even read": (mute, {"TIMEOUT"}),
    "resets": (resetting, {"DISCONNECTED"}),
    "drips its headers": (
        saying(OK, b"X", every=0.05, forever=True),
        {"TIMEOUT"},
    ),
    "drips one header after the other": (
        saying(OK, b"X-A: b\r\n", every=0.02, forever=True),
        {"TIMEOUT", "INVALID_ANSWER"},
    ),
    "drips its body": (
        saying(OK + b"Content-Length: 4000\r\n\r\n", b"x", every=0.05, forever=True),
        {""},
    ),
    "drips an error's body": (
        saying(b"HTTP/1.1 500 No\r\n\r\n", b"x", every=0.05, forever=True),
        {"HTTP_STATUS"},
    ),
    "begins a body and hangs": (saying(OK + b"Content-Length: 9\r\n\r\nx"), {""}),
    "sends 1 GB": (
        saying(OK + b"Content-Length: 1073741824\r\n\r\n", KB64, forever=True),
        {""},
    ),
    "sends chunks without end": (
        saying(OK + b"Transfer-Encoding: chunked\r\n\r\n", CHUNK, forever=True),
        {""},
    ),
    "sends a body without length or end": (saying(OK + b"\r\n", KB64, forever=True), {""}),
    "sends a gzip bomb": (
        answering(200, BOMB, "Content-Encoding: gzip"),
        {""},
    ),
    "floods with header lines": (
        saying(OK, b"X-Flood: " + b"a" * 100 + b"\r\n", forever=True),
        {"INVALID_ANSWER"},
    ),
    "sends a header line without end": (
        saying(OK + b"X: ", KB64, forever=True),
        {"INVALID_ANSWER"},
    ),
    "sends a status line without end": (
        saying(b"HTTP/1.1 200 ", KB64, forever=True),
        {"INVALID_ANSWER"},
    ),
    "answers 100 without end": (
        saying(b"HTTP/1.1 100 Continue\r\n\r\n" * 1000, forever=True),
        {"INVALID_ANSWER", "TIMEOUT"},
    ),
    "answers 103 without end, slowly": (
        saying(b"HTTP/1.1 103 Early Hints\r\n\r\n", every=0.01, forever=True),
        {"TIMEOUT"},
    ),
    "switches protocols": (
        saying(
            b"HTTP/1.1 101 Now\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n", KB64, forever=True
        ),
        {"HTTP_STATUS"},
    ),
    "speaks no HTTP": (saying(b"220 smtp.example ESMTP\r\n", forever=True), {"INVALID_ANSWER"}),
    "sends binary noise": (saying(bytes(range(256)) * 64, forever=True), {"INVALID_ANSWER"}),
    "lies about its length": (saying(OK + b"Content-Length: -5\r\n\r\n"), {"INVALID_ANSWER"}),
    "sends two lengths": (
        saying(OK + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n"),
        {"INVALID_ANSWER"},
    ),
    "answers before it was asked": (
        saying(response(200, b"ok") + response(500, b"smuggled")),
        {""},
    ),
}


@pytest.mark.slow
@pytest.mark.faults("F11")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_receiver_is_bounded(name: str) -> None:
    behaviour, errors = HOSTILE[name]
    with Receiver(behaviour) as receiver:
        started = time.perf_counter()
        answer = post(receiver.url)
        seconds = time.perf_counter() - started
        time.sleep(0.05)
        sent = receiver.bytes_sent
    record(
        f"{name}: {answer.error or answer.status} in {seconds:.2f} s, {sent:,} bytes",
        hostile_receivers=1,
        slowest_seconds=seconds,
        most_megabytes=sent / 1024 / 1024,
    )
    assert answer.error in errors
    assert seconds <= DEADLINE + SLOWER
    assert sent <= BYTES
    assert len(answer.excerpt) <= 4096


@pytest.mark.faults("F11")
@pytest.mark.parametrize("behaviour", [mute, saying(b"\x16\x03\x01", every=0.1, forever=True)])
def test_a_tls_handshake_that_hangs_or_drips_is_bounded(behaviour: Behaviour) -> None:
    with Receiver(behaviour) as receiver:
        started = time.perf_counter()
        answer = post(receiver.url.replace("http:", "https:"))
        seconds = time.perf_counter() - started
    record(f"TLS handshake: {answer.error} in {seconds:.2f} s", slowest_seconds=seconds)
    assert answer.error in ("TIMEOUT", "TLS")
    assert seconds <= CONNECT + SLOWER


@pytest.mark.faults("F11")
def test_a_connection_that_is_never_accepted_is_bounded() -> None:
    with Unreachable() as dead:
        started = time.perf_counter()
        answer = post(dead.url)
        seconds = time.perf_counter() - started
    record(f"never accepts: {answer.error} in {seconds:.2f} s", slowest_seconds=seconds)
    assert answer.error == "TIMEOUT"
    assert seconds <= CONNECT + SLOWER


def test_a_name_server_that_hangs_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    hang = CONNECT + SLOWER + 1
    monkeypatch.setattr(sender_module.ssrf, "look_up", lambda *_: time.sleep(hang) or [])

    async def send() -> tuple[DeliveryResponse, float]:
        async with Sender() as sender:
            started = time.perf_counter()
            answer = await sender.post("https://slow.example/", BODY, HEADERS)
            return answer, time.perf_counter() - started

    answer, seconds = event_loop.run(send())
    assert answer.error == "TIMEOUT"
    assert seconds <= CONNECT + SLOWER


@pytest.mark.faults("F11")
def test_a_hostile_receiver_does_not_hold_up_the_others(receiver: Receiver) -> None:
    """All of them at once on one event loop: an honest receiver still answers quickly."""

    async def send(urls: list[str]) -> list[float]:
        async with Sender() as sender:
            pests = [asyncio.create_task(sender.post(url, BODY, HEADERS)) for url in urls]
            await asyncio.sleep(0.1)
            times = []
            for _ in range(20):
                started = time.perf_counter()
                assert (await sender.post(receiver.url, BODY, HEADERS)).error == ""
                times.append(time.perf_counter() - started)
            await asyncio.gather(*pests)
            return sorted(times)

    quiet = [
        hanging,
        mute,
        resetting,
        HOSTILE["drips its body"][0],
        HOSTILE["drips its headers"][0],
    ]
    farm = [Receiver(behaviour) for behaviour in quiet for _ in range(10)]
    for pest in farm:
        pest.__enter__()
    try:
        times = event_loop.run(send([pest.url for pest in farm]))
    finally:
        for pest in farm:
            pest.__exit__()
    record(f"honest receiver beside {len(farm)} hostile ones: p95 {times[18] * 1000:.1f} ms")
    assert times[18] < (0.5 if SCALE >= 1 else DEADLINE)
