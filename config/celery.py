"""The Celery application. A message is only a wake-up: each job is a row in PostgreSQL.

Two queues: `default` (money and housekeeping) and `webhooks` (the pump, which runs for long).
"""

import os

import structlog
from celery import Celery, Task
from celery.signals import setup_logging, task_postrun, task_prerun, worker_ready
from kombu.transport.redis import Channel

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Celery runs Django's system checks at each start, for which a worker would load every route and
# view. `manage.py migrate` has run them before. Set it to the empty string to run them here too.
os.environ.setdefault("CELERY_SKIP_CHECKS", "true")

log = structlog.get_logger(__name__)

# Two workarounds for kombu 5.7, whose Redis transport ends a worker when Redis restarts while it
# holds a message. tests/config/test_workarounds.py fails when kombu no longer needs them.
# 1. Closing the channel returns the message over the connection that is lost. Nothing needs to be
#    returned: a scanner finds the row.
Channel.do_restore = False
# 2. A task that outlasts the connection acknowledges on a channel without one. The message comes
#    again, expired.
_basic_ack = Channel.basic_ack


def _ack_if_connected(channel: Channel, delivery_tag: str, multiple: bool = False) -> None:
    if channel.connection is not None:
        _basic_ack(channel, delivery_tag, multiple)


Channel.basic_ack = _ack_if_connected  # type: ignore[method-assign, assignment]


class ClockCheckedTask(Task):
    """Every task works by the time, so a worker whose clock is wrong runs none.

    Nothing is lost: a row that is due stays due, and another worker may take it.
    """

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
app.autodiscover_tasks()


@setup_logging.connect
def _keep_django_logging(**_: object) -> None:
    """Without a receiver Celery would replace the structured log configuration."""


@worker_ready.connect
def _send_first_heartbeat(sender: object, **_: object) -> None:
    """So that /readyz need not wait for beat. Workers are named money@ and pump@."""
    from payments.core import clock_skew
    from payments.core.tasks import beat

    name = str(getattr(sender, "hostname", "")).partition("@")[0]
    clock_skew.watch(name)
    beat(name)


@task_prerun.connect
def _bind_request_id(task: Task, **_: object) -> None:
    """Log lines of a task name the request that woke it up."""
    request_id = getattr(task.request, "request_id", None)
    structlog.contextvars.bind_contextvars(task=task.name)
    if request_id:
        structlog.contextvars.bind_contextvars(request_id=request_id)


@task_postrun.connect
def _unbind_request_id(**_: object) -> None:
    structlog.contextvars.unbind_contextvars("task", "request_id")
