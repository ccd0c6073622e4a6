"""One statement at a time for each merchant: 10,000 movements cost a web thread about a second.

The turn is a key in Redis that expires by itself: a web worker that is killed gives it back after
EXPIRES_SECONDS, and one that still writes keeps it. Not a lock of the database: behind a pooler a
session has none, and a transaction would stay open for as long as the reader is slow. With Redis
away everybody has a turn, as with the limits.
"""

import secrets
import time
from collections.abc import Iterator
from typing import Any

from django.core.cache import cache

from payments.api import limits

EXPIRES_SECONDS = 30
RENEW_SECONDS = 5.0
RETRY_AFTER_SECONDS = 5


class StatementUnderWay(limits.RateLimitExceeded):
    """429: the merchant's last statement is still being sent."""

    message = "A statement of this account is being made. Ask again when it is done."


class StatementLock:
    """What a merchant has while a statement is made. Closed by whoever sends it, in any case."""

    def __init__(self, merchant_id: str) -> None:
        """Raises StatementUnderWay."""
        self._key = f"statement:{merchant_id}"
        self._token = secrets.token_hex(8)
        self._renewed_at = time.monotonic()
        taken = limits.breaker.call(lambda: cache.add(self._key, self._token, EXPIRES_SECONDS))
        if taken is False:  # None: Redis is away
            raise StatementUnderWay(headers={"Retry-After": str(RETRY_AFTER_SECONDS)})

    def keep(self) -> None:
        """To be called while it is made: the key lives on."""
        if time.monotonic() - self._renewed_at >= RENEW_SECONDS:
            self._renewed_at = time.monotonic()
            limits.breaker.call(lambda: cache.touch(self._key, EXPIRES_SECONDS))

    def close(self) -> None:
        """The next one may begin. A key that expired meanwhile may be another's."""
        if limits.breaker.call(lambda: cache.get(self._key)) == self._token:
            limits.breaker.call(lambda: cache.delete(self._key))


class LockedStream:
    """The lines of a file, whose end or loss ends the turn.

    No generator: Django closes what it streams also when nobody asked for the first line, and a
    generator that never began runs nothing.
    """

    def __init__(self, lines: Iterator[str], turn: StatementLock) -> None:
        self._lines = lines
        self._turn = turn

    def __iter__(self) -> "LockedStream":
        return self

    def __next__(self) -> str:
        self._turn.keep()
        return next(self._lines)

    def close(self, *_: Any) -> None:
        """By the web server, when all is sent or the client has gone."""
        self._turn.close()
