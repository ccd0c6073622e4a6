"""Deletes old calls in short statements."""

from datetime import datetime, timedelta
from time import monotonic

from django.conf import settings
from django.db import connection

# Small, so that statements are short and vacuum keeps up.
BATCH_ROWS = 5_000
_DELETE = """
    DELETE FROM api_apicall WHERE id IN (
        SELECT id FROM api_apicall WHERE at < %s ORDER BY at LIMIT %s FOR UPDATE SKIP LOCKED
    )
"""


def delete_old(*, now: datetime) -> int:
    """Deletes rows older than API_LOG_DAYS for SCANNER_BUDGET_SECONDS at most. Returns how many."""
    before = now - timedelta(days=settings.API_LOG_DAYS)
    ends_at, total = monotonic() + settings.SCANNER_BUDGET_SECONDS, 0
    while monotonic() < ends_at:
        with connection.cursor() as cursor:
            cursor.execute(_DELETE, [before, BATCH_ROWS])
            total += cursor.rowcount
            if cursor.rowcount < BATCH_ROWS:
                break
    return total
