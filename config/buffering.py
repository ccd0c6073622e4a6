"""Runs a WSGI application under granian's RSGI: bodies and answers are buffered, so that no thread
ever waits for a client.
"""

import asyncio
import contextlib
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from queue import SimpleQueue
from types import CoroutineType
from typing import Any

import structlog

from config.bodies import Body, Limits, Reader
from config.pulse import BEAT_SECONDS, Watch, beat

log = structlog.get_logger(__name__)
Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Any]
ENVIRON = {
    "GATEWAY_INTERFACE": "CGI/1.1",
    "SCRIPT_NAME": "",
    "SERVER_SOFTWARE": "granian",
    "HTTP_HOST": "",
    "wsgi.version": (1, 0),
    "wsgi.errors": sys.stderr,
    "wsgi.input_terminated": True,
    "wsgi.multithread": True,
    "wsgi.multiprocess": True,
    "wsgi.run_once": False,
}
UNPREFIXED = {"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"}
# What a longer answer is made of lies in a file, from which the server sends piece by piece.
IN_MEMORY_BYTES = 64 * 1024
# The server opens that file within milliseconds, and has it then, whatever we do with ours.
OPENED_SECONDS = 30


class Application:
    """One for each worker process. Threads stay, and with them their database connections."""

    def __init__(self, application: Wsgi, limits: Limits) -> None:
        self.application = application
        self.reader = Reader(limits)
        self.jobs: SimpleQueue[Any] = SimpleQueue()
        self.threads: list[threading.Thread] = []

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._shorten(loop)
        self.reader.start(loop)
        if directory := os.environ.get("WEB_PULSE_DIR"):
            self._beat(Path(directory), Watch(Path(directory)))
        for number in range(int(os.environ.get("WEB_THREADS") or 4)):
            thread = threading.Thread(target=self._work, name=f"web-{number}", daemon=True)
            thread.start()
            self.threads.append(thread)

    def _shorten(self, loop: asyncio.AbstractEventLoop) -> None:
        """A request without a body goes to a thread at once, past the loop.

        Waking it twice for each cost a fifth of a GET. The server hands over a coroutine that ends
        without waiting then, and what it waits for; whatever looks otherwise goes its usual way.
        """
        usual = loop.call_soon_threadsafe

        def schedule(callback: Any, *given: Any, context: Any = None) -> Any:
            if len(given) == 2 and isinstance(given[0], CoroutineType):
                scope = getattr(given[1], "scope", None)
                if scope is not None and not announces_body(scope.headers):
                    return self.jobs.put(given[0])
            return usual(callback, *given, context=context)

        loop.call_soon_threadsafe = schedule  # type: ignore[method-assign, assignment]

    def __rsgi_del__(self, loop: asyncio.AbstractEventLoop) -> None:
        for _ in self.threads:
            self.jobs.put(None)
        for thread in self.threads:
            thread.join()

    async def __rsgi__(self, scope: Any, proto: Any) -> None:
        if threading.current_thread() in self.threads:
            return self._answer_or_fail(proto, scope, None)
        body = None
        if announces_body(scope.headers):
            body = await self.reader.read(scope, proto)
        done = self.loop.create_future()
        self.jobs.put((scope, proto, body, done))
        try:
            await done
        finally:
            if body is not None:
                self.reader.let_go(body)

    def _beat(self, directory: Path, watch: Watch) -> None:
        # First, so that the next one comes whatever becomes of this: who falls silent is killed.
        self.loop.call_later(BEAT_SECONDS, self._beat, directory, watch)
        beat(directory)
        for pid in watch.end_silent(os.getppid()):
            log.error("web.worker_silent", pid=pid, seconds=watch.silent_seconds)

    def _work(self) -> None:
        while (job := self.jobs.get()) is not None:
            if isinstance(job, CoroutineType):
                with contextlib.suppress(StopIteration):
                    job.send(None)
            else:
                scope, proto, body, done = job
                self._answer_or_fail(proto, scope, body)
                self.loop.call_soon_threadsafe(_finish, done)
                del scope, proto, body, done
            del job  # not only when the next one comes

    def _answer_or_fail(self, proto: Any, scope: Any, body: Body | None) -> None:
        try:
            self._answer(proto, make_environ(scope, body))
        except BaseException:  # whatever it is: a thread that ends does not come back
            log.exception("web.failed")
            proto.response_empty(500, [])

    def _answer(self, proto: Any, environ: dict[str, Any]) -> None:
        started: list[Any] = []
        response = self.application(environ, lambda *start: started.extend(start))
        try:
            status, headers = int(started[0][:3]), started[1]
            if not getattr(response, "streaming", True):
                proto.response_bytes(status, headers, response.content)
            elif status == 200 and (path := _path_of(response)):
                proto.response_file(status, headers, path)
            else:
                self._send_pieces(proto, status, headers, response)
        finally:
            response.close()

    def _send_pieces(
        self, proto: Any, status: int, headers: list[tuple[str, str]], pieces: Iterable[bytes]
    ) -> None:
        """As fast as they are made; the client may take them as slowly as it likes."""
        spool = tempfile.SpooledTemporaryFile(IN_MEMORY_BYTES)  # noqa: SIM115  closed later
        for piece in pieces:
            spool.write(piece)
        size = spool.tell()
        spool.seek(0)
        if size <= IN_MEMORY_BYTES:
            proto.response_bytes(status, headers, spool.read())
            spool.close()
            return
        spool.fileno()
        spool.flush()
        if not any(name.lower() == "content-length" for name, _ in headers):
            headers = [*headers, ("Content-Length", str(size))]
        proto.response_file(status, headers, f"/dev/fd/{spool.fileno()}")
        self.loop.call_soon_threadsafe(self.loop.call_later, OPENED_SECONDS, spool.close)


def _finish(done: "asyncio.Future[None]") -> None:
    if not done.done():  # cancelled with the server
        done.set_result(None)


def announces_body(headers: Any) -> bool:
    """Whether there is anything to wait for."""
    return "content-length" in headers or "transfer-encoding" in headers


def make_environ(scope: Any, body: Body | None) -> dict[str, Any]:
    """As granian makes it for WSGI, but without the variables of the process."""
    server, _, port = scope.server.rpartition(":")
    environ = {
        **ENVIRON,
        "REQUEST_METHOD": scope.method,
        "PATH_INFO": _latin(scope.path),
        "QUERY_STRING": _latin(scope.query_string),
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "SERVER_NAME": server.strip("[]"),
        "SERVER_PORT": port,
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "wsgi.url_scheme": scope.scheme,
    }
    found: dict[str, str] = {}
    for name, value in scope.headers.items():
        if "_" in name:  # X_Forwarded_For would pass for the header of a proxy
            continue
        if name in found:
            value = f"{found[name]}{';' if name == 'cookie' else ','}{value}"
        found[name] = value
    for name in scope.headers.keys():  # noqa: SIM118  Also those whose value is not ASCII
        if "_" not in name:
            environ[_key(name)] = found.get(name, "")
    if body is None:
        environ["wsgi.input"] = BytesIO()
    else:
        environ.update(body.environ)
    return environ


def _latin(text: str) -> str:
    """Bytes as text, as WSGI has them."""
    return text if text.isascii() else text.encode().decode("latin-1")


@lru_cache(512)
def _key(name: str) -> str:
    return UNPREFIXED.get(name) or f"HTTP_{name.upper().replace('-', '_')}"


def _path_of(response: Any) -> str | None:
    """Of a static file."""
    path = getattr(getattr(response, "file_to_stream", None), "name", None)
    return path if isinstance(path, str) else None
