"""Alternating rounds: A B C A B C, so that a machine that drifts drifts for all of them alike."""

import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from benchmarks.client import Address, Request, Sample, drive
from benchmarks.processes import cpu_seconds

# One round of a contestant of about so many seconds.
Round = Callable[[float], Sample]


@dataclass(frozen=True, slots=True)
class Size:
    """How long and how often. `is_quick` is for tries; its figures scatter."""

    is_quick: bool
    rounds: int
    round_seconds: float
    warm_up_seconds: float


QUICK = Size(is_quick=True, rounds=3, round_seconds=1.0, warm_up_seconds=0.5)
FULL = Size(is_quick=False, rounds=5, round_seconds=3.0, warm_up_seconds=2.0)


@dataclass(slots=True)
class Figures:
    """A contestant's rounds. Medians of rounds, so that one disturbed round decides nothing."""

    samples: list[Sample] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Answers a second."""
        return statistics.median(sample.rate for sample in self.samples)

    @property
    def answers(self) -> int:
        """How many in all, each of them looked at."""
        return sum(len(sample.latencies) for sample in self.samples)

    def percentile(self, part: float) -> float:
        """Seconds."""
        return statistics.median(sample.percentile(part) for sample in self.samples)

    @property
    def cpu(self) -> float | None:
        """Seconds that the contestant's processes compute for an answer."""
        parts = [
            s.cpu_seconds / len(s.latencies) for s in self.samples if s.cpu_seconds is not None
        ]
        return statistics.median(parts) if parts else None

    @property
    def spread(self) -> float:
        """p99 / p50."""
        return statistics.median(s.percentile(0.99) / s.percentile(0.5) for s in self.samples)


def ratio(one: Figures, other: Figures) -> float:
    """How many times faster `one` is: the median of the rounds' own ratios."""
    pairs = zip(one.samples, other.samples, strict=True)
    return statistics.median(a.rate / b.rate for a, b in pairs)


def alternate(contestants: Mapping[str, Round], size: Size) -> dict[str, Figures]:
    """Each warms up once; then they take turns."""
    found = {name: Figures() for name in contestants}
    for round_ in contestants.values():
        round_(size.warm_up_seconds)
    for name, round_ in _turns(contestants, size.rounds):
        found[name].samples.append(round_(size.round_seconds))
    return found


def _turns(contestants: Mapping[str, Round], rounds: int) -> Iterator[tuple[str, Round]]:
    for _ in range(rounds):
        yield from contestants.items()


class Endpoint:
    """A contestant reached over HTTP; no request of it comes twice. `group` is its processes'."""

    def __init__(self, address: Address, request: Request, group: int) -> None:
        self._address = address
        self._group = group
        self._request = request
        # So that two measurements on one database never make the same number.
        self._next = time.time_ns() // 1000

    def round(self, seconds: float) -> Sample:
        """CLIENTS connections, kept open. Raises BadAnswer."""
        before = cpu_seconds(self._group)
        sample = drive(self._address, self._request, first=self._next, seconds=seconds)
        self._next += len(sample.latencies) + 1000
        return replace(sample, cpu_seconds=cpu_seconds(self._group) - before)
