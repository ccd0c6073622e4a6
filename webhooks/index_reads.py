"""Statements whose cost must not grow with the backlog, whatever the planner's statistics say.

A table that was analysed while nothing was pending tells the planner that the partial index of due
rows is empty. It then sorts the whole index for each destination, instead of reading one row of it.
Without sorts and sequential scans only the index with the right order is left.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

# Until the end of the transaction, so that a pooler lends the connection on without them.
_SETTINGS = """
SELECT set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true)
"""


@contextmanager
def index_reads() -> Iterator[CursorWrapper]:
    """One transaction."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_SETTINGS)
        yield cursor
