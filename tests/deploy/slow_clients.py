"""Connections that behave badly on purpose, and ordinary requests beside them."""

import resource
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from tests.contract.wire import Server

# One that is delayed longer fails. Promised is a second; a busy machine may take longer.
PROBE_SECONDS = 5


def connect(server: Server, first: bytes = b"", *, host: str = "127.0.0.1") -> socket.socket:
    """From the address `host` of this machine."""
    connection = socket.create_connection(("127.0.0.1", server.port), 60, (host, 0))
    connection.sendall(first)
    return connection


@contextmanager
def holding(server: Server, first: bytes, count: int) -> Iterator[list[socket.socket]]:
    """As many connections, each of which has sent `first` and says nothing more."""
    descriptors_for(count)
    with ExitStack() as stack:
        yield [stack.enter_context(connect(server, first)) for _ in range(count)]


def probe(server: Server) -> float:
    """Seconds until an ordinary request is answered."""
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", server.port), PROBE_SECONDS) as connection:
        connection.sendall(
            b"GET /healthz HTTP/1.1\r\nHost: testserver\r\nConnection: close\r\n\r\n"
        )
        assert connection.recv(65536).startswith(b"HTTP/1.1 200")
    return time.monotonic() - began


def last_words(connections: list[socket.socket], seconds: float) -> list[bytes]:
    """What the server said on each before it hung up, all of which it must do within `seconds`."""
    deadline = time.monotonic() + seconds
    said = []
    for connection in connections:
        text = b""
        try:
            while True:
                connection.settimeout(max(deadline - time.monotonic(), 0.01))
                if not (piece := connection.recv(65536)):
                    break
                text += piece
        except ConnectionError:
            pass
        said.append(text)
    return said


def descriptors_for(count: int) -> None:
    """Skips where the machine does not allow so many connections."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < count + 200:
        pytest.skip(f"This machine allows {hard} open files; the test needs {count + 200}.")
    if soft < count + 200:
        resource.setrlimit(resource.RLIMIT_NOFILE, (count + 200, hard))
