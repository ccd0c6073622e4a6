"""Django's own backend, but for how a kept connection is found to be broken, and its end.

CONN_HEALTH_CHECKS sends `SELECT 1` before the first query of each request: a round trip, of which
a hot request makes two or three. A server that restarted, stopped or threw us out has closed the
connection, and the socket says so by itself: whatever waits to be read on an idle connection is a
farewell. What a socket does not know (a router that forgot the connection) is asked for as before,
but not at each request.

The web server makes threads as they are needed and ends them when they are not. Django keeps a
connection for each thread in objects that refer to each other, so that the connection of a thread
that has ended stays open until the garbage collector comes by; here it ends with its thread.

A session that may not write (a standby after a failover, `default_transaction_read_only`) stays so
for as long as it is open, also when the database takes writes again. Its refusal counts as a
database that is away, and its connection is closed at once: the next one may reach another server.
One that says of itself that it may only read serves one request.
"""

import os
import select
import threading
from datetime import UTC
from time import monotonic
from typing import Any
from weakref import WeakKeyDictionary

from django.db import DEFAULT_DB_ALIAS, OperationalError
from django.db.backends.postgresql import base
from django.db.utils import DatabaseErrorWrapper
from django.utils.functional import cached_property
from psycopg.errors import ReadOnlySqlTransaction

from config.postgresql.moments import MomentLoader

# How long the socket's word is taken before the server is asked again.
ASK_AFTER_SECONDS = 10.0
# PostgreSQL says these of each session by itself, since version 14.
READ_ONLY = ("in_hot_standby", "default_transaction_read_only")


class _EndsWithThread(threading.local):
    """What this thread alone refers to, and therefore goes when the thread does."""

    def __init__(self) -> None:
        self.connections: WeakKeyDictionary[DatabaseWrapper, _Open] = WeakKeyDictionary()


class _Open:
    """A connection that is closed when nobody holds this any more."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._pid = os.getpid()

    def __del__(self) -> None:
        # A fork's child has none of the other threads, but the sockets of them all: what it said
        # there, the parent's server would hear.
        if self._pid == os.getpid():
            self._connection.close()


_thread = _EndsWithThread()


class _Errors(DatabaseErrorWrapper):
    """Django's translation of the driver's errors, in which a refusal to write is InternalError."""

    wrapper: "DatabaseWrapper"

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if kind is not None and issubclass(kind, ReadOnlySqlTransaction):
            self.wrapper.abandon()
            raise OperationalError(*error.args).with_traceback(traceback) from error
        super().__exit__(kind, error, traceback)


class DatabaseWrapper(base.DatabaseWrapper):
    """The backend named by settings.DATABASES."""

    _answered_at = 0.0
    _is_abandoned = False

    @cached_property
    def wrap_database_errors(self) -> DatabaseErrorWrapper:
        """Around every call of the driver."""
        return _Errors(self)

    def abandon(self) -> None:
        """Closes the connection now or, inside a transaction, when that is rolled back."""
        self._is_abandoned = True
        if not self.in_atomic_block:
            self.close()

    def set_autocommit(self, autocommit: bool, *args: Any, **kwargs: Any) -> None:
        """Where the outermost transaction ends."""
        super().set_autocommit(autocommit, *args, **kwargs)
        if autocommit and self._is_abandoned:
            self.close()

    def close(self) -> None:
        """The next query opens another connection."""
        self._is_abandoned = False
        super().close()

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A connection that has just been made has been answered."""
        made = super().get_new_connection(conn_params)
        if self.timezone is UTC:
            made.adapters.register_loader("timestamptz", MomentLoader)
        self._answered_at = monotonic()
        self._is_abandoned = False
        # Not of a replica, which is there to be read from.
        if self.alias == DEFAULT_DB_ALIAS and _is_read_only(made):
            self.close_at = self._answered_at
        _thread.connections[self] = _Open(made)
        return made

    def is_usable(self) -> bool:
        """Whether the connection can serve another request. Never raises."""
        if self.connection is None:
            return False
        # After an error only the server's own answer counts.
        fresh = monotonic() - self._answered_at < ASK_AFTER_SECONDS
        if fresh and not self.errors_occurred and self._is_quiet():
            return True
        answered: bool = super().is_usable()
        if answered:
            self._answered_at = monotonic()
        return answered

    def _is_quiet(self) -> bool:
        """Whether nothing waits to be read, as it should be between two queries."""
        if self.connection.closed:
            return False
        poller = select.poll()
        poller.register(self.connection.fileno(), select.POLLIN)
        return not poller.poll(0)


def _is_read_only(connection: Any) -> bool:
    return any(connection.info.parameter_status(name) == "on" for name in READ_ONLY)
