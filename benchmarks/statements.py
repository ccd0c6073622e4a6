"""The statements that the service sends for one request, read from the server's own log.

So the limit is measured with the SQL of this release, and changes with it.
"""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import LiteralString

from psycopg import sql

from benchmarks.machine import Machine

_LINE = re.compile(r"^\S+ \S+ UTC \[(\d+)\] (LOG|DETAIL):  ", re.MULTILINE)
_EXECUTED = re.compile(r"(?:execute [^:]*|statement): (.*)", re.DOTALL)
_DURATION = re.compile(r"duration: ([0-9.]+) ms")
_PARAMETER = re.compile(r"\$(\d+) = (NULL|'(?:[^']|'')*')")


@dataclass(slots=True)
class Statement:
    """One statement with `$1`, `$2` ... and the text of each parameter; None is NULL."""

    text: str
    parameters: dict[int, str | None] = field(default_factory=dict)


@dataclass(slots=True)
class Conversation:
    """What one connection said, and how long the server worked on it."""

    statements: list[Statement] = field(default_factory=list)
    milliseconds: float = 0.0


def read(text: str) -> dict[int, Conversation]:
    """The log's lines by connection. A line that goes on begins with a tab."""
    found: dict[int, Conversation] = {}
    marks = list(_LINE.finditer(text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    for mark, end in zip(marks, ends, strict=True):
        said = found.setdefault(int(mark[1]), Conversation())
        _take(said, mark[2], text[mark.end() : end].rstrip("\n").replace("\n\t", "\n"))
    return found


def _take(said: Conversation, kind: str, text: str) -> None:
    if kind == "DETAIL":
        if said.statements and text.lower().startswith("parameters:"):
            found = _PARAMETER.findall(text)
            said.statements[-1].parameters = {int(n): _value(value) for n, value in found}
    elif duration := _DURATION.match(text):
        said.milliseconds += float(duration[1])
    elif executed := _EXECUTED.match(text):
        said.statements.append(Statement(executed[1]))


def _value(text: str) -> str | None:
    return None if text == "NULL" else text[1:-1].replace("''", "'")


@contextmanager
def logging(machine: Machine) -> Iterator[Callable[[Callable[[], object], str], Conversation]]:
    """Gives `capture(ask, key)`: the conversation, while `ask` runs, that mentions `key`."""
    log = machine.postgres.log

    def capture(ask: Callable[[], object], key: str) -> Conversation:
        start = log.stat().st_size
        ask()
        time.sleep(0.05)  # the last lines may follow the answer
        for said in read(_since(log, start)).values():
            if any(key in str(s.parameters) or key in s.text for s in said.statements):
                return said
        raise LookupError(f"no statement of the request in {log}")

    _configure(machine, "SET log_statement = 'all'", "SET log_duration = on")
    try:
        yield capture
    finally:
        _configure(machine, "RESET log_statement", "RESET log_duration")


def _configure(machine: Machine, *changes: LiteralString) -> None:
    with machine.connect() as connection:
        for change in changes:
            connection.execute(sql.SQL("ALTER SYSTEM {}").format(sql.SQL(change)))
        connection.execute("SELECT pg_reload_conf()")
    time.sleep(0.3)  # each connection reads it before its next statement


def _since(log: Path, start: int) -> str:
    with open(log, errors="replace") as file:
        file.seek(start)
        return file.read()
