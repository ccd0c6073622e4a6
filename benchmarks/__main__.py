"""`python -m benchmarks [--quick] [--only PART ...]`: measures, prints, writes docs/benchmarks.md.

A quick run is for tries: it prints and writes nothing.
"""

import argparse
import os
import signal
import subprocess
import sys
import time
import traceback
from types import FrameType

from benchmarks import deliveries, endpoints, footprint, latency, lists, payouts, report, scans
from benchmarks.machine import Machine, running
from benchmarks.report import Part
from benchmarks.rounds import FULL, QUICK, Size

PARTS = {
    "http": endpoints.measure,
    "payouts": payouts.measure,
    "latency": latency.measure,
    "webhooks": deliveries.measure,
    "lists": lists.measure,
    "chains": scans.measure,
    "footprint": footprint.measure,
}


def main() -> int:
    """Exit status 0 when everything could be measured, whether or not it met its target."""
    arguments = read_arguments()
    size = QUICK if arguments.quick else FULL
    signal.signal(signal.SIGTERM, _interrupt)
    began = time.monotonic()
    texts: list[tuple[str, str]] = []
    failed: list[str] = []
    try:
        with running() as machine:
            texts.append(("machine", report.machine_lines(_postgres(machine))))
            for name in arguments.only:
                say(f"{time.monotonic() - began:5.0f} s  {name} ...")
                try:
                    texts.append((name, _measured(machine, name, size)))
                except Exception:
                    traceback.print_exc()
                    failed.append(name)
    except KeyboardInterrupt:
        say("Interrupted: nothing was written.")
        return 1
    say(f"{time.monotonic() - began:5.0f} s  done. Failed: {', '.join(failed) or 'nothing'}.")
    if not size.is_quick:
        report.write(texts)
        say(f"Written to {report.DOCUMENT.relative_to(report.PROJECT)}.")
    return 1 if failed else 0


def _measured(machine: Machine, name: str, size: Size) -> str:
    """One part: printed, and as the document has it."""
    load = os.getloadavg()[0]
    part: Part = PARTS[name](machine, size)
    machine.stop_beside()
    text = part.text(report.stamp(load, is_quick=size.is_quick))
    print(f"\n{text}\n", flush=True)
    return text


def read_arguments() -> argparse.Namespace:
    """`only` is every part, in order, unless it was given."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, nothing is written")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=[], metavar="PART")
    arguments = parser.parse_args()
    arguments.only = [name for name in PARTS if name in (arguments.only or PARTS)]
    return arguments


def say(text: str) -> None:
    """How far it is; not part of the results."""
    print(text, file=sys.stderr, flush=True)


def _postgres(machine: Machine) -> str:
    program = [str(machine.program("postgres")), "--version"]
    return subprocess.run(program, capture_output=True, text=True, check=True).stdout.split()[-1]


def _interrupt(number: int, frame: FrameType | None) -> None:
    """A SIGTERM ends it like Ctrl-C: everything that was started is stopped."""
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
