"""Celery tasks of the console. Each calls one service."""

from celery import shared_task

from payments.console import lockout, sessions
from payments.console.exports import builder, requests
from payments.core import clock_skew, jobs


@shared_task
def run_exports() -> None:
    """Runs one turn of the due exports. The scanner finds the exports of a dead worker."""
    if builder.run_turn():
        jobs.enqueue(requests.RUN_TASK)


@shared_task
def forget_exports() -> None:
    requests.forget_old(clock_skew.now())


@shared_task
def forget_sessions() -> None:
    """Deletes ended sessions, and wrong passwords that no longer lock anyone out."""
    sessions.delete_old()
    lockout.delete_old()
