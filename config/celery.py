"""The Celery application. Messages are only wake-ups: each job is a row in PostgreSQL.

It has two queues: `default`, and `webhooks` for the dispatcher, whose task runs for a long time.
"""

import os

import structlog
from celery import Celery, Task
from celery.signals import setup_logging, task_postrun, task_prerun, worker_ready
from django.apps import apps
from kombu.transport.redis import Channel

from config.lean_imports import import_rest_framework

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Django's system checks would load every route and view in each worker. `manage.py migrate` has run
# them before. With the empty string the worker would run them, too.
os.environ.setdefault("CELERY_SKIP_CHECKS", "true")
import_rest_framework()

log = structlog.get_logger(__name__)

# Two workarounds for kombu 5.7, whose Redis transport ends a worker when Redis restarts while it
# holds a message. tests/config/test_workarounds.py fails when kombu no longer needs them.
# 1. A closing channel returns the message over the lost connection. A scanner finds the row anyway.
Channel.do_restore = False
# 2. A task that outlives its connection acknowledges without one. The broker sends the message
# again, but it has expired by then.
_basic_ack = Channel.basic_ack


def _ack_if_connected(channel: Channel, delivery_tag: str, multiple: bool = False) -> None:
    if channel.connection is not None:
        _basic_ack(channel, delivery_tag, multiple)


Channel.basic_ack = _ack_if_connected  # type: ignore[method-assign, assignment]


class ClockCheckedTask(Task):
    """Runs no task while the worker's clock is wrong. Rows that are due stay due."""

    abstract = True

    def __call__(self, *args: object, **kwargs: object) -> object:
        from payments.core import clock_skew

        if clock_skew.is_wrong():
            clock = clock_skew.describe(clock_skew.seconds())
            log.warning("task.skipped", task=self.name, clock=clock)
            return None
        return super().__call__(*args, **kwargs)


app = Celery("pasarela", task_cls=ClockCheckedTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
# config.worker adds its queue. If it is empty, the tasks of all queues are loaded.
served_queues: set[str] = set()


def _packages_with_tasks() -> list[str]:
    """Of the served queues alone (CELERY_TASK_ROUTES): the money worker needs no aiohttp, and the
    pump no services of products. That is 15 MB in each of them.
    """
    names = [one.name for one in apps.get_app_configs()]
    if not served_queues:
        return names
    by_queue = {True: "webhooks", False: "default"}
    return [name for name in names if by_queue[name == "webhooks"] in served_queues]


app.autodiscover_tasks(_packages_with_tasks)


@setup_logging.connect
def _keep_django_logging(**_: object) -> None:
    """Keeps Celery from replacing the configuration of logs."""


@worker_ready.connect
def _send_first_heartbeat(sender: object, **_: object) -> None:
    """Lets /readyz succeed before beat sends its first task.

    Workers have the names money@ and pump@.
    """
    from payments.core import clock_skew
    from payments.core.tasks import beat

    name = str(getattr(sender, "hostname", "")).partition("@")[0]
    clock_skew.watch(name)
    beat(name)


@task_prerun.connect
def _bind_request_id(task: Task, **_: object) -> None:
    """Adds the task and the id of the request that caused it to every log line."""
    request_id = getattr(task.request, "request_id", None)
    structlog.contextvars.bind_contextvars(task=task.name)
    if request_id:
        structlog.contextvars.bind_contextvars(request_id=request_id)


@task_postrun.connect
def _unbind_request_id(**_: object) -> None:
    structlog.contextvars.unbind_contextvars("task", "request_id")
