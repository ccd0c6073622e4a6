"""Sends one POST, with limits of time and size."""

import asyncio
import contextlib
import contextvars
import functools
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp
import structlog
from aiohttp.client_proto import ResponseHandler
from django.conf import settings
from yarl import URL

from webhooks import ssrf
from webhooks.models import Failure

log = structlog.get_logger(__name__)

# Bodies are read in chunks of up to 256 KB, until one does not fit. So only endless interim
# responses or headers reach this limit.
MAX_ANSWER_BYTES = 320 * 1024
READ_BUFFER_BYTES = 4096
# The body is only for the history: the status decides the outcome.
BODY_SECONDS = 2.0
# Receivers close idle connections after two seconds or more. We close them earlier, so that few are
# closed during a request.
KEEP_ALIVE_SECONDS = 1.0
LOOKUP_CACHE_SECONDS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryResponse:
    """`error` is empty exactly for a 2xx status."""

    duration_ms: int
    status: int | None = None
    excerpt: str = ""
    error: str = ""


class Sender:
    """The connections of one run. Open it with `async with Sender() as sender`."""

    def __init__(self, *, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls or _trusted_authorities()
        # Read once, because reading a setting is slow.
        self._deadline_seconds = settings.WEBHOOK_TIMEOUT_SECONDS
        self._excerpt_bytes = settings.WEBHOOK_RESPONSE_MAX_BYTES
        # Without `total`, which aiohttp rounds up to whole seconds. asyncio has the deadline.
        self._timeout = aiohttp.ClientTimeout(
            total=None, connect=settings.WEBHOOK_CONNECT_TIMEOUT_SECONDS, ceil_threshold=3600
        )

    async def __aenter__(self) -> "Sender":
        self._resolver = ssrf.Resolver()
        self._session = self._open_session(keepalive_timeout=KEEP_ALIVE_SECONDS)
        self._fresh = self._open_session(force_close=True)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()
        await self._fresh.close()
        await self._resolver.close()

    def _open_session(self, **connections: Any) -> aiohttp.ClientSession:
        connector = aiohttp.TCPConnector(
            ssl=self._tls,
            resolver=self._resolver,
            socket_factory=ssrf.open_socket,
            limit=0,
            ttl_dns_cache=LOOKUP_CACHE_SECONDS,
            **connections,
        )
        # Not in aiohttp's public interface; test_a_hostile_receiver_is_bounded fails without it.
        handler: type[ResponseHandler] = _BoundedHandler
        connector._factory = functools.partial(handler, loop=connector._loop)
        return aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=self._timeout,
            trust_env=False,
            auto_decompress=False,
            read_bufsize=READ_BUFFER_BYTES,
        )

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> DeliveryResponse:
        """One attempt, within WEBHOOK_TIMEOUT_SECONDS of wall time. Raises only CancelledError."""
        started = time.perf_counter()
        status, excerpt, error = None, "", ""
        try:
            target = ssrf.check_webhook_url(url)
            async with asyncio.timeout(self._deadline_seconds):
                response = await self._answer(
                    target, data=body, headers=headers, allow_redirects=False
                )
                try:
                    status = response.status
                    error = _verdict(status)
                    excerpt = _text(await self._beginning(response.content))
                finally:
                    # Closes the connection, unless the response was read to its end.
                    response.close()
        except Exception as failure:
            # Once the status is known, a failure of the body does not change the outcome.
            if status is None:
                error = _classify(failure)
        return DeliveryResponse(
            duration_ms=round((time.perf_counter() - started) * 1000),
            status=status,
            excerpt=excerpt,
            error=error,
        )

    async def _answer(self, url: URL, **request: Any) -> aiohttp.ClientResponse:
        """Sends it again, on a connection of its own, if the receiver has just closed the idle one.

        It cannot be told whether the receiver read the request before. It knows it by its id then.
        """
        _used.set(None)
        try:
            return await self._session.post(url, **request)
        except aiohttp.ClientConnectionError:
            connection = _used.get()
            if connection is None or not connection.was_closed_idle:
                raise
        return await self._fresh.post(url, **request)

    async def _beginning(self, content: aiohttp.StreamReader) -> bytes:
        """At most WEBHOOK_RESPONSE_MAX_BYTES, and what arrives within BODY_SECONDS."""
        # One byte more than the excerpt, so that a body that just fits is read to its end.
        limit = self._excerpt_bytes + 1
        if content.is_eof():
            return content.read_nowait(limit)[: self._excerpt_bytes]
        received = bytearray()
        with contextlib.suppress(TimeoutError, aiohttp.ClientError):
            async with asyncio.timeout(BODY_SECONDS):
                while chunk := await content.read(limit - len(received)):
                    received += chunk
        return bytes(received[: self._excerpt_bytes])


@functools.cache
def _trusted_authorities() -> ssl.SSLContext:
    # Reading the system's certificates takes 50 ms, more than the rest of a run's start.
    return ssl.create_default_context()


def _verdict(status: int) -> str:
    if 200 <= status <= 299:
        return ""
    return Failure.REDIRECT if 300 <= status <= 399 else Failure.HTTP_STATUS


def _text(body: bytes) -> str:
    # PostgreSQL's text cannot hold NUL.
    return body.decode("utf-8", "replace").replace("\x00", "\ufffd")


def _classify(failure: Exception) -> str:
    cause = getattr(failure, "os_error", None)
    if isinstance(failure, ssrf.UnsafeUrl):
        return str(failure.code)
    if isinstance(cause, ssrf.BlockedAddress) or _only_blocked(cause):
        return Failure.BLOCKED_ADDRESS
    for kinds, code in _CODES:
        if isinstance(failure, kinds):
            return code
    log.error("webhook.send_failed", exc_info=failure)
    return Failure.INTERNAL


def _only_blocked(cause: object) -> bool:
    # If several addresses failed, they come as one error. There was no connection to any of them.
    return isinstance(cause, OSError) and "blocked address" in str(cause)


# The first match counts, so the narrower types come first.
_CODES: tuple[tuple[type[Exception] | tuple[type[Exception], ...], str], ...] = (
    (TimeoutError, Failure.TIMEOUT),
    (aiohttp.InvalidURL, Failure.INVALID_URL),
    (aiohttp.ClientConnectorDNSError, Failure.DNS),
    ((aiohttp.ClientSSLError, ssl.SSLError), Failure.TLS),
    (aiohttp.ClientConnectorError, Failure.CONNECT),
    ((aiohttp.ClientResponseError, aiohttp.ClientPayloadError), Failure.INVALID_ANSWER),
    ((aiohttp.ClientConnectionError, OSError), Failure.DISCONNECTED),
    (aiohttp.ClientError, Failure.INVALID_ANSWER),
)


class _BoundedHandler(ResponseHandler):
    """Limits the bytes of a response. aiohttp limits headers and bodies, not interim responses."""

    _received = 0
    _requests = 0

    def set_response_params(self, **options: Any) -> None:
        # Called once for each request on the connection, by the task that sends it.
        self._received = 0
        self._requests += 1
        _used.set(self)
        super().set_response_params(**options)

    @property
    def was_closed_idle(self) -> bool:
        """It had an earlier request, and not a byte has come in response to the last one."""
        return self._requests > 1 and not self._received

    def data_received(self, data: bytes) -> None:
        self._received += len(data)
        if self._received > MAX_ANSWER_BYTES:
            self.set_exception(aiohttp.ClientPayloadError("the answer does not end"))
            if self.transport is not None:
                self.transport.abort()
            return
        super().data_received(data)


# The connection of the last request of a task.
_used: contextvars.ContextVar[_BoundedHandler | None] = contextvars.ContextVar("used", default=None)
