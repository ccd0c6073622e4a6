"""Django's PostgreSQL backend with four changes.

- It finds a broken connection without a round trip, while CONN_HEALTH_CHECKS sends `SELECT 1` at
  each request. The idle socket of a connection that the server has closed is readable. What a
  socket does not show is checked by a query every CHECK_AFTER_SECONDS.
- A connection closes when its thread ends. Django's stay open until the next garbage collection,
  because they are in reference cycles.
- A refused write of a read-only session (a standby, `default_transaction_read_only`) is an
  OperationalError and closes the connection, because the next one may reach another server. A
  session that is read-only from its start serves one request.
- Tables get no second index for LIKE where the first one serves it (`schema.py`).
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
from psycopg.rows import TupleRow

from config.postgresql.schema import SchemaEditor
from config.postgresql.timestamptz import TimestamptzLoader

# For so long after a response the connection is checked by its socket only, without a query.
CHECK_AFTER_SECONDS = 10.0
# PostgreSQL reports these parameters of each session since version 14.
READ_ONLY = ("in_hot_standby", "default_transaction_read_only")


class _ThreadConnections(threading.local):
    """Referenced only by the thread, so that the connections are freed when it ends."""

    def __init__(self) -> None:
        self.connections: WeakKeyDictionary[DatabaseWrapper, _Closer] = WeakKeyDictionary()


class _Closer:
    def __init__(self, connection: Connection[TupleRow]) -> None:
        self._connection = connection
        self._pid = os.getpid()

    def __del__(self) -> None:
        # A forked child has copies of all sockets. If it closed them, the parent's sessions would
        # end.
        if self._pid == os.getpid():
            self._connection.close()


_thread = _ThreadConnections()


class _Errors(DatabaseErrorWrapper):
    """Raises OperationalError for a refused write, which Django reports as InternalError."""

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
    SchemaEditorClass = SchemaEditor
    _responded_at = 0.0
    _is_abandoned = False

    @cached_property
    def wrap_database_errors(self) -> DatabaseErrorWrapper:
        return _Errors(self)

    def abandon(self) -> None:
        """Closes the connection now, or after the rollback of the transaction."""
        self._is_abandoned = True
        if not self.in_atomic_block:
            self.close()

    def set_autocommit(self, autocommit: bool, *args: bool, **kwargs: bool) -> None:
        super().set_autocommit(autocommit, *args, **kwargs)
        if autocommit and self._is_abandoned:
            self.close()

    def close(self) -> None:
        self._is_abandoned = False
        super().close()

    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection[TupleRow]:
        connection: Connection[TupleRow] = super().get_new_connection(conn_params)
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
        # After an error, a look at the socket is not enough.
        is_recent = monotonic() - self._responded_at < CHECK_AFTER_SECONDS
        if is_recent and not self.errors_occurred and self._is_quiet():
            return True
        responded: bool = super().is_usable()
        if responded:
            self._responded_at = monotonic()
        return responded

    def _is_quiet(self) -> bool:
        """Between queries the socket is readable only if the server has closed it."""
        if self.connection.closed:
            return False
        poller = select.poll()
        poller.register(self.connection.fileno(), select.POLLIN)
        return not poller.poll(0)


def _is_read_only(connection: Connection[TupleRow]) -> bool:
    return any(connection.info.parameter_status(name) == "on" for name in READ_ONLY)
