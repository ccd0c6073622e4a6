"""`python -m config.worker money default`: a Celery worker, started without Celery's command line.

That one loads all it could be asked for, a shell with completion included: 10 MB that every worker
would keep for nothing.
"""

import argparse
import sys
from typing import Any

from config.celery import app


def main() -> int:
    """Works until SIGTERM; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m config.worker")
    parser.add_argument("name", choices=("money", "pump"), help="as /readyz knows it")
    parser.add_argument("queue", choices=("default", "webhooks"))
    parser.add_argument("--threads", type=int, default=4)
    given = parser.parse_args()
    worker = app.Worker(
        hostname=f"{given.name}@",  # Celery adds the machine's
        queues=[given.queue],
        # Tasks wait for the network.
        pool="threads",
        concurrency=given.threads,
        # They only cost start-up time.
        without_gossip=True,
        without_mingle=True,
        quiet=True,
    )
    clock = _simulator_clock() if given.name == "money" else None
    try:
        worker.start()
    finally:
        if clock is not None:
            clock.stop()
    status: int | None = worker.exitcode
    return status or 0


def _simulator_clock() -> Any:
    """Beside the tasks, so that it goes on while the broker is away; None outside a sandbox."""
    # Not before Celery has set Django up.
    from django.conf import settings

    if not settings.SIMULATOR_CLOCK:
        return None
    from payments.simulator import clockwork

    return clockwork.start_clock()


if __name__ == "__main__":
    sys.exit(main())
