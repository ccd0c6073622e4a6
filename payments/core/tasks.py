from pathlib import Path

from celery import shared_task
from django.conf import settings

from payments.core import clock_skew
from payments.core.history import upkeep
from payments.core.models import Heartbeat


def beat(name: str) -> None:
    """Records that the worker is alive, unless its clock is wrong and it runs no tasks."""
    if not clock_skew.is_wrong():
        Heartbeat.objects.update_or_create(name=name, defaults={"at": clock_skew.now()})
    if settings.LIVENESS_PATH:
        # The row is for all workers of a name, the file for this process.
        Path(settings.LIVENESS_PATH).touch()


@shared_task
def heartbeat(name: str) -> None:
    beat(name)


@shared_task
def make_months() -> None:
    """Partitions of the coming months."""
    if not clock_skew.is_wrong():
        upkeep.keep_up(now=clock_skew.now())
