"""Stands before a node and changes its answers: what a node that is broken or lies would say."""

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class LyingProxy:
    """
    lies   {method: function of (params, result) that gives another result}.
    whole  changes (status, body) of the whole answer.
    asked  (method, params) of each question.
    """

    def __init__(self, target: str) -> None:
        self.target = target
        self.lies: dict[str, Callable] = {}
        self.whole = None
        self.asked = []

    @contextmanager
    def serving(self):
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        self.url = f"http://127.0.0.1:{server.server_port}/"
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()

    def answer(self, body, headers):
        asked = json.loads(body)
        questions = {one["id"]: one for one in (asked if isinstance(asked, list) else [asked])}
        self.asked += [(one["method"], one["params"]) for one in questions.values()]
        status, found = self._pass_on(body, headers)
        answers = json.loads(found)
        for one in answers if isinstance(answers, list) else [answers]:
            question = questions[one["id"]]
            if lie := self.lies.get(question["method"]):
                one["result"] = lie(question["params"], one["result"])
        changed = json.dumps(answers).encode()
        return self.whole(status, changed) if self.whole else (status, changed)

    def _pass_on(self, body, headers):
        request = urllib.request.Request(self.target, body, headers)  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310
                return response.status, response.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()


def _handler(proxy: LyingProxy) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            kept = ("Authorization", "Content-Type")
            headers = {name: self.headers[name] for name in kept if name in self.headers}
            status, answer = proxy.answer(body, headers)
            self.send_response(status)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *arguments: object) -> None:
            pass

    return Handler
