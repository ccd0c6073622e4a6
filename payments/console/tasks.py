"""Celery shells of the console."""

from celery import shared_task

from payments.console import lockout, sessions
from payments.console.exports import builder, requests
from payments.core import clock_skew, jobs


@shared_task
def run_exports() -> None:
    """One turn at due exports; the scanner finds those of a dead worker."""
    if builder.run_turn():
        jobs.enqueue(requests.RUN_TASK)


@shared_task
def forget_exports() -> None:
    requests.forget_old(clock_skew.now())


@shared_task
def forget_sessions() -> None:
    """Ended sessions, and wrong passwords that lock out no more."""
    sessions.delete_old()
    lockout.delete_old()
