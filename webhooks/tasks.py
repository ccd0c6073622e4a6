"""Celery tasks. A wake-up or the scanner starts the dispatcher, which reads what is due.

Task, heartbeat, beat entry, metric and worker have the name `pump`, because the messages and alerts
of existing deployments have it.
"""

from celery import shared_task
from celery.signals import worker_shutting_down

from payments.core import clock
from payments.core.tasks import beat
from webhooks import dispatcher, endpoint_requests, feed
from webhooks.services import DISPATCH_TASK


@shared_task(name=DISPATCH_TASK)
def dispatch() -> None:
    """Started by each event, and by beat every few seconds."""
    dispatcher.run()


@shared_task
def number_events() -> None:
    feed.number_due()


@shared_task
def forget_earlier_secrets() -> None:
    endpoint_requests.forget_earlier_secrets(now=clock.now())


@shared_task
def heartbeat() -> None:
    """Reports the worker of the queue `webhooks`. A long run of the dispatcher reports it, too."""
    beat(dispatcher.HEARTBEAT)


@worker_shutting_down.connect
def _finish_early(**_: object) -> None:
    """A warm shutdown waits for the task, which would otherwise use all of its time."""
    dispatcher.stop()
