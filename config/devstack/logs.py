"""Prints warnings and errors of the children's logs."""

import re
from pathlib import Path

PROBLEM = re.compile(r"\b(warning|error|critical|fatal|panic|traceback|exception)\b", re.IGNORECASE)
# Lines with ERROR are left out, because PostgreSQL logs every refused duplicate as an ERROR.
SERVER_PROBLEM = re.compile(r"\b(FATAL|PANIC|Fatal error)\b")
# Caused by the supervisor's requests during the start.
EXPECTED = ("/readyz", "the database system is starting up")
SERVERS = {"postgres", "valkey"}
LONGEST_LINE = 2000
LARGEST_LOG_BYTES = 20_000_000


class Follower:
    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self.path = path
        self.offset = path.stat().st_size if path.exists() else 0
        self.problem = SERVER_PROBLEM if name in SERVERS else PROBLEM
        self.in_traceback = False

    def new_lines(self) -> list[str]:
        """Warnings and errors since the last call, each with the name of its process."""
        if not self.path.exists() or self.path.stat().st_size <= self.offset:
            return []
        with self.path.open("rb") as file:
            file.seek(self.offset)
            whole = file.read().rpartition(b"\n")[0]
        self.offset += len(whole) + 1 if whole else 0
        lines = whole.decode(errors="replace").splitlines()
        return [f"{self.name:>8} | {line[:LONGEST_LINE]}" for line in lines if self._matters(line)]

    def _matters(self, line: str) -> bool:
        """A traceback ends with the first line that is not indented, which names the error."""
        if self.in_traceback:
            self.in_traceback = line.startswith((" ", "Traceback")) or not line
            return True
        if self.name not in SERVERS and line.startswith("Traceback"):
            self.in_traceback = True
        return bool(self.problem.search(line)) and not any(text in line for text in EXPECTED)


def rotate(path: Path) -> None:
    """Keeps one older file, so that restarts do not fill the disk."""
    if path.exists() and path.stat().st_size > LARGEST_LOG_BYTES:
        path.replace(path.with_suffix(".log.1"))
