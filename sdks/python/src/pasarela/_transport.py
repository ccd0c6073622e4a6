"""Requests with keys, time limits, and retries that cannot do anything twice."""

import random
import time
import uuid
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

import httpx

from . import _json
from ._version import __version__
from .codes import BY_CODE
from .errors import APIError, ConnectionFailed, TimedOut

# Nothing was done; the same request may succeed later.
NOT_DONE = (408, 429)
# Perhaps done: only what cannot happen twice is sent again.
UNKNOWN = (500, 502, 503, 504)


@dataclass(frozen=True)
class Answer:
    """The envelope, or None if it is not JSON; the headers; the body as a text."""

    status: int
    envelope: Any
    headers: Mapping[str, str]
    text: str

    @property
    def data(self) -> Any:
        """Raises APIError if something else answered: a proxy, another site."""
        try:
            return self.envelope["data"]
        except (KeyError, TypeError):
            raise APIError(self.status, {}) from None

    @property
    def replayed(self) -> bool:
        """Whether an earlier request with this key had done it already."""
        return self.headers.get("idempotent-replayed") == "true"


class Transport:
    """`retries` is how often a request is sent again, `longest_wait` how long it waits for it."""

    def __init__(
        self,
        http: httpx.Client,
        *,
        base_url: str,
        keys: tuple[str, str],
        retries: int,
        longest_wait: float,
    ) -> None:
        if not all(keys) or not base_url.startswith(("http://", "https://")):
            raise ValueError("public_key, secret or base_url is missing.")
        self.http = http
        self.base_url = base_url.rstrip("/")
        if not urlsplit(self.base_url).path:
            self.base_url += "/api/v1"
        self.headers = {
            "X-Api-Key": keys[0],
            "X-Api-Secret": keys[1],
            "User-Agent": f"pasarela-python/{__version__}",
        }
        self.retries = retries
        self.longest_wait = longest_wait
        self.sleep = time.sleep

    def get(self, *path: str, query: Mapping[str, Any] | None = None) -> Answer:
        given = {name: value for name, value in (query or {}).items() if value is not None}
        return self._send("GET", path, repeatable=True, query=given)

    def post(self, *path: str, body: Mapping[str, Any] | None = None, safe: bool = False) -> Answer:
        """Of what takes no idempotency key: sent again only if nothing was done, or if the second
        time does nothing more (`safe`)."""
        return self._send("POST", path, repeatable=safe, body=body)

    def patch(self, *path: str, body: Mapping[str, Any]) -> Answer:
        return self._send("PATCH", path, repeatable=True, body=body)

    def delete(self, *path: str) -> Answer:
        return self._send("DELETE", path, repeatable=True)

    def create(self, *path: str, body: Mapping[str, Any], key: str | None) -> Answer:
        """Once for each key. Without one it gets its own, which all retries have in common."""
        # A key in the body serves as well, and two different ones would be refused.
        key = key or body.get("idempotencyKey") or str(uuid.uuid4())
        return self._send("POST", path, repeatable=True, body=body, key=key)

    def _send(
        self,
        method: str,
        path: tuple[str, ...],
        *,
        repeatable: bool,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        key: str | None = None,
    ) -> Answer:
        # An empty id would lead to the list, and `..` to another path.
        if not all(part.strip(".") for part in path):
            raise ValueError(f"{method} {'/'.join(path)}: an id is missing.")
        address = "/".join([self.base_url, *(quote(part, safe="") for part in path)])
        request = self.http.build_request(
            method, address, params=query or None, headers=self.headers, content=_content(body)
        )
        if body is not None:
            request.headers["Content-Type"] = "application/json"
        if key:
            request.headers["Idempotency-Key"] = key
        for left in range(self.retries, -1, -1):
            try:
                response = self.http.send(request)
            except httpx.TransportError as error:
                is_sent = not isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
                if not left or (is_sent and not repeatable):
                    is_late = isinstance(error, httpx.TimeoutException)
                    kind = TimedOut if is_late else ConnectionFailed
                    raise kind(str(error) or type(error).__name__, key) from error
                wait = self._backoff(left)
            else:
                if response.is_success:
                    return _answer(response)
                refusal = _refusal(response, key)
                pause = self._pause(refusal, left) if left else None
                if pause is None or not _may_repeat(refusal, repeatable):
                    raise refusal
                wait = pause
            self.sleep(wait)
        raise AssertionError  # the last round returns or raises

    def _pause(self, refusal: APIError, left: int) -> float | None:
        """Seconds to wait, None if it is too long."""
        if refusal.retry_after is None:
            return self._backoff(left)
        return refusal.retry_after if refusal.retry_after <= self.longest_wait else None

    def _backoff(self, left: int) -> float:
        """Half a second, one, two ... and up to as much again, so that clients part."""
        seconds: float = min(0.5 * 2 ** (self.retries - left), self.longest_wait)
        return seconds * (1 + random.random())  # noqa: S311


def _content(body: Mapping[str, Any] | None) -> bytes | None:
    return None if body is None else _json.dumps(body).encode()


def _answer(response: httpx.Response) -> Answer:
    envelope = None
    if "json" in response.headers.get("content-type", ""):
        with suppress(ValueError):
            envelope = _json.loads(response.content)
    return Answer(response.status_code, envelope, response.headers, response.text)


def _refusal(response: httpx.Response, key: str | None) -> APIError:
    try:
        error = _json.loads(response.content)["error"]
        given = dict(error)
    except (ValueError, KeyError, TypeError):
        given = {}  # of a proxy
    after = response.headers.get("retry-after", "")
    kind = APIError.of(response.status_code)
    own = BY_CODE.get(str(given.get("code")), kind)
    return (own if issubclass(own, kind) else kind)(
        response.status_code,
        given,
        request_id=response.headers.get("x-request-id"),
        retry_after=float(after) if after.isascii() and after.isdigit() else None,
        idempotency_key=key,
    )


def _may_repeat(refusal: APIError, repeatable: bool) -> bool:
    if refusal.status in NOT_DONE:
        return True
    if (
        refusal.status == 503
        and refusal.retry_after is None
        and not refusal.code.startswith("HTTP_")
    ):
        return False  # a product that is not enabled: it will be the same in a second
    return repeatable and refusal.status in UNKNOWN
