"""Django's cache in Redis, with a client that each thread keeps.

Django makes a new client for each command, which takes longer than the command.
"""

from functools import cached_property
from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError
from redis.retry import Retry

# Redis closes connections at a restart, or when they are idle. A timeout is not retried.
ONCE_MORE = Retry(NoBackoff(), retries=1, supported_errors=(ConnectionError,))


class _KeptClient(RedisCacheClient):
    @cached_property
    def _kept(self) -> Redis:
        # The connection, too: to borrow one from the pool costs as much as the command.
        pool = super().get_client(None, write=True).connection_pool
        return Redis(connection_pool=pool, single_connection_client=True)

    def get_client(self, key: object = None, *, write: bool = False) -> Redis:
        return self._kept


class KeptRedisCache(RedisCache):
    """For one server. Django gives each thread an instance of its own."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        options = {"retry": ONCE_MORE, **params.get("OPTIONS", {})}
        super().__init__(server, {**params, "OPTIONS": options})
        self._class = _KeptClient
