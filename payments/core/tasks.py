"""Celery shells of the kernel."""

from celery import shared_task

from payments.core import clock
from payments.core.models import Heartbeat


def beat(name: str) -> None:
    """Records that the worker `name` is alive."""
    Heartbeat.objects.update_or_create(name=name, defaults={"at": clock.now()})


@shared_task
def heartbeat(name: str) -> None:
    """Sent by beat to each queue in turn."""
    beat(name)
