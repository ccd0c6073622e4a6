"""Reads `timestamptz` with Python's own parser for ISO 8601.

Django's loader is written in Python: a regular expression, eleven groups and the arithmetic of two
time zones, seven times for an order. Sessions of Django speak UTC, and then the text that the
server sends is what `datetime.fromisoformat` reads.
"""

from datetime import UTC, datetime

from django.db.backends.postgresql.psycopg_any import BaseTzLoader
from psycopg.abc import Buffer
from psycopg.adapt import Loader


class _DjangosLoader(BaseTzLoader):
    timezone = UTC


class MomentLoader(Loader):
    """For connections whose `timezone`, as Django's backend looks it up here, is UTC."""

    timezone = UTC

    def load(self, data: Buffer) -> datetime:
        """The moment in UTC."""
        try:
            moment = datetime.fromisoformat(str(data, "ascii"))
        except ValueError:
            moment = None
        if moment is not None and moment.tzinfo is UTC:
            return moment
        # A session with another time zone, infinity, years that have more than four digits.
        found: datetime = _DjangosLoader(self.oid, self.connection).load(data)
        return found
