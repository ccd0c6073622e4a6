"""A receiver of webhooks that is faster than every sender: one process, epoll, fixed answers.

`python -m benchmarks.receiver PORT`. POST /fast is answered at once, POST /slow after a second.
GET /report tells what came since the last DELETE: how many, when first and last, and when each of
the last events (Unix seconds).
"""

import json
import re
import select
import socket
import sys
import time
from collections import deque
from typing import Any

SLOW_SECONDS = 1.0
REMEMBERED = 2000
_OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_EVENT = re.compile(rb"\r\nx-service-event-id: *([^\r]+)", re.IGNORECASE)


class Receiver:
    """Keeps nothing of a body."""

    def __init__(self, port: int) -> None:
        self._listener = socket.create_server(("127.0.0.1", port), backlog=4096)
        self._listener.setblocking(False)
        self._poll = select.epoll()
        self._poll.register(self._listener.fileno(), select.EPOLLIN)
        self._clients: dict[int, tuple[socket.socket, bytearray]] = {}
        self._due: deque[tuple[float, int, socket.socket]] = deque()
        self._forget()

    def serve(self) -> None:
        """Until it is killed."""
        while True:
            wait = max(0.0, self._due[0][0] - time.monotonic()) if self._due else None
            for file, _ in self._poll.poll(wait):
                if file == self._listener.fileno():
                    self._accept()
                else:
                    self._read(file)
            now = time.monotonic()
            while self._due and self._due[0][0] <= now:
                _, file, client = self._due.popleft()
                if file in self._clients and self._clients[file][0] is client:
                    client.send(_OK)

    def _forget(self) -> None:
        self._count = 0
        self._first = self._last = 0.0
        self._events: dict[str, float] = {}

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except BlockingIOError:
                return
            client.setblocking(False)
            self._clients[client.fileno()] = (client, bytearray())
            self._poll.register(client.fileno(), select.EPOLLIN)

    def _read(self, file: int) -> None:
        client, buffer = self._clients[file]
        try:
            received = client.recv(65536)
        except ConnectionError:
            received = b""
        if not received:
            del self._clients[file]
            client.close()  # which takes it out of the poll
            return
        buffer += received
        while (end := _end_of_request(buffer)) is not None:
            request = bytes(buffer[:end])
            del buffer[:end]
            self._answer(file, client, request)

    def _answer(self, file: int, client: socket.socket, request: bytes) -> None:
        if request.startswith(b"POST /"):
            self._note(request)
            if request.startswith(b"POST /slow"):
                self._due.append((time.monotonic() + SLOW_SECONDS, file, client))
            else:
                client.send(_OK)
            return
        if request.startswith(b"DELETE /"):
            self._forget()
        body = json.dumps(self._report()).encode()
        client.setblocking(True)
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        client.setblocking(False)

    def _note(self, request: bytes) -> None:
        now = time.time()
        self._count += 1
        self._first, self._last = self._first or now, now
        if len(self._events) < REMEMBERED and (event := _EVENT.search(request)):
            self._events.setdefault(event[1].decode(), now)

    def _report(self) -> dict[str, Any]:
        return {
            "count": self._count,
            "first": self._first,
            "last": self._last,
            "events": self._events,
        }


def _end_of_request(buffer: bytearray) -> int | None:
    head = buffer.find(b"\r\n\r\n")
    if head < 0:
        return None
    length = _LENGTH.search(buffer, 0, head + 2)
    end = head + 4 + (int(length[1]) if length else 0)
    return end if len(buffer) >= end else None


if __name__ == "__main__":
    Receiver(int(sys.argv[1])).serve()
