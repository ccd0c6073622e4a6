"""`python -m config.worker money default`: a Celery worker without Celery's command line.

The command line loads every command and takes 10 MB in each worker.
"""

# ruff: noqa: E402  What is imported is no garbage. To look for it takes a fifth of the start.
import gc

gc.disable()

import argparse
import os
import sys

# Before settings are read. A deployment may give the role of its web server to every process.
os.environ["WEB_ROLE"] = "worker"

from config.celery import app, served_queues


def main() -> int:
    """Runs until SIGTERM; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m config.worker")
    parser.add_argument("name", choices=("money", "pump"), help="its name in /readyz")
    parser.add_argument("queue", choices=("default", "webhooks"))
    parser.add_argument("--threads", type=int, default=4)
    given = parser.parse_args()
    served_queues.add(given.queue)
    worker = app.Worker(
        hostname=f"{given.name}@",  # Celery adds the name of the machine
        queues=[given.queue],
        # Threads, because tasks wait for the network.
        pool="threads",
        concurrency=given.threads,
        # Both only cost start-up time.
        without_gossip=True,
        without_mingle=True,
        quiet=True,
    )
    clock = None
    if given.name == "money":
        # Imported here, because Celery must set up Django first.
        from payments.simulator.clockwork import start_clock

        # The clock runs in a thread beside the tasks, so that it does not need the broker.
        clock = start_clock()
    # All is loaded: from here on the collector skips it.
    gc.freeze()
    gc.enable()
    try:
        worker.start()
    finally:
        if clock is not None:
            clock.stop()
    status: int | None = worker.exitcode
    return status or 0


if __name__ == "__main__":
    sys.exit(main())
