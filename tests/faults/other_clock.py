"""A process whose clock is wrong: python -m tests.faults.other_clock SECONDS MODULE ARGUMENTS.

All that it reads of the time is moved by so many seconds; its pauses are as long as ever. The
clocks of the database and of all other processes are right.
"""

import datetime
import runpy
import sys

import time_machine


def main() -> None:
    """Becomes the module."""
    _, seconds, module, *arguments = sys.argv
    moved = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=float(seconds))
    sys.argv = [module, *arguments]
    with time_machine.travel(moved):
        runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
