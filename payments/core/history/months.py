"""Makes the partitions of the coming months."""

from datetime import datetime

from django.conf import settings
from django.db.backends.utils import CursorWrapper

from payments.core.history import layout
from payments.core.history.tables import HistoryTable, month_of, months_later

# No service was away for longer.
_MOST = 120


def make_months(table: HistoryTable, *, now: datetime) -> list[str]:
    """Up to HISTORY_MONTHS_AHEAD after this one. Returns the names of those that it made.

    Rows of such a month are in the default partition, and move to the new one.
    """
    made = []
    for month in _missing(table, now):
        with layout.alteration() as cursor:
            _make(cursor, table, month)
        made.append(table.partition(month))
    return made


def _missing(table: HistoryTable, now: datetime) -> list[datetime]:
    """From the end of the newest partition on, so that no month is left out."""
    newest = layout.partitions(table)[-1:]
    month = months_later(month_of(now), settings.HISTORY_MONTHS_AHEAD)
    missing: list[datetime] = []
    while len(missing) < _MOST and not (newest and table.is_within(month, newest[0].below)):
        missing.append(month)
        month = months_later(month, -1)
        if not newest and month < month_of(now):
            break
    return missing[::-1]


def _make(cursor: CursorWrapper, table: HistoryTable, month: datetime) -> None:
    name, default = table.partition(month), table.default
    first, below = table.literal(month), table.literal(months_later(month, 1))
    layout.create_partition(cursor, table, name)
    # Nothing is inserted between the move and the attachment, which locks the default partition
    # in the same way.
    cursor.execute(f"LOCK TABLE {default} IN ACCESS EXCLUSIVE MODE")
    cursor.execute(f"SELECT EXISTS (SELECT FROM {default} WHERE id >= {first} AND id < {below})")
    if cursor.fetchone()[0]:
        move(cursor, default, name, f"id >= {first} AND id < {below}")
    layout.attach(cursor, table, name, f"FOR VALUES FROM ({first}) TO ({below})")


def move(cursor: CursorWrapper, source: str, target: str, condition: str) -> None:
    """The triggers of `source` refuse to delete; the rows keep their values."""
    with layout.without_triggers(cursor, source):
        cursor.execute(
            f"WITH moved AS (DELETE FROM {source} WHERE {condition} RETURNING *)"
            f" INSERT INTO {target} SELECT * FROM moved"
        )
