"""Celery shells of the kernel."""

from pathlib import Path

from celery import shared_task
from django.conf import settings

from payments.core import clock_skew, jobs
from payments.core.console import lockout, sessions
from payments.core.console.exports import asking, making
from payments.core.models import Heartbeat


def beat(name: str) -> None:
    """Records that the worker `name` is alive. One with a wrong clock does not count: it rests."""
    if not clock_skew.is_wrong():
        Heartbeat.objects.update_or_create(name=name, defaults={"at": clock_skew.now()})
    if settings.LIVENESS_PATH:
        # The row speaks for all workers of a name, the file for this process.
        Path(settings.LIVENESS_PATH).touch()


@shared_task
def heartbeat(name: str) -> None:
    """Sent by beat to each queue in turn."""
    beat(name)


@shared_task
def run_exports() -> None:
    """One turn at the exports that are due; the scanner finds those of a worker that died."""
    if making.run_turn():
        jobs.enqueue(asking.RUN_TASK)


@shared_task
def forget_exports() -> None:
    """Files whose time is over."""
    asking.forget_old(clock_skew.now())


@shared_task
def forget_sessions() -> None:
    """Sessions that ended by themselves, and wrong passwords that lock nobody out any more."""
    sessions.delete_old()
    lockout.delete_old()
