"""Clients that hang up, or never say anything: the web server goes on serving the others."""

import os
import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.contract.wire import Server, running_server
from tests.deploy.slow_clients import connect, holding, last_words, probe

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
CREATE = b"/api/v1/collect"
# More than one worker accepted at a time before it had room for them.
SILENT = 1_300
# The server closes them after five seconds; a busy machine may take longer.
CLOSED_SECONDS = 15


@pytest.fixture
def server(django_db_setup: None) -> Iterator[Server]:
    """A server of its own for each test: what one leaves behind must not spoil the next."""
    with running_server() as running:
        yield running


def frame(kind: int, flags: int, stream: int, body: bytes = b"") -> bytes:
    """One frame of HTTP/2."""
    return (
        struct.pack(">I", len(body))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + body
    )


def unfinished_http2() -> bytes:
    """The beginning of four POSTs on one connection, none of which ends."""
    head = b"\x83\x86\x04" + bytes([len(CREATE)]) + CREATE + b"\x01\x01x"
    streams = b"".join(frame(1, 4, stream, head) for stream in (1, 3, 5, 7))
    return b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0) + streams


def cpu_seconds(server: Server) -> float:
    """Of the server's worker processes."""
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    used = 0
    for child in children:
        fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
        used += int(fields[11]) + int(fields[12])
    return used / os.sysconf("SC_CLK_TCK")


def comes_to_rest(server: Server) -> bool:
    """Once it has done what it was asked. A thread that turns for nothing never ends."""
    for _ in range(15):
        before = cpu_seconds(server)
        time.sleep(2)
        if cpu_seconds(server) - before < 0.5:
            return True
    return False


def test_http2_clients_that_vanish_in_a_body_leave_the_web_server_idle(server: Server) -> None:
    for _ in range(5):
        connection = connect(server, unfinished_http2())
        time.sleep(0.3)  # until the requests are in the hands of the server
        connection.close()
    for _ in range(5):
        probe(server)
    assert comes_to_rest(server)


@pytest.mark.parametrize(
    "first",
    [b"", b"POST /api/v1/collect HTTP/1.1\r\nHost: x\r\nContent-Le"],
    ids=["silent", "half"],
)
def test_clients_without_a_whole_header_delay_no_other_client_and_are_closed(
    server: Server, first: bytes
) -> None:
    with holding(server, first, SILENT) as held:
        for _ in range(5):
            probe(server)
        last_words(held, CLOSED_SECONDS)


def test_a_client_that_vanishes_in_a_body_of_http1_leaves_the_web_server_idle(
    server: Server,
) -> None:
    """By length and by chunks; closed, half-closed and reset."""
    announced = b"POST /api/v1/collect HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{"
    chunks = (
        announced.replace(b"Content-Length: 500", b"Transfer-Encoding: chunked")[:-1] + b"1\r\n{"
    )
    leave: list[Callable[[socket.socket], None]] = [
        lambda connection: connection.close(),
        lambda connection: connection.shutdown(socket.SHUT_WR),
        reset,
    ]
    with ExitStack() as stack:
        for first in (announced, chunks):
            for way in leave:
                connection = stack.enter_context(connect(server, first))
                time.sleep(0.1)
                way(connection)
        for _ in range(5):
            probe(server)
    assert comes_to_rest(server)


def reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
