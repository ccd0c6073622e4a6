"""Plays the service for the SDKs: answers as a test wants, and keeps what was asked."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ORDER = {"success": True, "data": {"id": "col_1"}}
JSON = {"Content-Type": "application/json"}


@dataclass
class Reply:
    status: int = 201
    headers: dict[str, str] = field(default_factory=lambda: dict(JSON))
    body: bytes = json.dumps(ORDER).encode()
    is_cut: bool = False
    is_silent: bool = False


def refusal(status: int, code: str, **headers: str) -> Reply:
    error = {"success": False, "error": {"code": code, "message": "No."}}
    return Reply(status, {**JSON, **headers}, json.dumps(error).encode())


@dataclass
class Stub:
    """Plays the service: one reply for each request; the last one also for all further ones."""

    replies: list[Reply] = field(default_factory=list)
    seen: list[dict[str, str]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    address: str = ""
    ended: threading.Event = field(default_factory=threading.Event)

    def keys(self) -> set[str]:
        return {each.get("idempotency-key", "") for each in self.seen}


def handler(stub: Stub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            stub.times.append(time.monotonic())
            headers = {name.lower(): value for name, value in self.headers.items()}
            headers["body"] = self.rfile.read(int(headers.get("content-length", 0))).decode()
            headers["line"] = f"{self.command} {self.path}"
            reply = stub.replies[min(len(stub.seen), len(stub.replies) - 1)]
            stub.seen.append(headers)
            if reply.is_silent:
                stub.ended.wait()
            elif not reply.is_cut:
                self.send_response(reply.status)
                for name, value in {**reply.headers, "Content-Length": len(reply.body)}.items():
                    self.send_header(name, str(value))
                self.end_headers()
                self.wfile.write(reply.body)
            self.close_connection = True

        do_POST = do_PATCH = do_DELETE = do_GET

        def log_message(self, *_: object) -> None:
            pass

    return Handler


@contextmanager
def running_stub() -> Iterator[Stub]:
    made = Stub()
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(made))
    made.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield made
    made.ended.set()
    server.shutdown()
    server.server_close()
    thread.join()
