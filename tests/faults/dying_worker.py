"""A worker that is killed again and again, as a process of its own: python -m ... < orders.

Each line of the input is `point count`: a fresh child runs the scanners and sends itself SIGKILL at
the `count`th passing of the fault point; at the point `anywhere` it is killed from outside after
`count` milliseconds. At `nowhere` it lives, lets up to `count` seconds of a moved clock pass, and
ends with 0 once all is settled. The answer is a line with the child's exit code, -9 if it was
killed. The children are forks, so that one costs milliseconds; nothing is connected before.
"""

import itertools
import os
import signal
import sys
import time

import django

IDLE_SECONDS = 15
PAUSE_SECONDS = 0.02


def main() -> None:
    django.setup()
    from tests.faults import outgoing_scene  # noqa: F401  imported once, before the forks

    for line in sys.stdin:
        point, count = line.split()
        child = os.fork()
        if child == 0:
            _work(point, int(count))
        if point == "anywhere":
            time.sleep(int(count) / 1000)
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _work(point: str, count: int) -> None:
    from payments.core import clock
    from tests.faults import outgoing_scene as scene
    from tests.faults.points import OF_WORKERS

    if point == "nowhere":
        scene.scan_until_settled(start=clock.now(), limit=count)
        os._exit(0)

    passings = itertools.count(1)

    def die() -> None:
        if next(passings) == count:
            os.kill(os.getpid(), signal.SIGKILL)

    if point in OF_WORKERS:
        OF_WORKERS[point](setattr, die)
    deadline = time.monotonic() + IDLE_SECONDS
    while time.monotonic() < deadline:
        scene.scan()
        time.sleep(PAUSE_SECONDS)
    os._exit(0)  # never: the point was not passed


if __name__ == "__main__":
    main()
