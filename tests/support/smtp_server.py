"""A mail server on loopback that accepts, refuses, hangs or drops, as a test says."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field


class Drop(Exception):
    """The server ends the connection without an answer."""


# Returns the answer to a command, "" to hang. Raises Drop.
Answer = Callable[[str], str]


@dataclass
class SmtpServer:
    """`answers` maps the first word of a command to what is answered in place of the usual."""

    answers: dict[str, Answer] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    arrived: threading.Event = field(default_factory=threading.Event)
    hanging: threading.Event = field(default_factory=threading.Event)
    released: threading.Event = field(default_factory=threading.Event)
    port: int = 0

    def serve(self, listening: socket.socket) -> None:
        while True:
            try:
                accepted, _address = listening.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=[accepted], daemon=True).start()

    def _talk(self, accepted: socket.socket) -> None:
        with accepted, suppress(OSError, Drop), accepted.makefile("rwb") as stream:
            self._say(stream, self._answer("CONNECT", "220 fake ready"))
            for raw in stream:
                line = raw.decode().rstrip("\r\n")
                word = line.split(" ")[0].upper()
                self.commands.append(line)
                usual = {"DATA": "354 go on", "QUIT": "221 bye"}.get(word, "250 ok")
                answer = self._answer(word, usual)
                self._say(stream, answer)
                if answer.startswith("354"):
                    self._read_message(stream)
                if word == "QUIT":
                    return

    def _read_message(self, stream: object) -> None:
        lines: list[str] = []
        for raw in stream:  # type: ignore[attr-defined]
            line = raw.decode().rstrip("\r\n")
            if line == ".":
                break
            lines.append(line)
        else:
            return
        self.messages.append("\n".join(lines))
        self.arrived.set()
        self._say(stream, self._answer("BODY", "250 kept"))

    def _answer(self, word: str, usual: str) -> str:
        made = self.answers.get(word)
        answer = made(word) if made else usual
        if not answer:
            self.hanging.set()
            self.released.wait(60)
            raise Drop
        return answer

    def _say(self, stream: object, answer: str) -> None:
        stream.write(f"{answer}\r\n".encode())  # type: ignore[attr-defined]
        stream.flush()  # type: ignore[attr-defined]


def drop(_word: str) -> str:
    raise Drop


def hang(_word: str) -> str:
    return ""


@contextmanager
def smtp_server(**answers: Answer) -> Iterator[SmtpServer]:
    server = SmtpServer(answers=answers)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server.port = listening.getsockname()[1]
        threading.Thread(target=server.serve, args=[listening], daemon=True).start()
        try:
            yield server
        finally:
            server.released.set()
            listening.shutdown(socket.SHUT_RDWR)
