"""A merchant's webhook receiver: checks the signature, returns 200 or 400."""

import hashlib
import hmac
import json
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Empty, Queue
from typing import Any

OLDEST_MILLISECONDS = 300_000


@dataclass(frozen=True)
class Received:
    """A delivery. `problem` is empty if the signature is valid. `at` is of time.monotonic()."""

    payload: dict[str, Any]
    event_id: str
    problem: str
    at: float = field(default_factory=time.monotonic)


class Receiver:
    """Listens on a free port of the loopback until `close()`."""

    def __init__(self) -> None:
        self.secret = ""
        self._deliveries: Queue[Received] = Queue()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/webhooks"

    def next(self, seconds: float) -> Received | None:
        """None when no delivery arrives in time."""
        try:
            return self._deliveries.get(timeout=seconds)
        except Empty:
            return None

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                signature = self.headers.get("X-Service-Signature", "")
                timestamp = self.headers.get("X-Service-Timestamp", "")
                problem = problem_of(receiver.secret, signature, timestamp, body)
                self.send_response(400 if problem else 200)
                self.send_header("Content-Length", "0")
                self.end_headers()
                event_id = self.headers.get("X-Service-Event-Id", "")
                receiver._deliveries.put(Received(json.loads(body), event_id, problem))

            def log_message(self, *args: object) -> None:
                """Prints nothing."""

        return Handler


def problem_of(secret: str, signature: str, timestamp: str, body: bytes) -> str:
    """Empty for a genuine delivery. The signature covers the bytes as they were received."""
    signed = timestamp.encode() + b"." + body
    expected = "sha256=" + hmac.digest(secret.encode(), signed, hashlib.sha256).hex()
    if not hmac.compare_digest(expected.encode(), signature.encode()):
        return "the signature does not match"
    if not timestamp.isdecimal():
        return "the timestamp is no number"
    if abs(time.time() * 1000 - int(timestamp)) > OLDEST_MILLISECONDS:
        return "the timestamp is older than five minutes"
    return ""
