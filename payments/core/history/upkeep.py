"""What beat starts: the coming months, and private tables whose months are over."""

from datetime import datetime

import structlog
from django.db import OperationalError, connection, transaction

from payments.core.history import conversion, layout, months, retirement
from payments.core.history.tables import HistoryTable, tables

log = structlog.get_logger(__name__)
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('history.upkeep', 0))"


def keep_up(*, now: datetime) -> None:
    """A table that is busy is left for the next time. It has months in store."""
    for table in tables():
        try:
            _keep_up(table, now)
        except OperationalError as error:
            log.warning("history.busy", table=table.table, error=str(error).partition("\n")[0])


@transaction.atomic
def _keep_up(table: HistoryTable, now: datetime) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_LOCK)
    if layout.is_partitioned(table.table):
        if made := months.make_months(table, now=now):
            log.info("history.months_made", table=table.table, partitions=made)
        if table.is_private:
            retirement.retire(table, now=now, directory=None)
    elif conversion.has_leftover(table, now=now):
        conversion.drop_leftover(table)
