"""Programs of others that the tests run: what one printed, or all that it said if it fails."""

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Command = Sequence[str | Path]
# A program that hangs must not stop the suite; no test depends on how long one takes.
SECONDS = 300


def said(
    command: Command,
    *,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    given: str | None = None,
) -> str:
    """`given` is what it reads on its standard input."""
    done = subprocess.run(
        [str(each) for each in command],
        cwd=cwd,
        env=environment,
        input=given,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class Program:
    """A merchant's program in one language: each run does one step, and prints what it saw."""

    def __init__(self, command: Command, environment: Mapping[str, str]) -> None:
        self.command = command
        self.environment = environment

    def run(self, step: str, given: object = None) -> Any:
        """A text is given as it is, everything else as JSON."""
        text = given if isinstance(given, str) else json.dumps(given or {})
        return json.loads(said([*self.command, step], environment=self.environment, given=text))
