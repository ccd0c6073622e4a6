"""The cache of the rate limits, with one round trip to Redis for each counted request.

django-ratelimit calls `add` and, unless a window begins, `incr`. Django's cache sends three
commands for them, each with a new client. Here `add` counts in one script, and `incr` returns the
result.
"""

from functools import cached_property
from typing import Any, cast

from redis import Redis
from redis.commands.core import Script
from redis.exceptions import ConnectionError, NoScriptError

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
        self._counted = {key: self._run(name, int(timeout))}
        return self._counted[key] == 1

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Returns the result of the preceding `add`. Raises KeyError without one."""
        return self._counted.pop(key)

    def _run(self, name: str, seconds: int) -> int:
        """Sends the script's command by the thread's connection, without the client around it.

        The client's timing, locks and retries cost as much as the command. They are used where
        there is no connection, or it fails.
        """
        client = cast(Redis, self._count.registered_client)
        connection = client.connection
        if connection is not None:
            try:
                connection.send_command("EVALSHA", self._count.sha, 1, name, seconds)
                return int(connection.read_response())
            except (ConnectionError, NoScriptError):
                pass
        return int(self._count(keys=[name], args=[seconds]))

    @cached_property
    def _count(self) -> Script:
        script: Script = self._cache.get_client(None, write=True).register_script(_COUNT)
        return script
