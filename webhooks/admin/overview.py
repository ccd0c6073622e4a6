"""Webhooks of 24 hours on the first page of the console."""

from datetime import datetime
from typing import Any

from django.db import connection

from payments.console.overview import NOW_SECONDS, Overview, created_since, limit_to_scope
from payments.console.tenancy import Scope
from payments.core import days
from webhooks import schedule
from webhooks.models import Delivery, Status

# The count has a limit, because usually few rows are pending.
_PENDING_SQL = """
SELECT count(*), min(created_at) FROM (
    SELECT created_at FROM webhooks_delivery
    WHERE status = 'PENDING' AND (%(all)s OR merchant_id = ANY(%(merchants)s))
    LIMIT 10000
) AS pending
"""


def parts(overview: Overview) -> dict[str, Any]:
    if not overview.may("webhooks.view_delivery"):
        return {}
    return {"webhooks": overview.cached("webhooks", NOW_SECONDS, webhooks_last_day)}


def webhooks_last_day(scope: Scope, now: datetime) -> dict[str, Any]:
    """Deliveries of 24 hours, those pending now, and when the oldest of these was created."""
    since = now - days.ONE_DAY
    failed = Delivery.objects.filter(
        status=Status.FAILED, created_at__gte=schedule.failed_since(now, days.ONE_DAY)
    )
    recent = created_since(Delivery, "del", since, scope).filter(status=Status.DELIVERED)
    values: dict[str, Any] = {"all": scope is None, "merchants": sorted(scope or ())}
    with connection.cursor() as cursor:
        cursor.execute(_PENDING_SQL, values)
        pending, oldest = cursor.fetchone()
    return {
        "delivered": recent.count(),
        "failed": limit_to_scope(failed, scope).count(),
        "pending": pending,
        "oldest": oldest,
    }
