"""Reads the mutants, and applies one to a tree: every hunk fits exactly once, or it is an error.

Line numbers do not count, so a patch survives what is written above it, and a place that exists
twice is never guessed. `git apply` takes the first place that is near.
"""

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "patches"
_HUNK = re.compile(r"@@ -\d+(,\d+)? \+\d+(,\d+)? @@")


class DoesNotApply(Exception):
    """The code has changed under the patch: mend the patch, or drop it with its promise."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """`old` lines of the file at `path`, and what the mutant has in their place."""

    path: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Mutant:
    """One deliberate mistake, and the tests that are expected to fail because of it."""

    name: str
    breaks: str
    promise: str
    is_race: bool
    caught_by: tuple[str, ...]
    hunks: tuple[Hunk, ...]

    def apply(self, tree: Path) -> None:
        """Changes the files below `tree`. Raises DoesNotApply, and then changes nothing."""
        for path, text in self.mutated(tree).items():
            (tree / path).write_text(text)

    def mutated(self, tree: Path) -> dict[str, str]:
        """{path: its text with the mistake in it}. Raises DoesNotApply."""
        texts: dict[str, str] = {}
        for hunk in self.hunks:
            text = texts.get(hunk.path) or (tree / hunk.path).read_text()
            # Whole lines: the first one, too, begins after a line's end.
            found = f"\n{text}".count(f"\n{hunk.old}")
            if found != 1:
                raise DoesNotApply(
                    f"{self.name}: {found} places for this in {hunk.path}:\n{hunk.old}"
                )
            texts[hunk.path] = f"\n{text}".replace(f"\n{hunk.old}", f"\n{hunk.new}")[1:]
        return texts


def read_all() -> list[Mutant]:
    """Every mutant, in the order of their files."""
    return [_read(path) for path in sorted(FOLDER.glob("*.patch"))]


def _read(path: Path) -> Mutant:
    head, diff, rest = path.read_text().partition("\n--- ")
    said: dict[str, list[str]] = {}
    for line in head.splitlines():
        key, colon, value = line.partition(": ")
        if not colon:
            raise ValueError(f"{path.name}: a line of the header without a name: {line}")
        said.setdefault(key, []).append(value.strip())
    return Mutant(
        # The number in front orders them; the name is what `make mutants MUTANT=` takes.
        name=path.stem.partition("-")[2],
        breaks=said["Breaks"][0],
        promise=said["Promise"][0],
        is_race="Race" in said,
        caught_by=tuple(said["Caught by"]),
        hunks=tuple(_hunks(diff[1:] + rest)),
    )


def _hunks(diff: str) -> list[Hunk]:
    hunks: list[Hunk] = []
    path, old, new = "", "", ""
    for line in [*diff.splitlines(keepends=True), "@@ end"]:
        if line.startswith(("--- ", "@@ ")) and (old or new):
            hunks.append(Hunk(path, old, new))
            old = new = ""
        if line.startswith("+++ "):
            path = line.removeprefix("+++ b/").strip()
        elif line.startswith(("--- ", "@@ ", "diff ", "index ")):
            continue
        else:
            old += line[1:] if line[0] in " -" else ""
            new += line[1:] if line[0] in " +" else ""
    return hunks
