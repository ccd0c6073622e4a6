"""Plain HTTP calls to a fake server, without a client that forgives."""

import http.client
import json
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any, NamedTuple
from urllib.parse import urlsplit


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    content: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.content)


def call(method: str, url: str, body: Any = None, headers: dict[str, str] | None = None) -> Answer:
    """A `body` of bytes goes as it is, anything else as JSON. Header names come in lower case."""
    parts = urlsplit(url)
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    content = body if isinstance(body, bytes) else json.dumps(body).encode() if body else b""
    with closing(http.client.HTTPConnection(parts.netloc, timeout=60)) as connection:
        connection.request(method, path, content or None, headers or {})
        answer = connection.getresponse()
        found = {name.lower(): value for name, value in answer.getheaders()}
        return Answer(answer.status, found, answer.read())


def wait_until(condition: Callable[[], Any], seconds: float = 60) -> Any:
    """What `condition` returns as soon as it is true."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if result := condition():
            return result
        time.sleep(0.005)
    raise AssertionError(f"Not within {seconds} s")
