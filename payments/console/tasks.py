"""Celery shells of the console."""

from celery import shared_task

from payments.console import lockout, sessions
from payments.console.exports import builder, requests
from payments.core import clock_skew, jobs


@shared_task
def run_exports() -> None:
    """One turn at the exports that are due; the scanner finds those of a worker that died."""
    if builder.run_turn():
        jobs.enqueue(requests.RUN_TASK)


@shared_task
def forget_exports() -> None:
    """Files whose time is over."""
    requests.forget_old(clock_skew.now())


@shared_task
def forget_sessions() -> None:
    """Sessions that ended by themselves, and wrong passwords that lock nobody out any more."""
    sessions.delete_old()
    lockout.delete_old()
