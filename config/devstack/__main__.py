"""`make run`: the whole service on this machine until Ctrl-C. Exit status 1 after a failure."""

import contextlib
import sys
import time

from config.devstack.banner import banner
from config.devstack.control import StopSignals, single_instance
from config.devstack.options import read_options
from config.devstack.process import StackError
from config.devstack.supervisor import Stack, StopRequested


def print_line(text: str) -> None:
    """Does not fail when the terminal is closed, so that the clean-up continues."""
    with contextlib.suppress(OSError):
        print(text, flush=True)


def main() -> int:
    signals = StopSignals()
    signals.listen()
    try:
        options = read_options()
        with single_instance(options.data_dir):
            stack = Stack(options, signals, print_line)
            try:
                began = time.monotonic()
                print_line("Starting ...")
                stack.start()
                print_line(banner(options, time.monotonic() - began))
                stack.watch()
            except StopRequested:
                pass
            finally:
                stack.stop()
    except StackError as error:
        print_line(f"\n{error}")
        return 1
    except PermissionError as error:
        print_line(f"\nThe data directory belongs to another user: {error}")
        return 1
    print_line("Stopped.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
