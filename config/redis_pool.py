"""Redis connections that all threads of a process share."""

from functools import cache
from typing import Self

from redis import ConnectionPool


class SharedPool(ConnectionPool):
    """One pool for each address, for settings.CACHES.

    Django gives each thread its own pool, whose connections stay open after the thread's end until
    the next garbage collection.
    """

    @classmethod
    @cache
    def from_url(cls, url: str, **options: object) -> Self:
        return super().from_url(url, **options)
