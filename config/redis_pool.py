"""Redis connections that all threads of a process share."""

from functools import cache
from typing import Self

from redis import ConnectionPool


class SharedPool(ConnectionPool):
    """One pool per address, for settings.CACHES.

    Django gives each thread its own cache with its own pool: a thread that ended left connections
    open until the next garbage collection.
    """

    @classmethod
    @cache
    def from_url(cls, url: str, **options: object) -> Self:
        return super().from_url(url, **options)
