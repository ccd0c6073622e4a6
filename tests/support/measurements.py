"""What each experiment measured: printed while it runs, added up at the end of `make faults`.

`@pytest.mark.faults("F1")` names the guarantee of tests/faults/guarantees.py that a test is about,
`record` keeps a measurement, `seeded` returns the random numbers. After every guarantee was tried
at its full size, the part of docs/faults.md between its markers is written again.
"""

import os
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.faults import SCALE
from tests.faults.report import Seen, table, write_page

FIGURE, SEED, PROMISE = "figure", "seed", "promise"
_running: list[pytest.Item] = []


def record(text: str = "", **counts: float) -> None:
    """Prints the text and keeps it for the table.

    Of `counts` whole numbers are added up over the tests of a promise; of others the worst, that
    is the highest, stays.
    """
    if text:
        print(text)
    _note(FIGURE, {"text": text, "counts": counts})


def listed(counts: Mapping[str, int]) -> str:
    """For a sentence: how many of each."""
    return ", ".join(f"{count:,} {name}" for name, count in sorted(counts.items()))


def seeded(default: int | str) -> random.Random:
    """What an experiment draws from; FAULTS_SEED replaces the seed of all that run."""
    seed = os.environ.get("FAULTS_SEED") or str(default)
    print(f"seed {seed}")
    record_seed(seed)
    return random.Random(seed)


def record_seed(seed: int | str) -> None:
    """Of an experiment that draws by itself."""
    _note(SEED, str(seed))


def _note(kind: str, value: Any) -> None:
    if _running:
        _running[-1].user_properties.append((kind, value))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Who is running, and which promises it is about."""
    names = {name for mark in item.iter_markers("faults") for name in mark.args}
    item.user_properties += [(PROMISE, name) for name in sorted(names)]
    _running.append(item)
    try:
        return (yield)
    finally:
        _running.pop()


@dataclass(eq=False)  # plugins are kept in a set
class Ledger:
    """The plugin of a run at full size."""

    seen: dict[str, Seen] = field(default_factory=lambda: defaultdict(Seen))
    load: float = field(default_factory=lambda: os.getloadavg()[0])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Setup, call and teardown of each test."""
        properties = report.user_properties
        for name in [value for kind, value in properties if kind == PROMISE]:
            seen = self.seen[name]
            seen.seconds += report.duration
            if report.failed:
                seen.failed.append(report.nodeid.rpartition("::")[2])
            if report.skipped:
                seen.skipped += 1
            if report.when != "call":
                continue
            seen.tests += 1
            seen.files.add(report.nodeid.partition("::")[0])
            for kind, value in properties:
                if kind == FIGURE:
                    seen.add(value["text"], value["counts"])
                elif kind == SEED and value not in seen.seeds:
                    seen.seeds.append(value)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """The table; and the page, if nothing was left out."""
        if not self.seen:
            return
        terminalreporter.section("promises")
        for line in table(self.seen):
            terminalreporter.write_line(line)
        if page := write_page(self.seen, self.load):
            terminalreporter.write_line(f"{page} was written again.")


def pytest_configure(config: pytest.Config) -> None:
    """At a tenth the figures are not those that were promised: only printed."""
    if SCALE >= 1 and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Ledger(), "promises")
