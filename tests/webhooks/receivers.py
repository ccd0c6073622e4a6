"""Receivers that merchants might run: honest, slow, broken and hostile ones, on real sockets.

A Receiver lives in a thread with an event loop of its own, so it answers while a test works.
"""

import asyncio
import socket
import ssl
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Request:
    """One POST as it came over the wire. Header names in lower case."""

    path: str
    headers: dict[str, str]
    body: bytes
    at: float = field(default_factory=time.perf_counter)


Behaviour = Callable[["Receiver", asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Receiver:
    """`with Receiver() as receiver`: listens on loopback and behaves as told."""

    def __init__(
        self,
        behaviour: Behaviour | None = None,
        *,
        tls: ssl.SSLContext | None = None,
        host: str = "127.0.0.1",
    ) -> None:
        self.behaviour = behaviour or answering(200, b"ok")
        self.tls = tls
        self.host = host
        self.requests: list[Request] = []
        self.connections = 0
        self.bytes_sent = 0
        self._arrived = threading.Condition()

    def __enter__(self) -> "Receiver":
        started = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(started,), daemon=True)
        self._thread.start()
        assert started.wait(60)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join(5)

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.tls else 'http'}://{host}:{self.port}/hooks"

    def wait_for(self, count: int, seconds: float = 60) -> None:
        """Until so many requests came in."""
        with self._arrived:
            enough = self._arrived.wait_for(lambda: len(self.requests) >= count, seconds)
        assert enough, f"{len(self.requests)} of {count} requests after {seconds} s"

    def call(self, act: Callable[[], object]) -> None:
        """In the receiver's loop."""
        self._loop.call_soon_threadsafe(act)

    def note(self, request: Request) -> None:
        with self._arrived:
            self.requests.append(request)
            self._arrived.notify_all()

    def _run(self, started: threading.Event) -> None:
        asyncio.run(self._serve(started))

    async def _serve(self, started: threading.Event) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(lambda *_: None)  # broken pipes are the point here
        self._ended = asyncio.Event()
        server = await asyncio.start_server(
            self._handle, self.host, 0, ssl=self.tls, backlog=1000, limit=2**20
        )
        self.port = server.sockets[0].getsockname()[1]
        started.set()
        await self._ended.wait()
        server.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            await self.behaviour(self, reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def read(self, reader: asyncio.StreamReader) -> Request:
        """One whole request."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.rstrip("\r\n").split("\r\n")
        headers = {
            name.lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines)
        }
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        return Request(path=first.split(" ")[1], headers=headers, body=body)

    async def send(self, writer: asyncio.StreamWriter, data: bytes) -> None:
        writer.write(data)
        await writer.drain()
        self.bytes_sent += len(data)


class Unreachable:
    """`with Unreachable() as dead`: no process takes or refuses the connections to `dead.url`."""

    def __enter__(self) -> "Unreachable":
        self._full = socket.socket()
        self._full.bind(("127.0.0.1", 0))
        self._full.listen(0)
        address = self._full.getsockname()
        self.url = f"http://127.0.0.1:{address[1]}/hooks"
        # They fill the queue: the next connection gets no answer.
        self._waiting = [socket.socket() for _ in range(4)]
        for client in self._waiting:
            client.setblocking(False)
            client.connect_ex(address)
        return self

    def __exit__(self, *_: object) -> None:
        for client in (*self._waiting, self._full):
            client.close()


def response(status: int, body: bytes = b"", *headers: str) -> bytes:
    """A plain answer with its length."""
    lines = [f"HTTP/1.1 {status} Whatever", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def answering(status: int, body: bytes = b"", *headers: str, after: float = 0) -> Behaviour:
    """Answers every request of a connection, each after so many seconds."""
    return answering_by(lambda _: (status, body, *headers), after=after)


def answering_after(event: asyncio.Event) -> Behaviour:
    """200, once the event is set."""

    async def behave(receiver: Receiver, reader: Any, writer: Any) -> None:
        while True:
            receiver.note(await receiver.read(reader))
            await event.wait()
            await receiver.send(writer, response(200))

    return behave


def answering_by(decide: Callable[[Request], tuple[Any, ...]], *, after: float = 0) -> Behaviour:
    """Answers as `decide` says for each request."""

    async def behave(receiver: Receiver, reader: Any, writer: Any) -> None:
        while True:
            request = await receiver.read(reader)
            receiver.note(request)
            if after:
                await asyncio.sleep(after)
            await receiver.send(writer, response(*decide(request)))

    return behave


def saying(*pieces: bytes, every: float = 0, forever: bool = False) -> Behaviour:
    """Reads a request, then says the pieces one by one, then hangs."""

    async def behave(receiver: Receiver, reader: Any, writer: Any) -> None:
        receiver.note(await receiver.read(reader))
        for piece in pieces[:-1] if forever else pieces:
            await receiver.send(writer, piece)
            await asyncio.sleep(every)
        while forever:
            await receiver.send(writer, pieces[-1])
            await asyncio.sleep(every)
        await asyncio.sleep(3600)

    return behave


async def hanging(receiver: Receiver, reader: Any, writer: Any) -> None:
    """Accepts the connection, reads, and never says a word."""
    receiver.note(await receiver.read(reader))
    await asyncio.sleep(3600)


async def mute(receiver: Receiver, reader: Any, writer: Any) -> None:
    """Accepts the connection and does not even read: on a TLS port this hangs the handshake."""
    await asyncio.sleep(3600)


async def resetting(receiver: Receiver, reader: Any, writer: Any) -> None:
    """Reads the request and resets the connection."""
    receiver.note(await receiver.read(reader))
    writer.transport.abort()
