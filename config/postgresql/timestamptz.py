"""Parses `timestamptz` with `datetime.fromisoformat`, which is faster than psycopg's loader.

psycopg's is Python code with a regular expression, and runs seven times for an order.
"""

from datetime import UTC, datetime

from django.db.backends.postgresql.psycopg_any import BaseTzLoader
from psycopg.abc import Buffer
from psycopg.adapt import Loader


class _DjangosLoader(BaseTzLoader):
    timezone = UTC


class TimestamptzLoader(Loader):
    """For sessions in UTC. Django's backend reads `timezone` from here."""

    timezone = UTC

    def load(self, data: Buffer) -> datetime:
        try:
            timestamp = datetime.fromisoformat(str(data, "ascii"))
        except ValueError:
            timestamp = None
        if timestamp is not None and timestamp.tzinfo is UTC:
            return timestamp
        # psycopg's loader reads other time zones, infinity, and years of more than four digits.
        parsed: datetime = _DjangosLoader(self.oid, self.connection).load(data)
        return parsed
