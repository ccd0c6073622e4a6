"""Connections to Redis, kept by the process and lent to its threads."""

from functools import cache
from typing import Any, Self

from redis import ConnectionPool


class SharedPool(ConnectionPool):
    """One pool for each address; named by settings.CACHES.

    Django gives every thread a cache of its own with a pool of its own, and the web server makes
    threads as they are needed and ends them when they are not: each left its connections behind
    until the garbage collector came by.
    """

    @classmethod
    @cache
    def from_url(cls, url: str, **options: Any) -> Self:
        return super().from_url(url, **options)
