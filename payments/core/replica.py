"""Reads from a replica that may lag behind (DATABASE_REPLICA_URL).

For lists, statistics and exports only: not for decisions about money, not for one record by its id,
and not inside a transaction, which must see its own writes.
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
    """Sends reads inside `may_lag` to the replica and everything else to the primary."""

    def db_for_read(self, model: object, **hints: object) -> str:
        return _read_from.get()

    def db_for_write(self, model: object, **hints: object) -> str:
        return DEFAULT_DB_ALIAS

    def allow_relation(self, first: object, second: object, **hints: object) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: object) -> bool:
        return db == DEFAULT_DB_ALIAS


def may_lag(read: Callable[P, R]) -> Callable[P, R]:
    """Decorates a function that only reads and evaluates all querysets before it returns.

    It reads from the primary when there is no replica or the replica is unavailable.
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
                raise  # a slow query must not run again on the primary
            breaker.pause(error)
            connections[REPLICA].close()
        finally:
            _read_from.reset(token)
        return read(*args, **kwargs)

    return routed


def _is_away() -> bool:
    return REPLICA not in settings.DATABASES or breaker.is_paused
