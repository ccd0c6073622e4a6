"""Reads from a copy of the database that may lag behind (DATABASE_REPLICA_URL).

For lists, statistics and exports. Never for a decision about money, for one record by its id, or
inside a transaction, which must see its own writes.
"""

import functools
from collections.abc import Callable
from contextvars import ContextVar
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connections, transaction
from psycopg.errors import QueryCanceled

from payments.core.failopen import FailOpen

REPLICA = "replica"
AWAY = (OperationalError, InterfaceError)
P = ParamSpec("P")
R = TypeVar("R")
_read_from: ContextVar[str] = ContextVar("read_from", default=DEFAULT_DB_ALIAS)
breaker = FailOpen("replica.away", AWAY)


class Router:
    """Reads inside `may_lag` go to the replica, everything else to the primary."""

    def db_for_read(self, model: object, **hints: object) -> str:
        return _read_from.get()

    def db_for_write(self, model: object, **hints: object) -> str:
        return DEFAULT_DB_ALIAS

    def allow_relation(self, first: object, second: object, **hints: object) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: object) -> bool:
        return db == DEFAULT_DB_ALIAS


def may_lag(read: Callable[P, R]) -> Callable[P, R]:
    """For a function that only reads, all before it returns. Without the replica: the primary."""

    @functools.wraps(read)
    def routed(*args: P.args, **kwargs: P.kwargs) -> R:
        if _is_away() or transaction.get_connection().in_atomic_block:
            return read(*args, **kwargs)
        token = _read_from.set(REPLICA)
        try:
            return read(*args, **kwargs)
        except AWAY as error:
            if isinstance(error.__cause__, QueryCanceled):
                raise  # a query that is too slow here must not slow down the primary
            breaker.pause(error)
            connections[REPLICA].close()
        finally:
            _read_from.reset(token)
        return read(*args, **kwargs)

    return routed


def _is_away() -> bool:
    return REPLICA not in settings.DATABASES or breaker.is_paused
