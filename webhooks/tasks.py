"""Celery shells: the doorbell and the scanner both start the pump, which looks for itself."""

from celery import shared_task
from celery.signals import worker_shutting_down

from payments.core.tasks import beat
from webhooks import dispatcher as pumps
from webhooks import feed


@shared_task
def pump() -> None:
    """Sends what is due. Rung on every event, and every few seconds by beat."""
    pumps.run()


@shared_task
def number_events() -> None:
    """Gives committed events their place in the sequence of their merchant."""
    feed.number_due()


@shared_task
def heartbeat() -> None:
    """Says that the worker of the webhooks queue is alive; a long pump says so by itself."""
    beat(pumps.HEARTBEAT)


@worker_shutting_down.connect
def _finish_early(**_: object) -> None:
    """A warm shutdown waits for the task; it should not wait for its whole turn."""
    pumps.stop()
