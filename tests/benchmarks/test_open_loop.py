"""The generator of a fixed rate: what counts as a request's time, and what it sends."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from benchmarks.client import Address, BadAnswer
from benchmarks.open_loop import LoadGenerator, Step, Visit

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
STALL_SECONDS = 0.5


class Server:
    """Answers GET; the request that names /stall stops every answer for STALL_SECONDS."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.address: Address = self._listener.getsockname()
        self.paths: list[str] = []
        self.answer = OK
        self._lock = threading.Lock()
        self._clients: list[socket.socket] = []

    def serve(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self._clients.append(client)
            threading.Thread(target=self._talk, args=(client,), daemon=True).start()

    def _talk(self, client: socket.socket) -> None:
        with client, suppress(ConnectionError):
            while request := client.recv(65_536):
                self._answer(client, request.split()[1].decode())

    def _answer(self, client: socket.socket, path: str) -> None:
        with self._lock:
            self.paths.append(path)
            if path == "/stall":
                time.sleep(STALL_SECONDS)
            client.sendall(self.answer)

    def close(self) -> None:
        # shutdown ends an accept that waits; close alone does not.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for client in self._clients:
            with suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)


@contextmanager
def serving() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve)
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join()


def get(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode()


def one_request(number: int) -> Visit:
    yield Step("read", 0.0, get("/stall" if number == 20 else "/"))


def test_requests_planned_while_the_service_stands_still_count_the_time_they_waited() -> None:
    with serving() as server:
        outcome = LoadGenerator(server.address, one_request, rate=100).run(1.0)
    assert outcome.visits == 100
    waited = sorted(outcome.latencies["read"])
    assert len(waited) == 100
    # 50 requests were planned during half a second in which none was answered. A client that
    # waits for each response would have seen one slow response.
    slow = [each for each in waited if each > 0.1]
    assert 35 <= len(slow) <= 80
    assert waited[-1] >= STALL_SECONDS * 0.9


def test_steps_of_a_visit_are_sent_in_order_with_the_body_of_the_response_before() -> None:
    bodies: list[bytes] = []

    def visit(number: int) -> Visit:
        bodies.append((yield Step("first", 0.0, get(f"/{number}/first"))))
        bodies.append((yield Step("second", 0.05, get(f"/{number}/second"))))

    with serving() as server:
        outcome = LoadGenerator(server.address, visit, rate=20).run(0.2)
        assert sorted(server.paths) == sorted(
            f"/{number}/{step}" for number in range(4) for step in ("first", "second")
        )
    assert bodies == [b"ok"] * 8
    assert outcome.requests_a_visit == 2
    assert {kind: len(each) for kind, each in outcome.latencies.items()} == {
        "first": 4,
        "second": 4,
    }


def test_capacity_is_found_by_clients_that_wait_for_each_response() -> None:
    def visit(_number: int) -> Visit:
        yield Step("read", 0.0, get("/"))

    with serving() as server:
        outcome = LoadGenerator(server.address, visit, crowd=2).run(0.5)
    assert outcome.count > 20
    assert outcome.rate == outcome.count / 0.5


def test_response_that_is_not_2xx_ends_the_run() -> None:
    with serving() as server:
        server.answer = b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"
        with pytest.raises(BadAnswer, match="503"):
            LoadGenerator(server.address, one_request, rate=10).run(0.2)
