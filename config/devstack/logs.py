"""Shows in the terminal what went wrong in the children's logs; the rest stays in the files."""

import re
from pathlib import Path

LOUD = re.compile(r"\b(warning|error|critical|fatal|panic|traceback|exception)\b", re.IGNORECASE)
# PostgreSQL reports every refused duplicate as an error; those are answers, not accidents.
LOUD_IN_SERVER = re.compile(r"\b(FATAL|PANIC|Fatal error)\b")
# The supervisor's own questions while database and workers are still starting.
EXPECTED = ("/readyz", "the database system is starting up")
SERVERS = {"postgres", "valkey"}
LONGEST_LINE = 2000
LARGEST_LOG_BYTES = 20_000_000


class Follower:
    """Reads what was appended to one log since it was last asked."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self.path = path
        self.offset = path.stat().st_size if path.exists() else 0
        self.loud = LOUD_IN_SERVER if name in SERVERS else LOUD
        self.in_traceback = False

    def news(self) -> list[str]:
        """Whole lines worth an operator's eye, each with the name of its process."""
        if not self.path.exists() or self.path.stat().st_size <= self.offset:
            return []
        with self.path.open("rb") as file:
            file.seek(self.offset)
            whole = file.read().rpartition(b"\n")[0]
        self.offset += len(whole) + 1 if whole else 0
        lines = whole.decode(errors="replace").splitlines()
        return [f"{self.name:>8} | {line[:LONGEST_LINE]}" for line in lines if self._matters(line)]

    def _matters(self, line: str) -> bool:
        """A traceback goes on until the first line that is not indented, which names the error."""
        if self.in_traceback:
            self.in_traceback = line.startswith((" ", "Traceback")) or not line
            return True
        if self.name not in SERVERS and line.startswith("Traceback"):
            self.in_traceback = True
        return bool(self.loud.search(line)) and not any(known in line for known in EXPECTED)


def rotate(path: Path) -> None:
    """Keep one older file, so that a machine left running does not fill its disk at restarts."""
    if path.exists() and path.stat().st_size > LARGEST_LOG_BYTES:
        path.replace(path.with_suffix(".log.1"))
