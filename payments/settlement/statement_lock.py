"""One statement at a time for each merchant: 10,000 movements cost a web thread about a second.

The lock is a key in Redis, which a worker renews while it writes, and which expires
EXPIRES_SECONDS after the worker was killed. A lock in the database would need a session, which a
pooler does not keep, or a transaction that stays open while the reader is slow. Without Redis there
is no lock, like the rate limits.
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
    """The sender of the statement must close it, also after an error."""

    def __init__(self, merchant_id: str) -> None:
        """Raises StatementUnderWay."""
        self._key = f"statement:{merchant_id}"
        self._token = secrets.token_hex(8)
        self._renewed_at = time.monotonic()
        taken = limits.breaker.call(lambda: cache.add(self._key, self._token, EXPIRES_SECONDS))
        if taken is False:  # None: Redis is unavailable
            raise StatementUnderWay(headers={"Retry-After": str(RETRY_AFTER_SECONDS)})

    def keep(self) -> None:
        """Renews the key while the statement is made."""
        if time.monotonic() - self._renewed_at >= RENEW_SECONDS:
            self._renewed_at = time.monotonic()
            limits.breaker.call(lambda: cache.touch(self._key, EXPIRES_SECONDS))

    def close(self) -> None:
        """Leaves the key alone if it expired and belongs to another statement now."""
        if limits.breaker.call(lambda: cache.get(self._key)) == self._token:
            limits.breaker.call(lambda: cache.delete(self._key))


class LockedStream:
    """The lines of a file. Django closes it when all is sent or the client has gone, and it closes
    the lock.

    It is no generator: a generator that is closed before its first line runs nothing.
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
        self._lock.close()
