"""The limit: the statements of one request through pgbench, on the same server and tables.

No program in between: what is left is PostgreSQL, the socket, and the commit on the disk.
"""

import os
import re
import subprocess
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.client import CLIENTS, Sample
from benchmarks.machine import Machine
from benchmarks.statements import Conversation, Statement, logging

# What a number of its own must have room for.
WIDTH = 16
_PLACE = re.compile(r"\$(\d+)")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")
_WHOLE = re.compile(r"-?[\d.]+")
# The ledger's one statement. The program computes the balances after it from those that it locked;
# the database refuses others, so that here the statement has to compute them itself.
_POSTING = re.compile(
    r"\$(\d+)::bigint\[\], \$\d+::text\[\], \$(\d+)::numeric\[\], \$(\d+)::numeric\[\]"
)
_AFTER = (
    "(SELECT array_agg(account.balance + line.amount ORDER BY line.number)"
    " FROM unnest({accounts}::bigint[], {amounts}::numeric[]) WITH ORDINALITY"
    " AS line (id, amount, number) JOIN ledger_account AS account USING (id))"
)


@dataclass(frozen=True, slots=True)
class Script:
    """A pgbench script, and its parameters as variables: text that stays the same."""

    text: str
    variables: dict[str, str]


def capture(machine: Machine, ask: Callable[[int], object], key: str) -> Script:
    """From the last two of several requests, which differ only in their number."""
    with logging(machine) as captured:
        # The first ones open connections and prepare statements, each on its own connection.
        said = [captured(lambda n=number: ask(n), key) for number in range(1, 31)]  # type: ignore[misc]
    return script(*alike(said))


def alike(said: list[Conversation]) -> tuple[list[Statement], list[Statement]]:
    """The newest two of those that most requests sent.

    A few send more: a connection that was idle for seconds is checked by a query first. In the
    rounds, where requests follow each other without a pause, none does.
    """
    kinds: dict[tuple[str, ...], list[list[Statement]]] = {}
    for each in said:
        texts = tuple(statement.text for statement in each.statements)
        kinds.setdefault(texts, []).append(each.statements)
    *_, one, other = [[], *max(kinds.values(), key=len)]
    if not one:
        raise LookupError("No two requests sent the same statements.")
    return one, other


def script(one: Iterable[Statement], other: Iterable[Statement]) -> Script:
    """What differs between two requests becomes a number of its own, the rest is repeated."""
    variables: dict[str, str] = {}
    lines = ["\\set i :i + 1", "\\set n (:run * 100 + :client_id) * 10000000 + :i"]
    for number, (first, second) in enumerate(zip(one, other, strict=True)):
        lines.append(_line(number, first, second, variables))
    return Script("\n".join(lines) + "\n", variables)


def _line(number: int, first: Statement, second: Statement, variables: dict[str, str]) -> str:
    posting = _POSTING.search(first.text)

    def place(match: re.Match[str]) -> str:
        position = int(match[1])
        if posting and position == int(posting[3]):
            accounts, amounts = (f":p{number}_{posting[group]}" for group in (1, 2))
            return _AFTER.format(accounts=accounts, amounts=amounts)
        value, other = first.parameters.get(position), second.parameters.get(position)
        if value is None:
            return "NULL"
        if not value:
            return "''"  # pgbench takes no empty variable
        if value != other and is_name(value):
            return _numbered(value, other or "")
        name = f"p{number}_{position}"
        variables[name] = value
        return f":{name}"

    text = _PLACE.sub(place, first.text)
    # Comments would swallow the line; pgbench wants one statement to end with one semicolon.
    return " ".join(re.sub(r"--[^\n]*", "", text).split()).rstrip(";") + ";"


def is_name(value: str) -> bool:
    """An id, a token, a reference: not a moment, a figure, bytes, a list or JSON."""
    if _MOMENT.match(value) or _WHOLE.fullmatch(value):
        return False
    return not value.startswith(("\\x", "{", "["))


def _numbered(value: str, other: str) -> str:
    common = os.path.commonprefix([value, other])  # noqa: RUF071 -- they are no paths
    prefix = common[: max(0, min(len(common), len(value) - WIDTH))]
    return f"('{prefix}' || lpad((:n)::text, {max(WIDTH, len(value) - len(prefix))}, '0'))"


class Limit:
    """A script that runs in rounds like the other contestants."""

    def __init__(self, machine: Machine, made: Script, name: str) -> None:
        self._machine = machine
        self._made = made
        self._file = machine.options.data_dir / f"{name}.sql"
        self._file.write_text(made.text)
        # So that two measurements on one database never make the same number.
        self._runs = int(time.time()) % 1_000_000

    def round(self, seconds: float) -> Sample:
        """Raises RuntimeError when pgbench had to give up a client."""
        self._runs += 1
        prefix = self._machine.options.data_dir / f"{self._file.stem}-{self._runs}"
        whole = max(1, round(seconds))
        done = subprocess.run(
            self._command(whole, prefix), capture_output=True, text=True, check=False
        )
        if done.returncode or "aborted" in done.stderr:
            raise RuntimeError(f"pgbench: {done.stderr[-2000:]}\n{self._made.text}")
        return Sample(latencies(prefix), whole)

    def _command(self, seconds: int, prefix: Path) -> list[str]:
        host = str(self._machine.postgres.paths.sockets)
        variables = {"i": "0", "run": str(self._runs), **self._made.variables}
        return [
            str(self._machine.program("pgbench")),
            f"--host={host}",
            "--username=postgres",
            "--no-vacuum",
            "--protocol=prepared",
            f"--client={CLIENTS}",
            "--jobs=1",
            f"--time={seconds}",
            f"--file={self._file}",
            "--log",
            f"--log-prefix={prefix}",
            *(f"--define={name}={value}" for name, value in variables.items()),
            "pasarela",
        ]


def latencies(prefix: Path) -> list[float]:
    """Of pgbench's log: the third word of each line is microseconds."""
    found: list[float] = []
    for file in prefix.parent.glob(f"{prefix.name}.*"):
        with open(file) as lines:
            found += [int(line.split(" ", 3)[2]) / 1e6 for line in lines]
        file.unlink()
    return found
