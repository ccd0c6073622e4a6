"""`python -m config.worker money default`: a Celery worker, started without Celery's command line.

That one loads all it could be asked for, a shell with completion included: 10 MB that every worker
would keep for nothing.
"""

import argparse
import sys

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
    worker.start()
    status: int | None = worker.exitcode
    return status or 0


if __name__ == "__main__":
    sys.exit(main())
