"""Deliveries of merchants without a webhook URL are WAITING, and PENDING again when there is a URL.

Deliveries to an endpoint wait in the same way while it is off. When it was deleted they fail.

A WAITING row costs the dispatcher nothing, because the index of due rows does not have it. Rows
become WAITING under the lock of the row of the merchant or of the endpoint (leases.py), and a URL
or a switch is written under the same lock, so that no row misses it.
"""

from collections.abc import Sequence
from datetime import datetime

from webhooks.index_reads import index_reads
from webhooks.models import Status

# How many rows one call marks, so that a cycle of the dispatcher stays short: of all destinations
# ...
MARK_WAITING_SIZE = 500
# ... and of each destination.
MARK_PENDING_SIZE = 1000

# Only look-ups by key, as in leases.py.
_SET_ASIDE = """
UPDATE webhooks_delivery d
SET status = %(status)s, next_attempt_at = NULL, lease_token = NULL, leased_until = NULL
WHERE d.id = ANY (ARRAY(
    SELECT due.id
    FROM unnest(%(destinations)s::text[]) AS destination (id) CROSS JOIN LATERAL (
        SELECT p.id FROM webhooks_delivery p
        WHERE p.status = 'PENDING' AND coalesce(p.endpoint_id, p.merchant_id) = destination.id
          AND p.next_attempt_at <= %(now)s
        ORDER BY p.next_attempt_at, p.id LIMIT %(size)s
    ) due
    LIMIT %(size)s
))
  AND coalesce(d.status, '') = 'PENDING' AND d.next_attempt_at <= %(now)s
"""

# Reads the index `delivery_waiting_destination` from destination to destination. Rows become due at
# the time of their creation, so that the oldest is sent first. Those of a deleted endpoint become
# due, too: the next claim ends them.
_MARK_PENDING = """
WITH RECURSIVE waiting (destination) AS (
    (SELECT coalesce(d.endpoint_id, d.merchant_id) FROM webhooks_delivery d
     WHERE d.status = 'WAITING' ORDER BY coalesce(d.endpoint_id, d.merchant_id) LIMIT 1)
    UNION ALL
    SELECT (SELECT coalesce(d.endpoint_id, d.merchant_id) FROM webhooks_delivery d
            WHERE d.status = 'WAITING'
              AND coalesce(d.endpoint_id, d.merchant_id) > w.destination
            ORDER BY coalesce(d.endpoint_id, d.merchant_id) LIMIT 1)
    FROM waiting w WHERE w.destination IS NOT NULL
),
reachable AS MATERIALIZED (
    SELECT w.destination FROM waiting w
    WHERE (SELECT m.webhook_url FROM merchants_merchant m WHERE m.id = w.destination) <> ''
       OR (SELECT e.is_enabled OR e.deleted_at IS NOT NULL FROM webhooks_endpoint e
           WHERE e.id = w.destination)
)
UPDATE webhooks_delivery d
SET status = 'PENDING', next_attempt_at = least(d.created_at, %(now)s)
WHERE d.id = ANY (ARRAY(
    SELECT oldest.id FROM reachable CROSS JOIN LATERAL (
        SELECT p.id FROM webhooks_delivery p
        WHERE p.status = 'WAITING'
          AND coalesce(p.endpoint_id, p.merchant_id) = reachable.destination
        ORDER BY p.id LIMIT %(size)s FOR UPDATE SKIP LOCKED
    ) oldest
))
  AND coalesce(d.status, '') = 'WAITING'
"""


def mark_waiting(*, destinations: Sequence[str], now: datetime) -> int:
    """Marks due deliveries to these, whose rows must be locked. Returns how many."""
    return _set_aside(Status.WAITING, destinations, now)


def mark_failed(*, destinations: Sequence[str], now: datetime) -> int:
    """As mark_waiting, for endpoints that were deleted."""
    return _set_aside(Status.FAILED, destinations, now)


def mark_pending(*, now: datetime) -> int:
    """Marks deliveries that can be sent now. Returns how many; if MARK_PENDING_SIZE, call again."""
    return _execute(_MARK_PENDING, now=now, size=MARK_PENDING_SIZE)


def _set_aside(status: Status, destinations: Sequence[str], now: datetime) -> int:
    return _execute(
        _SET_ASIDE,
        status=status.value,
        destinations=list(destinations),
        now=now,
        size=MARK_WAITING_SIZE,
    )


def _execute(statement: str, **values: str | int | datetime | list[str]) -> int:
    with index_reads() as cursor:
        cursor.execute(statement, values)
        return int(cursor.rowcount)
