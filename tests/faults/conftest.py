"""Fixtures of the experiments."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.faults.killable_worker import KillableWorker
from tests.support.services import child_environment


@pytest.fixture(scope="session")
def worker(django_db_setup: None) -> Iterator[KillableWorker]:
    """A process whose children work, and die (tests.faults.dying_worker)."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.dying_worker"],
        env=child_environment(
            DOORBELL="0",
            OUTGOING_RECONCILE_DELAYS="1",
            PROVIDER_BREAKER_FAILURES="1000000",
            RATE_LIMIT_WRITE="1000000/m",
            WEBHOOK_LEASE_SECONDS="1",
        ),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield KillableWorker(process)
    finally:
        process.stdin.close()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
