"""What processes have computed and hold, read from /proc. A service is a process group."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_KB = re.compile(r"^(Rss|Pss): +(\d+) kB$", re.MULTILINE)
_TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(group: int) -> float:
    """User and system time of the group's living processes so far, to a hundredth of a second."""
    return sum(int(stat[11]) + int(stat[12]) for stat in _stats(group)) / _TICKS


def _stats(group: int) -> Iterator[list[str]]:
    """The words of /proc/PID/stat after the name, which may hold anything."""
    for place in Path("/proc").glob("[0-9]*"):
        try:
            words = (place / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if int(words[2]) == group:
            yield words


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes. RSS counts what is shared in each process; PSS, in proportion."""

    rss: int
    pss: int


def memory(mark: str) -> list[tuple[str, Memory]]:
    """Command line and memory of every process whose environment holds `mark`, NAME=value."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() not in (place / "environ").read_bytes().split(b"\0"):
                continue
            command = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            rollup = (place / "smaps_rollup").read_text()
        except OSError:  # it has just ended, or is another user's
            continue
        sizes = {name: int(kb) * 1024 for name, kb in _KB.findall(rollup)}
        found.append((command, Memory(rss=sizes.get("Rss", 0), pss=sizes.get("Pss", 0))))
    return found
