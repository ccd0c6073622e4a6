"""The cache that the rate limits count in keeps a connection, and survives its end."""

import uuid
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.core.cache import caches
from redis import Redis

from payments.api.ratelimit_cache import CounterCache


@pytest.fixture
def counter() -> Iterator[CounterCache]:
    """An instance with a connection of its own, from the pool that all share."""
    made = caches.create_connection("limits")
    assert isinstance(made, CounterCache)
    yield made
    made._count.registered_client.close()


def count(counter: CounterCache, key: str) -> int:
    """As django-ratelimit does it."""
    return 1 if counter.add(key, 1, timeout=60) else counter.incr(key)


def test_one_connection_counts_all(counter: CounterCache) -> None:
    key = uuid.uuid4().hex
    assert count(counter, key) == 1
    own = counter._count.registered_client.connection
    assert own is not None
    socket = own._sock
    assert [count(counter, key) for _ in range(3)] == [2, 3, 4]
    assert own._sock is socket


def test_a_connection_that_was_closed_is_opened_again(counter: CounterCache) -> None:
    key = uuid.uuid4().hex
    assert count(counter, key) == 1
    own = counter._count.registered_client.connection
    assert own is not None
    host, port = own._sock.getsockname()
    with Redis.from_url(settings.REDIS_URL) as redis:
        assert redis.client_kill(f"{host}:{port}")
    assert count(counter, key) == 2


def test_scripts_that_redis_has_lost_are_sent_again(counter: CounterCache) -> None:
    key = uuid.uuid4().hex
    assert count(counter, key) == 1
    with Redis.from_url(settings.REDIS_URL) as redis:
        assert redis.script_flush()
    assert [count(counter, key), count(counter, key)] == [2, 3]
