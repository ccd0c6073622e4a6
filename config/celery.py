"""Celery application. Tasks are doorbells: what must happen is a row in PostgreSQL (house rule).

Two queues: `default` (money and housekeeping) and `webhooks` (the pump, which runs for long).
"""

import os
from typing import Any

import structlog
from celery import Celery, Task
from celery.signals import setup_logging, task_postrun, task_prerun, worker_ready
from kombu.transport.redis import Channel

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Celery has Django check itself at each start, for which a worker would load every route and view
# and keep them. `manage.py migrate`, before it, has checked the same. Empty: it checks as ever.
os.environ.setdefault("CELERY_SKIP_CHECKS", "true")

log = structlog.get_logger(__name__)

# A worker that lost Redis with a message in hand would give it back to the connection that is gone,
# and die of it (kombu 5.7). Nothing needs to be given back: a scanner finds the row.
Channel.do_restore = False
_acknowledge = Channel.basic_ack


def _acknowledge_while_open(channel: Channel, *args: Any, **options: Any) -> None:
    """Nor is anything to be said on a connection that is gone: a task that outlasted it would tell
    it that it is done, and the worker would die of it, too. Its message comes again and is stale.
    """
    if channel.connection is not None:
        _acknowledge(channel, *args, **options)


Channel.basic_ack = _acknowledge_while_open  # type: ignore[method-assign, assignment]


class Job(Task):
    """What every task is: left alone by a worker whose clock is wrong, since it works by time.

    Nothing is lost: a row that is due stays due, and another worker may have it.
    """

    abstract = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the task."""
        from payments.core import clock_skew

        if clock_skew.is_wrong():
            log.warning(
                "task.left", task=self.name, clock=clock_skew.describe(clock_skew.seconds())
            )
            return None
        return super().__call__(*args, **kwargs)


app = Celery("pasarela", task_cls=Job)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def _keep_django_logging(**_: object) -> None:
    """Without a receiver Celery would replace the structured log configuration."""


@worker_ready.connect
def _first_heartbeat(sender: Any, **_: object) -> None:
    """/readyz need not wait for the first one from beat. Workers are named money@ and pump@."""
    from payments.core import clock_skew
    from payments.core.tasks import beat

    name = str(sender.hostname).partition("@")[0]
    clock_skew.watch(name)
    beat(name)


@task_prerun.connect
def _bind_request_id(task: Any, **_: object) -> None:
    """The lines that a task logs name the request that rang for it."""
    request_id = getattr(task.request, "request_id", None)
    structlog.contextvars.bind_contextvars(task=task.name)
    if request_id:
        structlog.contextvars.bind_contextvars(request_id=request_id)


@task_postrun.connect
def _unbind_request_id(**_: object) -> None:
    structlog.contextvars.unbind_contextvars("task", "request_id")
