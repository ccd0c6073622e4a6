"""Reads request bodies on the event loop, with limits of time, size and memory.

It puts an error of the body into the WSGI environment, and payments.api.middleware responds to it.
It reads no body that is not needed.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from io import BytesIO

from granian.rsgi import Headers, HTTPProtocol, ProtocolClosed, Scope

BODY_ERROR = "pasarela.body_fault"
LATE, BROKEN, NO_ROOM = "late", "broken", "no room"
# Smaller bodies are read at once and not counted.
SMALL_BYTES = 4096
CHECK_SECONDS = 0.5
# An upload that does not bring so much in `Upload.pause_seconds` is given up.
PROGRESS_BYTES = 64 * 1024
CREDENTIALS = ("x-api-key", "x-api-secret")


@dataclass(frozen=True)
class BodyLimits:
    """`process_bytes` limits all bodies in a process, `address_bytes` those of one client.

    `address_bytes` is None behind a proxy, because all clients have its address.
    """

    seconds: float
    api_bytes: int
    page_bytes: int
    process_bytes: int
    address_bytes: int | None
    api_prefixes: tuple[str, ...]
    # Whether a callback with this path and these headers is refused without its body.
    refuses_callback: Callable[[str, Headers], bool]
    uploads: "tuple[Upload, ...]" = ()


@dataclass(frozen=True)
class Upload:
    """A path that takes a large body. A process holds `bytes` of such bodies at most.

    path           `*` stands for anything, such as an id.
    seconds        for the whole body.
    pause_seconds  for each PROGRESS_BYTES of it, so that slow clients do not hold the room of all.
    cookie         of a session. Without it the body is not read. Empty in the API, which has
                   credentials.
    """

    path: str
    bytes: int
    seconds: float
    pause_seconds: float
    cookie: str


class Body:
    """A body's part of the WSGI environment, and how many bytes it holds until its release."""

    __slots__ = ("address", "environ", "held", "is_upload")

    def __init__(self, content: bytes, address: str = "", *, is_upload: bool = False) -> None:
        self.address = address
        self.is_upload = is_upload
        self.held = 0
        self.environ: dict[str, BytesIO | str] = {"wsgi.input": BytesIO(content)}


class BodyReader:
    """Runs on one event loop, without locks."""

    def __init__(self, limits: BodyLimits) -> None:
        self.limits = limits
        self.deadlines: dict[asyncio.Task[None], float] = {}
        self.held = 0
        self.held_by_uploads = 0
        self.held_by_address: Counter[str] = Counter()

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        self._cancel_late(loop)

    async def read(self, scope: Scope, proto: HTTPProtocol) -> Body:
        """The caller must release the body."""
        length = content_length(scope.headers)
        limit = self._limit(scope.path)
        if (length or 0) > limit or self._needs_no_body(scope):
            return Body(b"")
        loop = asyncio.get_running_loop()
        task: asyncio.Task[None] = asyncio.current_task(loop)  # type: ignore[assignment]
        upload = self._upload(scope.path)
        extend = self._begin_deadline(task, upload, loop)
        body = Body(b"", scope.client.rpartition(":")[0], is_upload=upload is not None)
        try:
            if length is not None and length <= SMALL_BYTES:
                body.environ["wsgi.input"] = BytesIO(await proto())
            else:
                await self._collect(proto, body, length, limit, extend)
        except ProtocolClosed:
            body.environ[BODY_ERROR] = BROKEN
        except asyncio.CancelledError:
            if loop.time() < self.deadlines[task]:  # the server is stopping
                raise
            self.release(body)
            body.environ[BODY_ERROR] = LATE
        finally:
            del self.deadlines[task]
        return body

    def release(self, body: Body) -> None:
        """Called after the response, or when the body is refused."""
        if body.is_upload:
            self.held_by_uploads -= body.held
            body.held = 0
            return
        self.held -= body.held
        self.held_by_address[body.address] -= body.held
        if not self.held_by_address[body.address]:
            del self.held_by_address[body.address]
        body.held = 0

    def _begin_deadline(
        self, task: asyncio.Task[None], upload: Upload | None, loop: asyncio.AbstractEventLoop
    ) -> Callable[[], None]:
        """Returns what is called when the body makes progress: an upload then has more time."""
        if upload is None:
            self.deadlines[task] = loop.time() + self.limits.seconds
            return lambda: None
        end, pause = loop.time() + upload.seconds, upload.pause_seconds

        def extend() -> None:
            self.deadlines[task] = min(end, loop.time() + pause)

        extend()
        return extend

    async def _collect(
        self,
        proto: HTTPProtocol,
        body: Body,
        length: int | None,
        limit: int,
        extend: Callable[[], None],
    ) -> None:
        pieces = BytesIO()
        empty = seen = 0
        async for piece in proto:
            if not self._hold(body, len(piece)):
                self.release(body)
                body.environ[BODY_ERROR] = NO_ROOM
                return
            pieces.write(piece)
            if pieces.tell() - seen >= PROGRESS_BYTES:
                seen = pieces.tell()
                extend()
            # Two empty pieces in a row mean that a chunked body was cut off.
            empty = 0 if piece else empty + 1
            if empty > 1 and length is None:
                body.environ[BODY_ERROR] = BROKEN
            if pieces.tell() == length or pieces.tell() > limit:
                break
        pieces.seek(0)
        body.environ["wsgi.input"] = pieces

    def _hold(self, body: Body, count: int) -> bool:
        body.held += count
        if body.is_upload:
            self.held_by_uploads += count
            return self.held_by_uploads <= self._limit_of_uploads()
        self.held += count
        self.held_by_address[body.address] += count
        most = self.limits.address_bytes
        return self.held <= self.limits.process_bytes and (
            most is None or self.held_by_address[body.address] <= most
        )

    def _upload(self, path: str) -> Upload | None:
        return next(
            (upload for upload in self.limits.uploads if fnmatchcase(path, upload.path)), None
        )

    def _limit_of_uploads(self) -> int:
        return max((upload.bytes for upload in self.limits.uploads), default=0)

    def _limit(self, path: str) -> int:
        if (upload := self._upload(path)) is not None:
            return upload.bytes
        api = f"/{path.strip('/')}/".startswith(self.limits.api_prefixes)
        return self.limits.api_bytes if api else self.limits.page_bytes

    def _needs_no_body(self, scope: Scope) -> bool:
        """Whether it is refused anyway: no credentials, no session, or headers of no rail."""
        if (upload := self._upload(scope.path)) is not None and upload.cookie:
            return f"{upload.cookie}=" not in (scope.headers.get("cookie") or "")
        if scope.path.startswith("/callbacks/"):
            return self.limits.refuses_callback(scope.path, scope.headers)
        return scope.path.startswith("/api/") and not all(
            name in scope.headers for name in CREDENTIALS
        )

    def _cancel_late(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        for task, deadline in self.deadlines.items():
            if deadline <= now:
                task.cancel()
        loop.call_later(CHECK_SECONDS, self._cancel_late, loop)


def content_length(headers: Headers) -> int | None:
    """None for a chunked body. The server has refused lengths that are no numbers."""
    if "transfer-encoding" in headers:
        return None
    text = headers.get("content-length") or "0"
    return int(text[:20]) if text.isdecimal() else None
