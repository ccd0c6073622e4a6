"""A wake-up is written to Redis without Celery, and is what Celery itself would write."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from kombu import Queue
from redis import Redis

from config.celery import app
from payments.core import celery_message, jobs
from payments.core.celery_message import Message

TASKS = ("payments.payout.tasks.send_payout", "webhooks.tasks.dispatch")


def written(key: str) -> dict[str, Any]:
    (raw,) = Redis.from_url(settings.CELERY_BROKER_URL).lrange(key, 0, -1)
    Redis.from_url(settings.CELERY_BROKER_URL).delete(key)
    found: dict[str, Any] = json.loads(raw)
    return found


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("priority", [0, 2, 3, 6, 8, 9])
def test_it_lies_where_celery_puts_it_and_says_the_same(task: str, priority: int) -> None:
    key = celery_message.key_of(celery_message.queue_of(task), priority)
    Redis.from_url(settings.CELERY_BROKER_URL).delete(key)
    headers = {"request_id": "req_1"}
    options: dict[str, Any] = {"expires": 60, "priority": priority, "headers": headers}
    app.send_task(task, ("po_1",), retry=False, **options)
    theirs = written(key)
    made = Message(
        task=task, args=("po_1",), expires_seconds=60, priority=priority, headers=headers
    )
    assert celery_message.push(made)
    ours = written(key)

    assert ours["body"] == theirs["body"]
    for name in ("content-type", "content-encoding"):
        assert ours[name] == theirs[name]
    own_values = {"id", "root_id", "expires", "argsrepr"}
    for name in ours["headers"].keys() - own_values:
        assert ours["headers"][name] == theirs["headers"][name], name
    assert ours["headers"].keys() <= theirs["headers"].keys()
    # Nothing answers: results are ignored.
    for name in ("priority", "body_encoding", "delivery_mode"):
        assert ours["properties"][name] == theirs["properties"][name], name
    assert ours["properties"].keys() <= theirs["properties"].keys()


def test_a_worker_reads_it_and_knows_the_request_and_the_end() -> None:
    jobs._send_to_celery(("payments.payout.tasks.send_payout", ("po_7",)), "req_7")
    with app.connection_for_read() as connection:
        message = Queue("default")(connection.default_channel).get(no_ack=True)
    assert message.decode()[:2] == [["po_7"], {}]
    assert message.headers["request_id"] == "req_7"
    left = datetime.fromisoformat(message.headers["expires"]) - datetime.now(UTC)
    assert timedelta(seconds=30) < left <= timedelta(seconds=60)


def test_another_broker_is_left_to_celery(settings: Any) -> None:
    settings.CELERY_BROKER_URL = "amqp://broker.invalid"
    made = Message(task=TASKS[0], args=(), expires_seconds=60, priority=6)
    assert not celery_message.push(made)
