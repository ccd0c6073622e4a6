"""Takes the body of a request on the event loop, within a time, a size and a memory.

What is wrong with a body is written into the WSGI environment; payments.api.middleware has the
answers. A body that need not be read is left alone.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from granian.rsgi import ProtocolClosed

FAULT = "pasarela.body_fault"
LATE, BROKEN, NO_ROOM = "late", "broken", "no room"
# Read at once and not counted: together they are no more than a few kilobytes a connection.
SMALL_BYTES = 4096
SWEEP_SECONDS = 0.5
CREDENTIALS = ("x-api-key", "x-api-secret")


@dataclass(frozen=True)
class Limits:
    """`room_bytes` are for all bodies that a process has in hand, `address_bytes` for a client's.

    `address_bytes` is None where a proxy stands in front, whose address all clients have.
    """

    seconds: float
    api_bytes: int
    page_bytes: int
    room_bytes: int
    address_bytes: int | None
    api_prefixes: tuple[str, ...]
    # Path and headers of a callback: whether it is refused whatever its body says.
    refuses_callback: Callable[[str, Mapping[str, str]], bool]


class Body:
    """What goes into the environment, and what it takes of the room until it is let go."""

    __slots__ = ("address", "environ", "held")

    def __init__(self, content: bytes, address: str = "", fault: str = "") -> None:
        self.address = address
        self.held = 0
        self.environ: dict[str, Any] = {"wsgi.input": BytesIO(content)}
        if fault:
            self.environ[FAULT] = fault


class Reader:
    """All of it runs on one event loop."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.deadlines: dict[asyncio.Task[Any], float] = {}
        self.taken = 0
        self.taken_by: Counter[str] = Counter()

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Looks for bodies that are late, from now on."""
        self._sweep(loop)

    async def read(self, scope: Any, proto: Any) -> Body:
        """The body, or why there is none. Whoever gets it lets it go."""
        length = announced(scope.headers)
        limit = self._limit(scope.path)
        if (length or 0) > limit or self._needs_no_body(scope):
            return Body(b"")
        loop = asyncio.get_running_loop()
        task: asyncio.Task[Any] = asyncio.current_task(loop)  # type: ignore[assignment]
        self.deadlines[task] = loop.time() + self.limits.seconds
        body = Body(b"", scope.client.rpartition(":")[0])
        try:
            if length is not None and length <= SMALL_BYTES:
                body.environ["wsgi.input"] = BytesIO(await proto())
            else:
                await self._collect(proto, body, length, limit)
        except ProtocolClosed:  # the parser says so, too, where a length was announced
            body.environ[FAULT] = BROKEN
        except asyncio.CancelledError:
            if loop.time() < self.deadlines[task]:  # not ours: the server stops
                raise
            body.environ[FAULT] = LATE
        finally:
            del self.deadlines[task]
        return body

    def let_go(self, body: Body) -> None:
        """The request was answered, or nobody will read it."""
        self.taken -= body.held
        self.taken_by[body.address] -= body.held
        if not self.taken_by[body.address]:
            del self.taken_by[body.address]
        body.held = 0

    async def _collect(self, proto: Any, body: Body, length: int | None, limit: int) -> None:
        pieces = BytesIO()
        empty = 0
        async for piece in proto:
            if not self._take(body, len(piece)):
                self.let_go(body)
                body.environ[FAULT] = NO_ROOM
                return
            pieces.write(piece)
            # Two empty pieces in a row are how a body ends that has no end.
            empty = 0 if piece else empty + 1
            if empty > 1 and length is None:
                body.environ[FAULT] = BROKEN
            if pieces.tell() == length or pieces.tell() > limit:
                break
        pieces.seek(0)
        body.environ["wsgi.input"] = pieces

    def _take(self, body: Body, count: int) -> bool:
        body.held += count
        self.taken += count
        self.taken_by[body.address] += count
        most = self.limits.address_bytes
        return self.taken <= self.limits.room_bytes and (
            most is None or self.taken_by[body.address] <= most
        )

    def _limit(self, path: str) -> int:
        api = f"/{path.strip('/')}/".startswith(self.limits.api_prefixes)
        return self.limits.api_bytes if api else self.limits.page_bytes

    def _needs_no_body(self, scope: Any) -> bool:
        """Refused whatever it says: no credentials, or headers that no rail sends."""
        if scope.path.startswith("/callbacks/"):
            return self.limits.refuses_callback(scope.path, scope.headers)
        return scope.path.startswith("/api/") and not all(
            name in scope.headers for name in CREDENTIALS
        )

    def _sweep(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        for task, deadline in self.deadlines.items():
            if deadline > now:  # in the order of their beginning
                break
            task.cancel()
        loop.call_later(SWEEP_SECONDS, self._sweep, loop)


def announced(headers: Mapping[str, str]) -> int | None:
    """The Content-Length, or None of chunks. The server refuses what is no number."""
    if "transfer-encoding" in headers:
        return None
    text = headers.get("content-length") or "0"
    return int(text[:20]) if text.isdecimal() else None
