"""A proxy before a node: it changes answers, or sends something else in their place."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.request import Request, urlopen


class LyingNode:
    """
    changes   {method: function of the result that the node gave}
    body      what it sends instead of JSON.
    asked     the methods, in order.
    headers   of the last request.
    """

    def __init__(self, node_url: str) -> None:
        self.node_url = node_url
        self.changes: dict[str, Callable[[Any], Any]] = {}
        self.errors: dict[str, object] = {}
        self.body: bytes | None = None
        self.status = 200
        self.asked: list[str] = []
        self.paths: list[str] = []
        self.headers: dict[str, str] = {}
        self.url = ""

    def answer(self, raw: bytes) -> bytes:
        if self.body is not None:
            return self.body
        headers = {"Content-Type": "application/json"}
        request = Request(self.node_url, raw, headers=headers)  # noqa: S310
        with urlopen(request, timeout=10) as response:  # noqa: S310
            answers = json.load(response)
        asked = json.loads(raw)
        pairs = zip(asked, answers, strict=True) if isinstance(asked, list) else [(asked, answers)]
        for question, answer in pairs:
            method = question["method"]
            self.asked.append(method)
            if method in self.errors:
                answer.pop("result", None)
                answer["error"] = self.errors[method]
            elif method in self.changes and "result" in answer:
                answer["result"] = self.changes[method](answer["result"])
        return json.dumps(answers).encode()


@contextmanager
def lying_node(node_url: str) -> Iterator[LyingNode]:
    lies = LyingNode(node_url)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            lies.paths.append(self.path)
            lies.headers = dict(self.headers)
            body = lies.answer(raw)
            self.send_response(lies.status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    lies.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield lies
    finally:
        server.shutdown()
        server.server_close()
