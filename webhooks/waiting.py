"""Deliveries of merchants without a webhook URL: set aside, and brought back when there is a URL.

They are no attempts: nothing was sent. While they wait they are not in the index by which the pump
finds its work, so they cost it nothing, however many there are. The pump sets them aside while it
holds the merchant's row (leases.py), and a URL is written under the same lock: none is stranded.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import connection

# So many at a time, of all merchants together: a trip of the pump must stay a short one.
SET_ASIDE_SIZE = 500
# So many of each merchant.
RELEASE_SIZE = 1000

# The planner is led as in leases.py: nothing but look-ups by key.
_SET_ASIDE = """
UPDATE webhooks_delivery d
SET status = 'WAITING', next_attempt_at = NULL, lease_token = NULL, leased_until = NULL
WHERE d.id = ANY (ARRAY(
    SELECT due.id
    FROM unnest(%(merchants)s::text[]) AS m (id) CROSS JOIN LATERAL (
        SELECT p.id FROM webhooks_delivery p
        WHERE p.status = 'PENDING' AND p.merchant_id = m.id AND p.next_attempt_at <= %(now)s
        ORDER BY p.next_attempt_at, p.id LIMIT %(size)s
    ) due
    LIMIT %(size)s
))
  AND coalesce(d.status, '') = 'PENDING' AND d.next_attempt_at <= %(now)s
"""

# Hops from merchant to merchant on the index `delivery_waiting`: one probe for each that has some.
# They are due since they were written, so that the oldest goes first, also before what is new. Each
# merchant's cap holds for them as for all others.
_RELEASE = """
WITH RECURSIVE waiting (merchant_id) AS (
    (SELECT merchant_id FROM webhooks_delivery WHERE status = 'WAITING'
     ORDER BY merchant_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.merchant_id FROM webhooks_delivery d
            WHERE d.status = 'WAITING' AND d.merchant_id > w.merchant_id
            ORDER BY d.merchant_id LIMIT 1)
    FROM waiting w WHERE w.merchant_id IS NOT NULL
),
reachable AS MATERIALIZED (
    SELECT w.merchant_id FROM waiting w
    WHERE (SELECT m.webhook_url FROM merchants_merchant m WHERE m.id = w.merchant_id) <> ''
)
UPDATE webhooks_delivery d
SET status = 'PENDING', next_attempt_at = least(d.created_at, %(now)s)
WHERE d.id = ANY (ARRAY(
    SELECT oldest.id FROM reachable CROSS JOIN LATERAL (
        SELECT p.id FROM webhooks_delivery p
        WHERE p.status = 'WAITING' AND p.merchant_id = reachable.merchant_id
        ORDER BY p.id LIMIT %(size)s FOR UPDATE SKIP LOCKED
    ) oldest
))
  AND coalesce(d.status, '') = 'WAITING'
"""


def set_aside(*, merchants: Sequence[str], now: datetime) -> int:
    """Lets what is due of these merchants wait for a URL; their rows must be locked. How many."""
    return _execute(_SET_ASIDE, merchants=list(merchants), now=now, size=SET_ASIDE_SIZE)


def release(*, now: datetime) -> int:
    """Makes due what waited and has a URL now. Returns how many; RELEASE_SIZE and more: go on."""
    return _execute(_RELEASE, now=now, size=RELEASE_SIZE)


def _execute(statement: str, **values: Any) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        count: int = cursor.rowcount
    return count
