"""How fast receivers answered in 24 hours: the median and the 95th percentile of each hour.

The newest attempts only, found by the primary key, or by the newest deliveries of each merchant,
so that a busy day costs as much as a quiet one.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from payments.core import days, ids

ATTEMPTS_MAX = 5_000
DELIVERIES_MAX = 2_000
# Ids are made some time before the row of the attempt, which is written after the answer.
_OF_ALL = """
SELECT date_trunc('hour', started_at) AS hour, duration_ms FROM (
    SELECT started_at, duration_ms FROM webhooks_attempt
    WHERE id >= %(first)s ORDER BY id DESC LIMIT %(most)s
) AS newest WHERE started_at >= %(since)s
"""
_OF_MERCHANTS = """
SELECT date_trunc('hour', attempt.started_at) AS hour, attempt.duration_ms
FROM unnest(%(merchants)s::text[]) AS merchant (id)
CROSS JOIN LATERAL (
    SELECT id FROM webhooks_delivery WHERE merchant_id = merchant.id
    ORDER BY created_at DESC, id DESC LIMIT %(most)s
) AS delivery
JOIN webhooks_attempt AS attempt ON attempt.delivery_id = delivery.id
WHERE attempt.started_at >= %(since)s
"""
# GROUPING SETS: a row for each hour, and one without an hour for all of them.
_TIMES = """
SELECT hour, count(*),
    percentile_disc(0.5) WITHIN GROUP (ORDER BY duration_ms),
    percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms)
FROM ({attempts}) AS attempt GROUP BY GROUPING SETS ((hour), ())
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """In milliseconds, of `attempts`, those without an answer included."""

    attempts: int
    median: int
    p95: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DayTimes:
    """`hours` has only hours with attempts. `whole` is None without any."""

    whole: Times | None
    hours: dict[datetime, Times]


def times_of_day(*, merchants: Collection[str] | None, now: datetime) -> DayTimes:
    """None: of all merchants."""
    since = now - days.ONE_DAY
    values: dict[str, Any] = {"since": since, "merchants": sorted(merchants or ())}
    if merchants is None:
        values |= {"first": ids.first_of("att", since), "most": ATTEMPTS_MAX}
    else:
        values["most"] = DELIVERIES_MAX
    with connection.cursor() as cursor:
        attempts = _OF_ALL if merchants is None else _OF_MERCHANTS
        cursor.execute(_TIMES.format(attempts=attempts), values)
        found = {
            hour: Times(attempts=count, median=median, p95=p95)
            for hour, count, median, p95 in cursor.fetchall()
            if count
        }
    return DayTimes(whole=found.pop(None, None), hours=found)
