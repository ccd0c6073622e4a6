"""Runs a WSGI application under granian's RSGI.

It buffers request and response bodies, so that no thread waits for a client.
"""

import asyncio
import contextlib
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable
from contextvars import Context
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from queue import SimpleQueue
from types import CoroutineType
from typing import Any, Union

import structlog
from granian.rsgi import Headers, HTTPProtocol, Scope

from config.request_bodies import Body, BodyLimits, BodyReader
from config.worker_watchdog import (
    HEARTBEAT_SECONDS,
    WorkerWatchdog,
    silent_seconds,
    touch_heartbeat,
)

log = structlog.get_logger(__name__)
WsgiEnvironment = dict[str, Any]
WsgiApplication = Callable[[WsgiEnvironment, Any], Any]
# A request with its body and the future of the event loop, or a coroutine that never waits.
PendingRequest = tuple[Scope, HTTPProtocol, Body | None, "asyncio.Future[None]"]
Job = Union[PendingRequest, "CoroutineType[None, None, None]"]
FIXED_ENVIRON: WsgiEnvironment = {
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
# The server sends a longer response from a file.
IN_MEMORY_BYTES = 64 * 1024
# The server opens that file within milliseconds. After this time ours is closed.
FILE_OPEN_SECONDS = 30


class RsgiApplication:
    """One for each worker process. Its threads keep their database connections."""

    def __init__(self, application: WsgiApplication, limits: BodyLimits) -> None:
        self.application = application
        self.reader = BodyReader(limits)
        self.jobs: SimpleQueue[Job | None] = SimpleQueue()
        self.threads: list[threading.Thread] = []

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._bypass_loop(loop)
        self.reader.start(loop)
        if directory := os.environ.get("WEB_PULSE_DIR"):
            watch = WorkerWatchdog(Path(directory), silent_seconds(os.environ))
            self._watch(Path(directory), watch)
        for number in range(int(os.environ.get("WEB_THREADS") or 4)):
            thread = threading.Thread(target=self._run_jobs, name=f"web-{number}", daemon=True)
            thread.start()
            self.threads.append(thread)

    def _bypass_loop(self, loop: asyncio.AbstractEventLoop) -> None:
        """Gives a request without a body to a thread at once.

        To wake the loop twice takes a fifth of the time of a GET. granian schedules a coroutine,
        which then ends without waiting, and its watcher with the scope. Other calls are unchanged.
        """
        call_soon = loop.call_soon_threadsafe

        def schedule(
            callback: Callable[..., object], *args: object, context: Context | None = None
        ) -> object:
            if len(args) == 2 and isinstance(args[0], CoroutineType):
                scope = getattr(args[1], "scope", None)
                if scope is not None and not has_body(scope.headers):
                    self.jobs.put(args[0])
                    return None
            return call_soon(callback, *args, context=context)

        loop.call_soon_threadsafe = schedule  # type: ignore[method-assign, assignment]

    def __rsgi_del__(self, loop: asyncio.AbstractEventLoop) -> None:
        for _ in self.threads:
            self.jobs.put(None)
        for thread in self.threads:
            thread.join()

    async def __rsgi__(self, scope: Scope, proto: HTTPProtocol) -> None:
        if threading.current_thread() in self.threads:
            return self._respond_or_fail(proto, scope, None)
        body = None
        if has_body(scope.headers):
            body = await self.reader.read(scope, proto)
        done = self.loop.create_future()
        self.jobs.put((scope, proto, body, done))
        try:
            await done
        finally:
            if body is not None:
                self.reader.release(body)

    def _watch(self, directory: Path, watchdog: WorkerWatchdog) -> None:
        # First, so that the next heartbeat comes even if this one fails.
        self.loop.call_later(HEARTBEAT_SECONDS, self._watch, directory, watchdog)
        touch_heartbeat(directory)
        for pid in watchdog.kill_silent(os.getppid()):
            log.error("web.worker_killed", pid=pid, silent_seconds=watchdog.silent_seconds)

    def _run_jobs(self) -> None:
        while (job := self.jobs.get()) is not None:
            if isinstance(job, CoroutineType):
                with contextlib.suppress(StopIteration):
                    job.send(None)
            else:
                scope, proto, body, done = job
                self._respond_or_fail(proto, scope, body)
                self.loop.call_soon_threadsafe(_finish, done)
                del scope, proto, body, done
            del job  # frees the job now, not when the next one arrives

    def _respond_or_fail(self, proto: HTTPProtocol, scope: Scope, body: Body | None) -> None:
        try:
            self._respond(proto, make_environ(scope, body))
        except BaseException:  # also SystemExit: a thread that ends is not replaced
            log.exception("web.request_failed")
            proto.response_empty(500, [])

    def _respond(self, proto: HTTPProtocol, environ: WsgiEnvironment) -> None:
        started: list[Any] = []
        response = self.application(environ, lambda *start: started.extend(start))
        try:
            status, headers = int(started[0][:3]), started[1]
            if not getattr(response, "streaming", True):
                proto.response_bytes(status, headers, response.content)
            elif status == 200 and (path := _static_path(response)):
                proto.response_file(status, headers, path)
            else:
                self._send_pieces(proto, status, headers, response)
        finally:
            response.close()

    def _send_pieces(
        self,
        proto: HTTPProtocol,
        status: int,
        headers: list[tuple[str, str]],
        pieces: Iterable[bytes],
    ) -> None:
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
        self.loop.call_soon_threadsafe(self.loop.call_later, FILE_OPEN_SECONDS, spool.close)


def _finish(done: "asyncio.Future[None]") -> None:
    if not done.done():  # cancelled with the server
        done.set_result(None)


def has_body(headers: Headers) -> bool:
    return "content-length" in headers or "transfer-encoding" in headers


def make_environ(scope: Scope, body: Body | None) -> WsgiEnvironment:
    """Like granian's for WSGI, but without the environment of the process."""
    server, _, port = scope.server.rpartition(":")
    environ: WsgiEnvironment = {
        **FIXED_ENVIRON,
        "REQUEST_METHOD": scope.method,
        "PATH_INFO": _latin(scope.path),
        "QUERY_STRING": _latin(scope.query_string),
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "SERVER_NAME": server.strip("[]"),
        "SERVER_PORT": port,
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "wsgi.url_scheme": scope.scheme,
    }
    values: dict[str, str] = {}
    for name, value in scope.headers.items():
        if "_" in name:  # X_Forwarded_For would be read as the header X-Forwarded-For of a proxy
            continue
        if name in values:
            value = f"{values[name]}{';' if name == 'cookie' else ','}{value}"
        values[name] = value
    for name in scope.headers.keys():  # noqa: SIM118  also those whose value is not ASCII
        if "_" not in name:
            environ[_key(name)] = values.get(name, "")
    if body is None:
        environ["wsgi.input"] = BytesIO()
    else:
        environ.update(body.environ)
    return environ


def _latin(text: str) -> str:
    """WSGI represents bytes as Latin-1 text."""
    return text if text.isascii() else text.encode().decode("latin-1")


@lru_cache(512)
def _key(name: str) -> str:
    return UNPREFIXED.get(name) or f"HTTP_{name.upper().replace('-', '_')}"


def _static_path(response: object) -> str | None:
    path = getattr(getattr(response, "file_to_stream", None), "name", None)
    return path if isinstance(path, str) else None
