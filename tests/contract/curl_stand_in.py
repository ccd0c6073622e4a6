"""As much of curl as our examples use: not every machine has one.

The program on PATH is a shell script of three lines. It hands its arguments over a pipe to a thread
of the test, because a Python of its own for each of 250 requests cost 18 CPU seconds.
"""

import http.client
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

SWITCHES = {"-s", "-S", "-sS", "--insecure"}
PROGRAM = """#!/bin/sh
printf '%s\\0' "$@" >{asked}
cat {answered}
read -r code <{code}
exit "$code"
"""


class UnknownOption(Exception):
    """Exit code 2, as of curl."""


@dataclass(frozen=True)
class Request:
    method: str
    address: str
    body: bytes | None
    headers: dict[str, str]


def parse(arguments: list[str]) -> Request:
    method, address, body, headers = "", "", None, {}
    words = iter(arguments)
    for word in words:
        if word == "-X":
            method = next(words)
        elif word == "-H":
            name, _colon, value = next(words).partition(":")
            headers[name] = value.strip()
        elif word == "-d":
            body = next(words).encode()
        elif word.startswith("-") and word not in SWITCHES:
            raise UnknownOption(word)
        elif not word.startswith("-"):
            address = word
    return Request(method or ("POST" if body else "GET"), address, body, headers)


@dataclass
class Curl:
    """`with Curl(folder).on_path()`: the folder has a `curl`; `answers` what came to each call."""

    folder: Path
    # Status, headers by names in lower case, body.
    answers: list[tuple[int, dict[str, str], str]] = field(default_factory=list)

    @contextmanager
    def on_path(self) -> Iterator[None]:
        paths = {name: self.folder / f"curl-{name}" for name in ("asked", "answered", "code")}
        os.mkfifo(paths["asked"])
        os.mkfifo(paths["answered"])
        program = self.folder / "curl"
        program.write_text(PROGRAM.format(**paths))
        program.chmod(0o755)
        thread = threading.Thread(target=self._serve, kwargs=paths, name="curl", daemon=True)
        thread.start()
        try:
            yield
        finally:
            paths["asked"].write_bytes(b"")
            thread.join()

    def _serve(self, asked: Path, answered: Path, code: Path) -> None:
        while given := asked.read_bytes():
            arguments = given.decode().split("\0")[:-1]
            try:
                text, exit_code = self._exchange(parse(arguments)), 0
            except UnknownOption:
                text, exit_code = "", 2
            except (OSError, http.client.HTTPException) as error:
                text, exit_code = repr(error), 7
            code.write_text(f"{exit_code}\n")
            answered.write_text(text)

    def _exchange(self, request: Request) -> str:
        parts = urlsplit(request.address)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=30)
        target = f"{parts.path}?{parts.query}" if parts.query else parts.path
        connection.request(request.method, target, request.body, request.headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        named = {name.lower(): value for name, value in answer.getheaders()}
        self.answers.append((answer.status, named, text))
        connection.close()
        return f"{text}\n"
