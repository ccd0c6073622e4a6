"""One statement at a time for each merchant: 10,000 movements cost a web thread about a second.

The lock is a key in Redis: it expires EXPIRES_SECONDS after a web worker was killed, and a worker
that still writes renews it. A database lock would not do: behind a pooler a session has none, and a
transaction would stay open while the reader is slow. Without Redis there is no lock, as with the
limits.
"""

import secrets
import time
from collections.abc import Iterator

from django.core.cache import cache

from payments.api import limits

EXPIRES_SECONDS = 30
RENEW_SECONDS = 5.0
RETRY_AFTER_SECONDS = 5


class StatementUnderWay(limits.RateLimitExceeded):
    """429: another statement of the merchant is still being sent."""

    message = "A statement of this account is being made. Ask again when it is done."


class StatementLock:
    """The sender of the statement closes it, in any case."""

    def __init__(self, merchant_id: str) -> None:
        """Raises StatementUnderWay."""
        self._key = f"statement:{merchant_id}"
        self._token = secrets.token_hex(8)
        self._renewed_at = time.monotonic()
        taken = limits.breaker.call(lambda: cache.add(self._key, self._token, EXPIRES_SECONDS))
        if taken is False:  # None: Redis is away
            raise StatementUnderWay(headers={"Retry-After": str(RETRY_AFTER_SECONDS)})

    def keep(self) -> None:
        """Renews the key while the statement is made."""
        if time.monotonic() - self._renewed_at >= RENEW_SECONDS:
            self._renewed_at = time.monotonic()
            limits.breaker.call(lambda: cache.touch(self._key, EXPIRES_SECONDS))

    def close(self) -> None:
        """A key that has expired may belong to another statement."""
        if limits.breaker.call(lambda: cache.get(self._key)) == self._token:
            limits.breaker.call(lambda: cache.delete(self._key))


class LockedStream:
    """The lines of a file; its end or loss closes the lock.

    No generator: Django closes a stream also before its first line was read, and a generator that
    never began runs nothing.
    """

    def __init__(self, lines: Iterator[str], lock: StatementLock) -> None:
        self._lines = lines
        self._lock = lock

    def __iter__(self) -> "LockedStream":
        return self

    def __next__(self) -> str:
        self._lock.keep()
        return next(self._lines)

    def close(self, *_: object) -> None:
        """Called by the web server, when all is sent or the client has gone."""
        self._lock.close()
