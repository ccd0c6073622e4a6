"""`python -m config.worker money default`: a Celery worker, started without Celery's command line.

The command line loads every command, a shell with completion included: 10 MB in each worker.
"""

import argparse
import sys
from collections.abc import Callable

from config.celery import app


def main() -> int:
    """Runs until SIGTERM; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m config.worker")
    parser.add_argument("name", choices=("money", "pump"), help="its name in /readyz")
    parser.add_argument("queue", choices=("default", "webhooks"))
    parser.add_argument("--threads", type=int, default=4)
    given = parser.parse_args()
    worker = app.Worker(
        hostname=f"{given.name}@",  # Celery adds the machine's
        queues=[given.queue],
        # Threads, because tasks wait for the network.
        pool="threads",
        concurrency=given.threads,
        # Both only cost start-up time.
        without_gossip=True,
        without_mingle=True,
        quiet=True,
    )
    stop_clock = _simulator_clock() if given.name == "money" else None
    try:
        worker.start()
    finally:
        if stop_clock is not None:
            stop_clock()
    status: int | None = worker.exitcode
    return status or 0


def _simulator_clock() -> Callable[[], None] | None:
    """Starts it beside the tasks, so that it runs without the broker; returns its `stop`."""
    # Imported once Celery has set up Django.
    from django.conf import settings

    if not settings.SIMULATOR_CLOCK:
        return None
    from payments.simulator import clockwork

    clock = clockwork.start_clock()
    return clock.stop if clock is not None else None


if __name__ == "__main__":
    sys.exit(main())
