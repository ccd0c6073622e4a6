"""`make mutants`: every mutant must be caught by the tests that claim to. Exit 1 if one survives.

MUTANT=name tries that one alone; TIMES=5 tries so often those that only a race shows. A whole run
writes its table to docs/mutants.md.
"""

import argparse
import os
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from config.devstack.options import PROJECT
from tests.mutants.patches import DoesNotApply, Mutant, read_all
from tests.mutants.trial import Laboratory, Run

PAGE = PROJECT / "docs" / "mutants.md"
_REPETITION = re.compile(r"(?<=[\[-])run(\d+)-?(?=[^\]]*\]$)")
BEGIN, END = "<!-- written by make mutants -->", "<!-- end -->"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one mutant, whose tests ran `times` times."""

    mutant: Mutant
    times: int
    run: Run

    @property
    def times_caught(self) -> int:
        """How often a test saw it."""
        if self.times == 1:
            return int(bool(self.run.failed))
        return len({_REPETITION.findall(test)[-1] for test in self.run.failed})

    @property
    def is_caught(self) -> bool:
        """Every time."""
        return self.times_caught == self.times

    @property
    def catchers(self) -> list[str]:
        """The tests that saw it, by name."""
        names = {_REPETITION.sub("", test) for test in self.run.failed}
        return sorted(name.replace("[]", "").replace("-]", "]") for name in names)

    def cells(self) -> tuple[str, str, str, str]:
        """Of its row: mutant, how often, by what, seconds."""
        by = ", ".join(self.catchers) or "nothing: SURVIVED"
        often = f"{self.times_caught} of {self.times}"
        return self.mutant.name, often, by, f"{self.run.seconds:.1f}"


def main() -> int:
    """Prints the table as it grows."""
    asked = _arguments()
    mutants = _chosen(asked.mutants)
    started = time.monotonic()
    laboratory = Laboratory()
    try:
        healthy = laboratory.try_healthy(_tests_of(mutants), asked.jobs)
        if not healthy.is_green:
            print(f"On the unchanged tree: {healthy.failed} {healthy.broken} {healthy.note}")
            return 1
        print(f"Unchanged: {healthy.passed} tests pass in {healthy.seconds:.0f} s.\n", flush=True)
        outcomes = [_try(laboratory, mutant, asked.times) for mutant in mutants]
    except DoesNotApply as error:
        print(f"A patch does not apply any more. {error}")
        return 1
    finally:
        laboratory.close()
    caught = sum(outcome.is_caught for outcome in outcomes)
    passed = (
        f"{caught} of {len(outcomes)} mutants caught, in {time.monotonic() - started:.0f} s"
        f" (TIMES={asked.times}, load average at the end {os.getloadavg()[0]:.0f})"
    )
    print(f"\n{passed}.")
    if not asked.mutants:
        _write_page(outcomes, passed)
    return 0 if caught == len(outcomes) else 1


def _try(laboratory: Laboratory, mutant: Mutant, times: int) -> Outcome:
    times = times if mutant.is_race else 1
    run = laboratory.try_mutant(mutant, times)
    outcome = Outcome(mutant, times, run)
    name, often, by, seconds = outcome.cells()
    print(f"{name:31} {often} {seconds:>6} s  {by}", flush=True)
    if not outcome.is_caught:
        print(f"    {run.passed} passed, {run.note or run.broken or 'nothing else failed'}")
    return outcome


def _write_page(outcomes: list[Outcome], passed: str) -> None:
    rows = "\n".join(_rows(outcomes))
    head, _, rest = PAGE.read_text().partition(BEGIN)
    tail = rest.partition(END)[2]
    PAGE.write_text(f"{head}{BEGIN}\n{passed}.\n\n{rows}\n{END}{tail}")


def _rows(outcomes: list[Outcome]) -> Iterator[str]:
    yield "| Mutant | What it breaks | Promise | Caught | By | Seconds |"
    yield "|---|---|---|---|---|---|"
    for outcome in outcomes:
        name, often, by, seconds = outcome.cells()
        mutant = outcome.mutant
        by = ", ".join(f"`{test}`" for test in outcome.catchers) or by
        yield f"| {name} | {mutant.breaks} | {mutant.promise} | {often} | {by} | {seconds} |"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("mutants", nargs="*", help="some by name; all without")
    parser.add_argument("--times", type=int, default=1, help="runs of each race")
    parser.add_argument("--jobs", type=int, default=2, help="processes for the unchanged tree")
    return parser.parse_args()


def _chosen(names: list[str]) -> list[Mutant]:
    known = {mutant.name: mutant for mutant in read_all()}
    if unknown := [name for name in names if name not in known]:
        sys.exit(f"No mutant {unknown[0]}. There are: {', '.join(known)}")
    return [known[name] for name in names] or list(known.values())


def _tests_of(mutants: list[Mutant]) -> list[str]:
    return sorted({test for mutant in mutants for test in mutant.caught_by})


if __name__ == "__main__":
    sys.exit(main())
