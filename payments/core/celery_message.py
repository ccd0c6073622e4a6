"""Writes a task's message to Redis as Celery does, without Celery.

A web worker only sends wake-ups, and Celery and kombu would take 7 MB of its memory.
tests/core/test_celery_message.py compares both messages.
"""

import base64
import json
import threading
import uuid
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatch
from typing import Any

from django.conf import settings
from redis import Redis

# kombu keeps a list for each of these priorities, and adds the number to the queue's name.
PRIORITIES = (0, 3, 6, 9)
SEPARATOR = "\x06\x16"
_SCHEMES = ("redis://", "rediss://")
_NO_CALLBACKS = {"callbacks": None, "errbacks": None, "chain": None, "chord": None}
_thread = threading.local()


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    task: str
    args: tuple[object, ...]
    expires_seconds: float
    priority: int
    headers: Mapping[str, str] = field(default_factory=dict)


def push(message: Message) -> bool:
    """Returns False if the broker is not Redis. Raises RedisError."""
    if not settings.CELERY_BROKER_URL.startswith(_SCHEMES):
        return False
    queue = queue_of(message.task)
    _redis().lpush(key_of(queue, message.priority), json.dumps(envelope(message, queue)))
    return True


def queue_of(task: str) -> str:
    for pattern, route in settings.CELERY_TASK_ROUTES.items():
        if fnmatch(task, pattern):
            return str(route["queue"])
    return str(settings.CELERY_TASK_DEFAULT_QUEUE)


def key_of(queue: str, priority: int) -> str:
    prefix = settings.CELERY_BROKER_TRANSPORT_OPTIONS["global_keyprefix"]
    step = PRIORITIES[bisect_right(PRIORITIES, priority) - 1]
    return f"{prefix}{queue}{SEPARATOR}{step}" if step else f"{prefix}{queue}"


def envelope(message: Message, queue: str) -> dict[str, Any]:
    """The second version of Celery's protocol, in the form of kombu's virtual transports."""
    task_id = str(uuid.uuid4())
    expires = datetime.now(UTC) + timedelta(seconds=message.expires_seconds)
    body = json.dumps([message.args, {}, _NO_CALLBACKS]).encode()
    return {
        "body": base64.b64encode(body).decode(),
        "content-encoding": "utf-8",
        "content-type": "application/json",
        "headers": {
            "lang": "py",
            "task": message.task,
            "id": task_id,
            "root_id": task_id,
            "parent_id": None,
            "group": None,
            "eta": None,
            "expires": expires.isoformat(),
            "retries": 0,
            "timelimit": [None, None],
            "argsrepr": repr(message.args),
            "kwargsrepr": "{}",
            **message.headers,
        },
        "properties": {
            "correlation_id": task_id,
            "reply_to": "",
            "delivery_mode": 2,
            "delivery_info": {"exchange": "", "routing_key": queue},
            "priority": message.priority,
            "body_encoding": "base64",
            "delivery_tag": str(uuid.uuid4()),
        },
    }


def _redis() -> Redis:
    """A connection for each thread: the sender has one. redis-py connects again after a fork."""
    client: Redis | None = getattr(_thread, "client", None)
    if client is None:
        options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
        client = _thread.client = Redis.from_url(
            settings.CELERY_BROKER_URL,
            socket_timeout=options["socket_timeout"],
            socket_connect_timeout=options["socket_connect_timeout"],
        )
    return client
