"""One HTTP call to a rail: bounded in time and bytes, classified by what it may have done.

requests and urllib3 limit the wait for each byte and not the whole call, so that a rail which sends
one byte a second holds a payer for ever (docs/decisions/0013).
"""

import asyncio
import os
import threading
import time
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, TypeVar

import structlog
from django.conf import settings

from payments.core import clock, jsontext
from payments.providers.ports.errors import ProviderTimeout, ProviderUnreachable

if TYPE_CHECKING:  # functions import it: it takes 5 MB, and a sandbox calls no rail
    import aiohttp

log = structlog.get_logger(__name__)
T = TypeVar("T")

MAX_BODY_BYTES = 1024 * 1024
CONNECT_SECONDS = 3.0
# How long the addresses of a name are used again.
ADDRESS_SECONDS = 30
_ends: ContextVar[float | None] = ContextVar("rail-calls-end", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class RailCall:
    """`operation` and `reference` (ours) are for the log; nothing else of a call is logged.

    Its repr leaves out keys and payers' data, since tracebacks may show it. An address may have the
    key of a beneficiary.

    timeout      seconds for the whole call; None: settings.PROVIDER_TIMEOUT_SECONDS. A limit of
                 `limited_to` counts, too.
    max_bytes    of the body of the answer.
    is_own_node  the call goes to a node that the operator runs, which may be in our own network.
    """

    method: str
    url: str = field(repr=False)
    operation: str
    reference: str = ""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    query: Mapping[str, str] = field(default_factory=dict, repr=False)
    json: Mapping[str, Any] | Sequence[Any] | None = field(default=None, repr=False)
    timeout: float | None = None
    max_bytes: int = MAX_BODY_BYTES
    is_own_node: bool = False


@dataclass(frozen=True, slots=True)
class RailAnswer:
    """A 2xx or 4xx. `body` is parsed JSON; None where a 4xx has none.

    skew_seconds   how far the rail's clock is ahead of ours; None: it did not say.
    """

    status: int
    body: Any
    skew_seconds: float | None = None

    @property
    def is_success(self) -> bool:
        return self.status < 300


@contextmanager
def limited_to(seconds: float) -> Iterator[None]:
    """All calls of this thread inside it take `seconds` at most, together.

    A call for which no time is left is not sent, and raises ProviderUnreachable.
    """
    ends, outer = time.monotonic() + seconds, _ends.get()
    token = _ends.set(ends if outer is None else min(ends, outer))
    try:
        yield
    finally:
        _ends.reset(token)


def call(request: RailCall) -> RailAnswer:
    """Sends a POST once and to this address only; a GET that was cut off may be sent once more.

    Raises ProviderUnreachable when the rail cannot have acted: no time, no connection, 401, 403,
    429. Raises ProviderTimeout for every other doubt: the deadline, a connection that was cut, 3xx,
    5xx, a body that is too large, a 2xx that is not JSON. All other 4xx are the adapter's to read.
    """
    started = time.monotonic()
    outcome = "failed"
    try:
        if (seconds := _seconds_for(request)) <= 0:
            raise ProviderUnreachable("no time is left")
        status, raw, date = _thread.run(_send(request, seconds))
        outcome = str(status)
        return _classify(request, status, raw, _skew(date))
    except (ProviderUnreachable, ProviderTimeout) as error:
        outcome = f"{outcome} {error}"
        raise
    finally:
        log.info(
            "rail.called",
            operation=request.operation,
            reference=request.reference,
            outcome=outcome,
            seconds=round(time.monotonic() - started, 3),
        )


def _seconds_for(request: RailCall) -> float:
    limit = request.timeout
    own: float = settings.PROVIDER_TIMEOUT_SECONDS if limit is None else limit
    ends = _ends.get()
    return own if ends is None else min(own, ends - time.monotonic())


async def _send(request: RailCall, seconds: float) -> tuple[int, bytes, str]:
    import aiohttp

    limits = aiohttp.ClientTimeout(total=None, connect=min(CONNECT_SECONDS, seconds))
    try:
        async with (
            asyncio.timeout(seconds),
            aiohttp.ClientSession(
                connector=_thread.connector(request.is_own_node),
                connector_owner=False,
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=limits,
                trust_env=False,
            ) as session,
            session.request(
                request.method,
                request.url,
                params=request.query,
                headers=request.headers,
                data=None if request.json is None else jsontext.dumps(request.json).encode(),
                allow_redirects=False,
            ) as response,
        ):
            body = await _read(response.content, request.max_bytes)
            return response.status, body, response.headers.get("Date", "")
    except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
        raise ProviderUnreachable(type(error).__name__) from error
    except (aiohttp.ClientError, OSError, ValueError) as error:
        raise ProviderTimeout(type(error).__name__) from error


async def _read(content: "aiohttp.StreamReader", max_bytes: int) -> bytes:
    received = bytearray()
    while chunk := await content.read(max_bytes + 1 - len(received)):
        received += chunk
        if len(received) > max_bytes:
            raise ProviderTimeout("the body is too large")
    return bytes(received)


def _classify(request: RailCall, status: int, raw: bytes, skew_seconds: float | None) -> RailAnswer:
    if status in (401, 403):
        # The rail refuses the credentials of the account, so an operator has to act.
        log.error("rail.credentials_refused", operation=request.operation, status=status)
        raise ProviderUnreachable(f"credentials refused: {status}")
    if status == 429:
        raise ProviderUnreachable("too many requests")
    if not (200 <= status < 300 or 400 <= status < 500):
        raise ProviderTimeout(f"status {status}")
    try:
        return RailAnswer(status, jsontext.loads(raw), skew_seconds)
    except jsontext.InvalidJSON as error:
        if status < 300:
            raise ProviderTimeout("not JSON") from error
        return RailAnswer(status, None, skew_seconds)


def _skew(date: str) -> float | None:
    try:
        return (parsedate_to_datetime(date) - clock.now()).total_seconds()
    except (TypeError, ValueError):  # none, or of another form, or without a time zone
        return None


class _LoopThread:
    """Runs the event loop of this process in its own thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._connectors: dict[bool, aiohttp.TCPConnector] = {}

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(
                    target=self._loop.run_forever, name="rail-calls", daemon=True
                ).start()
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def connector(self, is_own_node: bool) -> "aiohttp.TCPConnector":
        """For the loop's own thread. It looks each name up once for all calls.

        Each call has a new connection: if the rail had just closed a kept one, the outcome would be
        in doubt. The number of connections has no limit, because each call has a thread that waits.
        """
        import aiohttp

        from payments.providers.name_lookup import Resolver

        if is_own_node not in self._connectors:
            self._connectors[is_own_node] = aiohttp.TCPConnector(
                force_close=True,
                limit=0,
                ttl_dns_cache=ADDRESS_SECONDS,
                resolver=Resolver(may_be_near=is_own_node),
            )
        return self._connectors[is_own_node]


_thread = _LoopThread()
# A forked process gets a copy of the loop and its connector, but not the thread.
os.register_at_fork(after_in_child=_thread.__init__)  # type: ignore[misc]
