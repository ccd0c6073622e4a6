"""A worker that is killed again and again, as a process of its own: python -m ... < orders.

Each line of the input is `point count request`: a fresh child works and sends itself SIGKILL at the
`count`th passing of the fault point. By the point it runs the scanners, sends webhooks, or is a web
process that is asked the request (JSON). At the point `anywhere` it is killed from outside after
`count` milliseconds. At `nowhere` it lives, lets up to `count` seconds of a moved clock pass, and
ends with 0 once all is settled. The answer is a line with the child's exit code, -9 if it was
killed. The children are forks, so that one costs milliseconds; nothing is connected before.
"""

import itertools
import json
import os
import signal
import sys
import time
from typing import Any

import django

from tests.support import real_clock

IDLE_SECONDS = 120
PAUSE_SECONDS = 0.02


def main() -> None:
    django.setup()
    from payments.core import clock_skew

    clock_skew.wall = real_clock.read
    from tests.support import outgoing_requests  # noqa: F401  imported once, before the forks

    for line in sys.stdin:
        point, count, request = line.split(maxsplit=2)
        child = os.fork()
        if child == 0:
            _work(point, int(count), json.loads(request))
        if point == "anywhere":
            time.sleep(int(count) / 1000)
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _work(point: str, count: int, request: dict[str, Any]) -> None:
    from payments.core import clock
    from tests.faults import crash_points
    from tests.support import outgoing_requests
    from webhooks import dispatcher

    if point == "nowhere":
        outgoing_requests.scan_until_settled(start=clock.now(), limit=count)
        os._exit(0)

    passings = itertools.count(1)

    def die() -> None:
        if next(passings) == count:
            os.kill(os.getpid(), signal.SIGKILL)

    of_web = {**crash_points.OF_REQUESTS, **crash_points.OF_CHARGES}
    of_workers = {**crash_points.OF_WORKERS, **crash_points.OF_WORKERS_OVER_WOMPI}
    points = {**of_web, **of_workers, **crash_points.OF_PUMPS}
    if point in points:
        points[point](setattr, die)
    if point in of_web:
        outgoing_requests.ask_api(**request)
        os._exit(0)  # never: the point was not passed
    act = dispatcher.run if point in crash_points.OF_PUMPS else outgoing_requests.scan
    deadline = time.monotonic() + IDLE_SECONDS
    while time.monotonic() < deadline:
        act()
        time.sleep(PAUSE_SECONDS)
    os._exit(0)  # never: the point was not passed


if __name__ == "__main__":
    main()
