"""Reading from a copy of the database that may be a moment behind (DATABASE_REPLICA_URL).

For lists, statistics and exports: questions whose answer is old by the time it is read anyway.
Never for a decision about money, for one record by its id, or inside a transaction, which must see
what it has written itself.
"""

import functools
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

from django.conf import settings
from django.db import (
    DEFAULT_DB_ALIAS,
    InterfaceError,
    OperationalError,
    connections,
    transaction,
)
from psycopg.errors import QueryCanceled

from payments.core.failopen import FailOpen

REPLICA = "replica"
AWAY = (OperationalError, InterfaceError)
P = ParamSpec("P")
R = TypeVar("R")
_read_from: ContextVar[str] = ContextVar("read_from", default=DEFAULT_DB_ALIAS)
breaker = FailOpen("replica.away", AWAY)


class Router:
    """Django asks it for every query of the ORM: reads go where `may_lag` says, writes never do."""

    def db_for_read(self, model: Any, **hints: Any) -> str:
        """The replica inside `may_lag`."""
        return _read_from.get()

    def db_for_write(self, model: Any, **hints: Any) -> str:
        """The primary."""
        return DEFAULT_DB_ALIAS

    def allow_relation(self, first: Any, second: Any, **hints: Any) -> bool:
        """Both hold the same rows."""
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        """What is migrated on the primary arrives by itself."""
        return db == DEFAULT_DB_ALIAS


def may_lag(read: Callable[P, R]) -> Callable[P, R]:
    """A function that only reads, and all of it before it returns, may be a moment behind.

    With the replica away it reads from the primary, and the log says so.
    """

    @functools.wraps(read)
    def routed(*args: P.args, **kwargs: P.kwargs) -> R:
        if _is_away() or transaction.get_connection().in_atomic_block:
            return read(*args, **kwargs)
        token = _read_from.set(REPLICA)
        try:
            return read(*args, **kwargs)
        except AWAY as error:
            if isinstance(error.__cause__, QueryCanceled):
                raise  # too slow is too slow: the primary is not to suffer from it, too
            breaker.pause(error)
            connections[REPLICA].close()
        finally:
            _read_from.reset(token)
        return read(*args, **kwargs)

    return routed


def _is_away() -> bool:
    return REPLICA not in settings.DATABASES or breaker.is_paused
