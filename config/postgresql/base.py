"""Django's PostgreSQL backend with three changes.

- A broken connection is found without a round trip. CONN_HEALTH_CHECKS sends `SELECT 1` before the
  first query of each request; a hot request has two or three queries. A server that restarted or
  stopped has closed the connection, so its idle socket is readable. What a socket does not show (a
  router that dropped the connection) is still checked by a query, every CHECK_AFTER_SECONDS.
- A connection closes when its thread ends. Django keeps connections in reference cycles, so they
  would stay open until the next garbage collection.
- A read-only session (a standby after a failover, `default_transaction_read_only`) stays read-only
  until it is closed. A refused write is an OperationalError, as if the database were unavailable,
  and closes the connection: the next one may reach another server. A session that reports at its
  start that it is read-only serves one request.
"""

import os
import select
import threading
from datetime import UTC
from time import monotonic
from types import TracebackType
from typing import Any
from weakref import WeakKeyDictionary

from django.db import DEFAULT_DB_ALIAS, OperationalError
from django.db.backends.postgresql import base
from django.db.utils import DatabaseErrorWrapper
from django.utils.functional import cached_property
from psycopg import Connection
from psycopg.errors import ReadOnlySqlTransaction

from config.postgresql.timestamptz import TimestamptzLoader

# How long the socket alone is trusted.
CHECK_AFTER_SECONDS = 10.0
# PostgreSQL reports these parameters of each session since version 14.
READ_ONLY = ("in_hot_standby", "default_transaction_read_only")


class _ThreadConnections(threading.local):
    """Only the thread refers to these, so they are freed when it ends."""

    def __init__(self) -> None:
        self.connections: WeakKeyDictionary[DatabaseWrapper, _Closer] = WeakKeyDictionary()


class _Closer:
    def __init__(self, connection: Connection[Any]) -> None:
        self._connection = connection
        self._pid = os.getpid()

    def __del__(self) -> None:
        # A forked child has the sockets of all threads: closing them would end the sessions of the
        # parent.
        if self._pid == os.getpid():
            self._connection.close()


_thread = _ThreadConnections()


class _Errors(DatabaseErrorWrapper):
    """Django makes an InternalError of a refused write."""

    wrapper: "DatabaseWrapper"

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if isinstance(error, ReadOnlySqlTransaction):
            self.wrapper.abandon()
            raise OperationalError(*error.args).with_traceback(traceback) from error
        super().__exit__(kind, error, traceback)


class DatabaseWrapper(base.DatabaseWrapper):
    _responded_at = 0.0
    _is_abandoned = False

    @cached_property
    def wrap_database_errors(self) -> DatabaseErrorWrapper:
        return _Errors(self)

    def abandon(self) -> None:
        """Closes the connection now or, inside a transaction, when that is rolled back."""
        self._is_abandoned = True
        if not self.in_atomic_block:
            self.close()

    def set_autocommit(self, autocommit: bool, *args: Any, **kwargs: Any) -> None:
        super().set_autocommit(autocommit, *args, **kwargs)
        if autocommit and self._is_abandoned:
            self.close()

    def close(self) -> None:
        self._is_abandoned = False
        super().close()

    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection[Any]:
        connection: Connection[Any] = super().get_new_connection(conn_params)
        if self.timezone is UTC:
            connection.adapters.register_loader("timestamptz", TimestamptzLoader)
        self._responded_at = monotonic()
        self._is_abandoned = False
        # A replica is always read-only.
        if self.alias == DEFAULT_DB_ALIAS and _is_read_only(connection):
            self.close_at = self._responded_at
        _thread.connections[self] = _Closer(connection)
        return connection

    def is_usable(self) -> bool:
        """Never raises."""
        if self.connection is None:
            return False
        # After an error only a query counts.
        is_recent = monotonic() - self._responded_at < CHECK_AFTER_SECONDS
        if is_recent and not self.errors_occurred and self._is_quiet():
            return True
        responded: bool = super().is_usable()
        if responded:
            self._responded_at = monotonic()
        return responded

    def _is_quiet(self) -> bool:
        """Between two queries the socket has nothing to read, unless the server closed it."""
        if self.connection.closed:
            return False
        poller = select.poll()
        poller.register(self.connection.fileno(), select.POLLIN)
        return not poller.poll(0)


def _is_read_only(connection: Connection[Any]) -> bool:
    return any(connection.info.parameter_status(name) == "on" for name in READ_ONLY)
