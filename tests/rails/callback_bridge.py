"""Carries the events of a fake rail to the service's own routes, in this process or in another."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, Self

from django.db import connections
from django.test import Client

# As many events are applied at the same time. A new thread for each event cost more than the event:
# its database connection and its client load everything again.
THREADS = 4
_of_thread = threading.local()


class CallbackBridge:
    """`with CallbackBridge() as bridge`: `bridge.url(product, account)` is where events go.

    `deliver` returns the status that the service answers; `statuses` are all of them.
    """

    def __init__(self, deliver: Callable[[str, bytes], int] | None = None) -> None:
        deliver = deliver or deliver_here
        self.statuses: list[int] = []
        bridge = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                content = self.rfile.read(int(self.headers["Content-Length"]))
                status = deliver(self.path, content)
                bridge.statuses.append(status)
                self.send_response(status)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = _PoolServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    def url(self, product: str, account: str) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/callbacks/{product}/{account}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join(5)
        self._server.server_close()


class _PoolServer(HTTPServer):
    """Its threads keep their database connections until it closes."""

    request_queue_size = 128

    def __init__(self, address: tuple[str, int], handler: Callable[..., Any]) -> None:
        super().__init__(address, handler)
        self._pool = ThreadPoolExecutor(THREADS)

    def process_request(self, request: Any, client_address: Any) -> None:
        self._pool.submit(self._serve, request, client_address)

    def _serve(self, request: Any, client_address: Any) -> None:
        try:
            self.finish_request(request, client_address)
        except Exception:
            self.handle_error(request, client_address)
        finally:
            self.shutdown_request(request)

    def server_close(self) -> None:
        super().server_close()
        all_here = threading.Barrier(THREADS)

        def close() -> None:
            all_here.wait(60)  # so that each thread closes its own
            connections.close_all()

        for closing in [self._pool.submit(close) for _ in range(THREADS)]:
            closing.result()
        self._pool.shutdown()


def deliver_here(path: str, content: bytes) -> int:
    """The status that the route answers."""
    if not hasattr(_of_thread, "client"):
        _of_thread.client = Client(raise_request_exception=False)
    client: Client = _of_thread.client
    return client.post(path, content, content_type="application/json").status_code
