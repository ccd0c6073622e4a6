"""A real web server and a client that writes bytes: for requests that no client library would send.

Nothing here knows the contract; the tests say what is right.
"""

import json
import os
import re
import select
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from config.devstack.options import read_options
from config.devstack.valkey import free_port
from config.devstack.workers import web_command
from tests.support import openapi_conformance
from tests.support.services import child_environment

START_SECONDS = 20
ANSWER_SECONDS = 10
STOP_SECONDS = 5


@dataclass(frozen=True)
class Answer:
    """One response as it came over the wire. Header names in lower case."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def body(self) -> Any:
        return json.loads(self.content)


class Server:
    """The web server of `make run`, in a process of its own, on a free port."""

    def __init__(self, port: int, pid: int) -> None:
        self.port = port
        self.pid = pid

    def send(self, *pieces: bytes, hang_up: bool = False) -> list[Answer]:
        """Writes the pieces and returns every answer until the server hangs up."""
        answers = list(_answers(self.exchange(*pieces, hang_up=hang_up)))
        if len(answers) == 1:  # else the replies cannot be matched to requests
            _check_promised(b"".join(pieces), answers[0])
        return answers

    def exchange(self, *pieces: bytes, hang_up: bool = False) -> bytes:
        """As `send`, but the bytes. With `hang_up` our half is closed after the last piece."""
        received = b""
        with socket.create_connection(("127.0.0.1", self.port), ANSWER_SECONDS) as connection:
            try:
                for piece in pieces:
                    connection.sendall(piece)
                if hang_up:
                    connection.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # the server answered and hung up before it had heard everything
            while select.select([connection], [], [], ANSWER_SECONDS)[0]:
                try:
                    chunk = connection.recv(65536)
                except ConnectionError:
                    break
                if not chunk:
                    break
                received += chunk
        return received

    def is_alive(self) -> bool:
        """Whether an ordinary request is still answered."""
        (answer,) = self.send(request("GET", "/healthz"))
        return answer.status == 200


def request(
    method: str, target: str, *lines: str | bytes, body: bytes = b"", length: bool = True
) -> bytes:
    """The bytes of one request; `lines` are header lines, in any number and any shape."""
    head = [f"{method} {target} HTTP/1.1", "Host: testserver", "Connection: close", *lines]
    if length and body:
        head.append(f"Content-Length: {len(body)}")
    encoded = [line if isinstance(line, bytes) else line.encode() for line in head]
    return b"\r\n".join(encoded) + b"\r\n\r\n" + body


def chunked(body: bytes, size: int = 4096) -> bytes:
    """The body in chunks, which announce no length."""
    chunks = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n"


@contextmanager
def running_server(**environment: str) -> Iterator[Server]:
    """Starts the server and waits until it answers; stops it in the end, with all it started."""
    port = free_port()
    options = read_options({"PORT": str(port), "WEB_WORKERS": "1", "WEB_THREADS": "4"})
    # A worker that dies takes the server along: another in its place would hide its death.
    command = [part for part in web_command(options) if part != "--respawn-failed-workers"]
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            command,
            env=child_environment(**environment),
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            server = Server(port, process.pid)
            _wait_for(server, process, log)
            yield server
        finally:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(STOP_SECONDS)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _check_promised(asked: bytes, answer: Answer) -> None:
    if answer.status == 400 and not answer.content:
        return  # the web server's own: what is no HTTP never becomes a request of the API
    if line := re.match(rb"([A-Z]+) ([!-~]+) HTTP/1.1\r\n", asked):
        method, target = (word.decode() for word in line.groups())
        path = unquote(urlsplit(target).path)
        openapi_conformance.check(method, path, answer.status, answer.headers, answer.content)


def _wait_for(server: Server, process: "subprocess.Popen[bytes]", log: Any) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if server.is_alive():
                return
        except (OSError, ValueError):
            time.sleep(0.1)
    log.seek(0)
    raise AssertionError(f"The web server did not start:\n{log.read().decode()}")


def _answers(stream: bytes) -> Iterator[Answer]:
    while stream:
        head, _, stream = stream.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        pairs = (line.partition(":") for line in lines)
        headers = {name.lower(): value.strip() for name, _, value in pairs}
        if "chunked" in headers.get("transfer-encoding", ""):
            content, stream = _unchunked(stream)
        else:
            length = int(headers.get("content-length", len(stream)))
            content, stream = stream[:length], stream[length:]
        yield Answer(int(first.split(" ")[1]), headers, content)


def _unchunked(stream: bytes) -> tuple[bytes, bytes]:
    content = b""
    while True:
        size, _, stream = stream.partition(b"\r\n")
        if not int(size, 16):
            return content, stream.removeprefix(b"\r\n")
        content, stream = content + stream[: int(size, 16)], stream[int(size, 16) + 2 :]
