"""Clients that keep their connections and ask without a rest: one thread, epoll, raw sockets.

A library would cost more than the service that it measures. Every answer's status is looked at;
whatever is not 2xx ends the run.
"""

import gc
import re
import select
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass

Address = tuple[str, int]
# The whole request, bytes and all, for a number that never comes twice.
Request = Callable[[int], bytes]
CLIENTS = 8
ANSWER_SECONDS = 30
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding: *chunked", re.IGNORECASE)


class BadAnswer(Exception):
    """An answer that is not 2xx, or none."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One round: how long each answer took, and how long the round was. Seconds.

    `cpu_seconds` is what the contestant's own processes computed in that time, if known.
    """

    latencies: list[float]
    seconds: float
    cpu_seconds: float | None = None

    @property
    def rate(self) -> float:
        """Answers a second."""
        return len(self.latencies) / self.seconds

    def percentile(self, part: float) -> float:
        """E.g. `percentile(0.99)`, in seconds."""
        ordered = sorted(self.latencies)
        return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


class Connection:
    """One client: at most one question under way."""

    __slots__ = ("asked_at", "buffer", "socket")

    def __init__(self, address: Address) -> None:
        self.socket = socket.create_connection(address, timeout=ANSWER_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""
        self.asked_at = 0.0

    def ask(self, request: bytes) -> None:
        self.asked_at = time.perf_counter()
        self.socket.sendall(request)

    def read(self) -> bytes | None:
        """The whole answer, once it is there."""
        received = self.socket.recv(262_144)
        if not received:
            raise BadAnswer(f"hung up after {self.buffer[:200]!r}")
        self.buffer += received
        if not is_whole(self.buffer):
            return None
        answer, self.buffer = self.buffer, b""
        return answer


def is_whole(answer: bytes) -> bool:
    """Whether head and body have come."""
    end = answer.find(b"\r\n\r\n")
    if end < 0:
        return False
    head = answer[: end + 2]
    if length := _LENGTH.search(head):
        return len(answer) >= end + 4 + int(length[1])
    return _CHUNKED.search(head) is None or answer.endswith(b"0\r\n\r\n")


def status_of(answer: bytes) -> int:
    """200 of `HTTP/1.1 200 OK`."""
    return int(answer[9:12])


def body_of(answer: bytes) -> bytes:
    """Without its head, and in one piece."""
    head, _, body = answer.partition(b"\r\n\r\n")
    if _CHUNKED.search(head + b"\r\n") is None:
        return body
    pieces = []
    while body:
        size, _, rest = body.partition(b"\r\n")
        length = int(size, 16)
        pieces.append(rest[:length])
        body = rest[length + 2 :] if length else b""
    return b"".join(pieces)


def check(answer: bytes) -> None:
    """Raises BadAnswer unless it is 2xx."""
    if not 200 <= status_of(answer) <= 299:
        raise BadAnswer(answer[:2000].decode(errors="replace"))


def ask(address: Address, request: bytes) -> bytes:
    """One question on a connection of its own; the body of its answer. Raises BadAnswer."""
    connection = Connection(address)
    with connection.socket:
        connection.ask(request)
        while (answer := connection.read()) is None:
            pass
    check(answer)
    return body_of(answer)


def drive(
    address: Address, request: Request, *, first: int, seconds: float, clients: int = CLIENTS
) -> Sample:
    """Keeps `clients` questions under way for so long. `first` is the first request's number."""
    crowd = [Connection(address) for _ in range(clients)]
    poll = select.epoll()
    by_file = {connection.socket.fileno(): connection for connection in crowd}
    for file in by_file:
        poll.register(file, select.EPOLLIN)
    gc.disable()  # a pause of ours would be taken for one of theirs
    try:
        return _roll(poll, by_file, request, first, seconds)
    finally:
        gc.enable()
        poll.close()
        for connection in crowd:
            connection.socket.close()


def _roll(
    poll: select.epoll,
    by_file: dict[int, Connection],
    request: Request,
    first: int,
    seconds: float,
) -> Sample:
    latencies: list[float] = []
    number = first
    began = time.perf_counter()
    ends_at = began + seconds
    for connection in by_file.values():
        connection.ask(request(number))
        number += 1
    busy = len(by_file)
    while busy:
        events = poll.poll(ANSWER_SECONDS)
        if not events:
            raise BadAnswer(f"no answer within {ANSWER_SECONDS} s")
        for file, _ in events:
            connection = by_file[file]
            answer = connection.read()
            if answer is None:
                continue
            now = time.perf_counter()
            latencies.append(now - connection.asked_at)
            check(answer)
            if now < ends_at:
                connection.ask(request(number))
                number += 1
            else:
                busy -= 1
    return Sample(latencies, time.perf_counter() - began)
