"""How long calls are kept."""

from datetime import datetime, timedelta
from time import monotonic

from django.conf import settings
from django.db import connection

# Small enough that each statement is short and vacuum keeps up; a day's rows go in a few runs.
BATCH_ROWS = 5_000
_DELETE = """
    DELETE FROM api_apicall WHERE id IN (
        SELECT id FROM api_apicall WHERE at < %s ORDER BY at LIMIT %s FOR UPDATE SKIP LOCKED
    )
"""


def delete_old(*, now: datetime) -> int:
    """Deletes what is older than API_LOG_DAYS, for at most SCANNER_BUDGET_SECONDS a run.

    Returns how many went.
    """
    before = now - timedelta(days=settings.API_LOG_DAYS)
    ends_at, total = monotonic() + settings.SCANNER_BUDGET_SECONDS, 0
    while monotonic() < ends_at:
        with connection.cursor() as cursor:
            cursor.execute(_DELETE, [before, BATCH_ROWS])
            total += cursor.rowcount
            if cursor.rowcount < BATCH_ROWS:
                break
    return total
