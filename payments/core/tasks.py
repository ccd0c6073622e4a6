"""Celery shells of the kernel."""

from pathlib import Path

from celery import shared_task
from django.conf import settings

from payments.core import clock
from payments.core.models import Heartbeat


def beat(name: str) -> None:
    """Records that the worker `name` is alive."""
    Heartbeat.objects.update_or_create(name=name, defaults={"at": clock.now()})
    if settings.LIVENESS_PATH:
        # The row speaks for all workers of a name, the file for this process.
        Path(settings.LIVENESS_PATH).touch()


@shared_task
def heartbeat(name: str) -> None:
    """Sent by beat to each queue in turn."""
    beat(name)
