"""`make run`: the whole service on this machine until Ctrl-C. Exit status 1 after a failure."""

import contextlib
import sys
import time

from config.devstack.banner import banner
from config.devstack.control import StopRequests, only_one
from config.devstack.options import read_options
from config.devstack.process import StackError
from config.devstack.supervisor import Asked, Stack


def say(text: str) -> None:
    """To the terminal, if it is still there: a closed one must not stop the clean-up."""
    with contextlib.suppress(OSError):
        print(text, flush=True)


def main() -> int:
    """Everything between the lock and the last stopped child."""
    requests = StopRequests()
    requests.listen()
    try:
        options = read_options()
        with only_one(options.data_dir):
            stack = Stack(options, requests, say)
            try:
                began = time.monotonic()
                say("Starting ...")
                stack.start()
                say(banner(options, time.monotonic() - began))
                stack.watch()
            except Asked:
                pass
            finally:
                stack.stop()
    except StackError as error:
        say(f"\n{error}")
        return 1
    except PermissionError as error:
        say(f"\nThe data directory belongs to another user: {error}")
        return 1
    say("Stopped.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
