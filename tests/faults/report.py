"""The table of `make faults`, and the measured part of docs/faults.md. No host names, no paths."""

import os
import platform
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import psycopg

from tests.faults.guarantees import GUARANTEES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "faults.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
# A page of a hundred lines of figures is read by nobody: beyond this only sums.
MOST_LINES = 24


@dataclass
class Seen:
    """Of one promise."""

    tests: int = 0
    skipped: int = 0
    seconds: float = 0.0
    lines: list[str] = field(default_factory=list)
    sums: Counter[str] = field(default_factory=Counter)
    worst: dict[str, float] = field(default_factory=dict)
    seeds: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def add(self, text: str, counts: Mapping[str, float]) -> None:
        """What one experiment told."""
        if text:
            self.lines.append(" ".join(text.split()))
        for name, value in counts.items():
            if isinstance(value, int):
                self.sums[name] += value
            else:
                self.worst[name] = max(value, self.worst.get(name, value))

    @property
    def held(self) -> str:
        """yes, no, or that nothing was tried."""
        if self.failed:
            return "NO"
        return "yes" if self.tests > self.skipped else "not run"

    @property
    def figures(self) -> str:
        """Sums and worst values; where there are none, what the tests said."""
        parts = [f"{value:,} {_words(name)}" for name, value in self.sums.items()]
        parts += [f"{_words(name)} {value:,.2f}" for name, value in self.worst.items()]
        return ", ".join(parts) or "; ".join(self.lines) or f"{self.tests} tests"


def table(seen: Mapping[str, Seen]) -> Iterator[str]:
    """For the terminal: what was promised and what was seen, promise by promise."""
    for name, (title, promised) in GUARANTEES.items():
        if name in seen:
            found = seen[name]
            seeds = f", seed {', '.join(found.seeds)}" if found.seeds else ""
            yield f"{name:4} {title}: held {found.held} ({found.seconds:.0f} s{seeds})"
            yield f"     promised  {promised}"
            yield f"     seen      {found.figures}"
            if found.failed:
                yield f"     FAILED    {', '.join(found.failed)}"


def write_page(seen: Mapping[str, Seen], load: float) -> str:
    """Replaces the measured part, if every promise was tried; returns the page's name then."""
    if any(name not in seen or seen[name].held == "not run" for name in GUARANTEES):
        return ""
    text = PAGE.read_text()
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    measured = "\n".join(_measured(seen, load))
    PAGE.write_text(f"{before}{BEGIN}\n{measured}\n{END}{after}")
    return f"docs/{PAGE.name}"


def _measured(seen: Mapping[str, Seen], load: float) -> Iterator[str]:
    total = sum(found.seconds for found in seen.values())
    yield f"Measured on {datetime.now(UTC):%Y-%m-%d}: {machine()}; load {load:.1f} before the run."
    yield f"All of it took {total / 60:.0f} minutes.\n"
    yield "| # | Promise | Promised | Seen | Held | Seconds | Seed |"
    yield "|---|---|---|---|---|---|---|"
    for name, (title, promised) in GUARANTEES.items():
        found = seen[name]
        cells = (title, promised, found.figures, found.held, f"{found.seconds:.0f}")
        yield "| " + " | ".join(map(_cell, (name, *cells, ", ".join(found.seeds)))) + " |"
    yield "\n### What the experiments said"
    for name in GUARANTEES:
        lines = seen[name].lines
        if lines:
            yield f"\n**{name}**\n"
            yield from (f"- {line}" for line in lines[:MOST_LINES])
            if len(lines) > MOST_LINES:
                yield f"- and {len(lines) - MOST_LINES} more of the same kind"


def machine() -> str:
    """Cores and versions."""
    with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
        number = connection.info.server_version
    return (
        f"{os.cpu_count()} cores ({platform.machine()}), Python {platform.python_version()},"
        f" PostgreSQL {number // 10000}.{number % 10000}"
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def _words(name: str) -> str:
    return name.replace("_", " ")
