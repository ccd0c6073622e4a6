"""The cache of the rate limits, with one round trip to Redis for each counted request.

django-ratelimit calls `add` and, unless a window begins, `incr`. Django's cache sends three
commands for them, each with a new client. Here `add` counts in one script, and `incr` returns the
result.
"""

from functools import cached_property
from typing import Any

from redis.commands.core import Script

from payments.core.redis_cache import KeptRedisCache

# One script runs both commands, so that every counter has an expiry.
_COUNT = """
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return count
"""


class CounterCache(KeptRedisCache):
    """Named by settings.RATELIMIT_USE_CACHE.

    If a connection breaks after Redis has counted, the retry counts the request twice.
    """

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._counted: dict[str, int] = {}

    def add(self, key: str, value: object, timeout: Any = None, version: int | None = None) -> bool:
        """Counts one request. Returns whether it was the first of its `timeout` seconds."""
        if value != 1:
            raise ValueError("A counter begins with the request that it counts.")
        name = self.make_and_validate_key(key, version=version)
        self._counted = {key: int(self._count(keys=[name], args=[int(timeout)]))}
        return self._counted[key] == 1

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Returns the result of the preceding `add`. Raises KeyError without one."""
        return self._counted.pop(key)

    @cached_property
    def _count(self) -> Script:
        script: Script = self._cache.get_client(None, write=True).register_script(_COUNT)
        return script
