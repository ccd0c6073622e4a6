"""F21: clients that vanish, say nothing, or send a body that never comes, while others ask."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.contract.wire import Server, request, running_server
from tests.deploy.slow_clients import PROBE_SECONDS, descriptors_for, probe
from tests.deploy.test_vanishing_clients import unfinished_http2
from tests.faults import SCALE, scaled
from tests.support.measurements import record

pytestmark = pytest.mark.django_db(transaction=True)
SLOWEST_SECONDS = 1.0 if SCALE >= 1 else PROBE_SECONDS
# A form needs no credentials, and nothing in its headers says that it is refused.
SILENT_BODY = request(
    "POST",
    "/admin/login/",
    "Cookie: csrftoken=" + "a" * 32,
    "Content-Type: application/x-www-form-urlencoded",
    "Content-Length: 500",
    body=b"{",
    length=False,
)
ATTACKS = {
    "bodies that never come": SILENT_BODY,
    "bodies in chunks that never end": SILENT_BODY.replace(
        b"Content-Length: 500", b"Transfer-Encoding: chunked"
    ).replace(b"\r\n\r\n{", b"\r\n\r\n1\r\n{\r\n"),
    "half headers": b"POST /api/v1/collect HTTP/1.1\r\nHost: x\r\nContent-Le",
    "silence": b"",
    "HTTP/2 without an end": unfinished_http2(),
}


def attackers(server: Server, first: bytes, count: int, addresses: int) -> list[socket.socket]:
    """Connections in turn from so many addresses of this machine."""
    made = []
    for number in range(count):
        source = (f"127.0.0.{number % addresses + 1}", 0)
        connection = socket.create_connection(("127.0.0.1", server.port), 10, source)
        connection.sendall(first)
        made.append(connection)
    return made


@pytest.fixture(scope="module")
def server(django_db_setup: None) -> Iterator[Server]:
    """One for all attacks: what one leaves behind must not help the next."""
    with running_server() as running:
        yield running


@pytest.mark.faults("F21")
@pytest.mark.parametrize("addresses", [1, 50])
@pytest.mark.parametrize("name", ATTACKS)
def test_hostile_clients_delay_no_other_client(name: str, addresses: int, server: Server) -> None:
    count = scaled(500)
    descriptors_for(count)
    with ExitStack() as stack:
        for connection in attackers(server, ATTACKS[name], count, addresses):
            stack.enter_context(connection)
        took: list[float] = []
        lock = threading.Lock()

        def ask() -> None:
            for _ in range(10):
                seconds = probe(server)
                with lock:
                    took.append(seconds)

        clients = [threading.Thread(target=ask) for _ in range(4)]
        began = time.monotonic()
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        ended = time.monotonic() - began
    p95 = sorted(took)[int(len(took) * 0.95) - 1] if took else float("inf")
    record(
        f"{count} x {name} from {addresses} addresses: {len(took)} of 40 requests answered"
        f" in {ended:.1f} s, p95 {p95 * 1000:.0f} ms",
        requests_of_others=40,
        requests_of_others_that_failed=40 - len(took),
        p95_of_others_seconds=p95,
    )
    assert len(took) == 40
    assert p95 < SLOWEST_SECONDS
