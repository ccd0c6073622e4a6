"""Celery tasks: a wake-up and the scanner start the dispatcher, which reads what is due.

Task, heartbeat, beat entry and metric keep their name `pump`, and so do the worker and its
Kubernetes objects: messages, alerts and labels of deployments of today have it.
"""

from celery import shared_task
from celery.signals import worker_shutting_down

from payments.core.tasks import beat
from webhooks import dispatcher, feed
from webhooks.services import DISPATCH_TASK


@shared_task(name=DISPATCH_TASK)
def dispatch() -> None:
    """Started by every event, and every few seconds by beat."""
    dispatcher.run()


@shared_task
def number_events() -> None:
    """Gives committed events their number in the sequence of their merchant."""
    feed.number_due()


@shared_task
def heartbeat() -> None:
    """The worker of the webhooks queue is alive; a long run of the dispatcher reports it itself."""
    beat(dispatcher.HEARTBEAT)


@worker_shutting_down.connect
def _finish_early(**_: object) -> None:
    """A warm shutdown waits for the task, which would otherwise run to the end of its time."""
    dispatcher.stop()
