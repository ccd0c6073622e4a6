"""Parses `timestamptz` with `datetime.fromisoformat`.

psycopg's loader is Python code: a regular expression with eleven groups and two time zones, seven
times for an order. Django's sessions use UTC, whose text `fromisoformat` reads.
"""

from datetime import UTC, datetime

from django.db.backends.postgresql.psycopg_any import BaseTzLoader
from psycopg.abc import Buffer
from psycopg.adapt import Loader


class _DjangosLoader(BaseTzLoader):
    timezone = UTC


class TimestamptzLoader(Loader):
    """For connections whose `timezone`, as Django's backend looks it up here, is UTC."""

    timezone = UTC

    def load(self, data: Buffer) -> datetime:
        try:
            timestamp = datetime.fromisoformat(str(data, "ascii"))
        except ValueError:
            timestamp = None
        if timestamp is not None and timestamp.tzinfo is UTC:
            return timestamp
        # Another time zone, infinity, years with more than four digits.
        parsed: datetime = _DjangosLoader(self.oid, self.connection).load(data)
        return parsed
