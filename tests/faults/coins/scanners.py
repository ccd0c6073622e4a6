"""Two scanners at once that never rest, as a process of its own: python -m ... ACCOUNT ... < kills

Each line of the input has the child of this number killed, and another one works in its place.
They share the accounts with the service's own workers, and do not wait for one another.
"""

import os
import signal
import sys
import time

import django

from tests.support import real_clock

PAUSE_SECONDS = 0.1
SCANNERS = 2


def main() -> None:
    django.setup()
    from payments.chains.scanner import runs  # noqa: F401  imported once, before the forks
    from payments.core import clock_skew

    clock_skew.wall = real_clock.read
    children = [_fork(number) for number in range(SCANNERS)]
    for line in sys.stdin:
        number = int(line)
        os.kill(children[number], signal.SIGKILL)
        _, status = os.waitpid(children[number], 0)
        children[number] = _fork(number)
        print(os.waitstatus_to_exitcode(status), flush=True)
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _fork(number: int) -> int:
    child = os.fork()
    if child == 0:
        try:
            _work(sys.argv[1:] if number else sys.argv[:0:-1])
        finally:
            os._exit(1)
    return child


def _work(accounts: list[str]) -> None:
    from payments.chains.scanner import runs
    from payments.core import clock

    while True:
        for account in accounts:
            runs.scan_account(account=account, now=clock.now())
        time.sleep(PAUSE_SECONDS)


if __name__ == "__main__":
    main()
