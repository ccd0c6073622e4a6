"""What a scan of a chain costs as the addresses that are watched grow."""

import json
import statistics

from benchmarks.machine import Machine
from benchmarks.report import Part, Table, at_least, at_most, number
from benchmarks.rounds import Size
from benchmarks.scan_process import SHAPES, SIZES

# The number of addresses must not change it; what is allowed is the machine's own unrest.
RATE_TARGET, STATEMENTS_TARGET = 0.8, 1.0
# Of one scan: blocks, seconds, statements.
Scan = tuple[int, float, int]


def measure(machine: Machine, size: Size) -> Part:
    """The workers stand still: they would look for the charges of the addresses."""
    with machine.paused("money", "beat"):
        said = machine.python("-m", "benchmarks.scan_process", str(size.rounds))
    found = json.loads(said.splitlines()[-1])
    scans = {
        name: {count: [tuple(one) for one in by_size[str(count)]] for count in SIZES}
        for name, by_size in found.items()
    }
    return _part(scans)


def _part(scans: dict[str, dict[int, list[Scan]]]) -> Part:
    rows = [
        [
            f"{name}, {strangers:,} transfers a block",
            *(number(_rate(by_size[count])) for count in SIZES),
            *(number(_statements(by_size[count])) for count in SIZES),
        ]
        for name, by_size in scans.items()
        for strangers in [SHAPES[name][1]]
    ]
    counts = [f"{count:,}" for count in SIZES]
    targets = []
    for name, by_size in scans.items():
        few, many = by_size[SIZES[0]], by_size[SIZES[-1]]
        subject = f"{name}: {counts[-1]} against {counts[0]}"
        targets.append([f"{subject}, blocks per s", *at_least(_ratio(many, few), RATE_TARGET)])
        grown = _statements(many) / _statements(few)
        targets.append([f"{subject}, statements", *at_most(grown, STATEMENTS_TARGET)])
    blocks = ", ".join(f"{name} {blocks}" for name, (blocks, _) in SHAPES.items())
    return Part(
        name="chains",
        title="Scanning a chain",
        method=(
            f"Three accounts with {', '.join(counts)} addresses, which stand in one table, read "
            f"the same new blocks in turn ({blocks} blocks a scan), each with a payment to each "
            "account. anvil and bcoin are real nodes, whose answers are in the time; the blocks in "
            "memory show the scanner alone. *Statements*: all that the scan sends to the database, "
            "for each block. Bitcoin has a block in ten minutes, Ethereum in twelve seconds, "
            "Polygon in two."
        ),
        tables=[
            Table(
                [
                    "Chain",
                    *(f"blocks per s: {count}" for count in counts),
                    *(f"statements a block: {count}" for count in counts),
                ],
                rows,
            ),
            Table(["Subject", "Figure", "Target", "Verdict"], targets),
        ],
    )


def _rate(scans: list[Scan]) -> float:
    return statistics.median(blocks / seconds for blocks, seconds, _ in scans)


def _statements(scans: list[Scan]) -> float:
    return statistics.median(statements / blocks for blocks, _, statements in scans)


def _ratio(many: list[Scan], few: list[Scan]) -> float:
    """The median of the rounds' own ratios."""
    pairs = zip(many, few, strict=True)
    return statistics.median((a[0] / a[1]) / (b[0] / b[1]) for a, b in pairs)
