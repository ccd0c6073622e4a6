"""Deliveries of merchants without a webhook URL are WAITING, and PENDING again when there is a URL.

A WAITING row costs the dispatcher nothing, because the index of due rows does not have it. Rows
become WAITING under the lock of the merchant's row (leases.py), and a URL is written under the same
lock, so that no row misses the URL.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db import connection

# How many rows one call marks, so that a cycle of the dispatcher stays short: of all merchants ...
MARK_WAITING_SIZE = 500
# ... and of each merchant.
MARK_PENDING_SIZE = 1000

# Only look-ups by key, as in leases.py.
_MARK_WAITING = """
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

# Reads the index `delivery_waiting` from merchant to merchant. Rows become due at the time of their
# creation, so that the oldest is sent first.
_MARK_PENDING = """
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


def mark_waiting(*, merchants: Sequence[str], now: datetime) -> int:
    """Marks due deliveries of these merchants, whose rows must be locked. Returns how many."""
    return _execute(_MARK_WAITING, merchants=list(merchants), now=now, size=MARK_WAITING_SIZE)


def mark_pending(*, now: datetime) -> int:
    """Marks deliveries that have a URL now. Returns how many; if MARK_PENDING_SIZE, call again."""
    return _execute(_MARK_PENDING, now=now, size=MARK_PENDING_SIZE)


def _execute(statement: str, **values: str | int | datetime | list[str]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return int(cursor.rowcount)
