"""Claims due deliveries under a lease, and records results in groups.

Deliveries are claimed by destination: an endpoint, or a merchant for the URL of its account. An
endpoint that is dead delays no other, of the same merchant or of another.

Each public function is one short transaction, in raw SQL for many rows.
"""

import functools
import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import structlog
from cryptography.fernet import InvalidToken
from django.conf import settings
from django.db import connection

from payments.core.fields import decrypt
from payments.core.ids import new_id
from webhooks import schedule, waiting
from webhooks.index_reads import index_reads
from webhooks.models import Status
from webhooks.sender import DeliveryResponse
from webhooks.signing import SecretPair

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """`secret` is None when it cannot be decrypted."""

    id: str
    token: uuid.UUID
    number: int
    event_id: str
    body: bytes
    url: str
    secret: str | SecretPair | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """`id` is that of the attempt, so that recording the result twice leaves one row."""

    claimed: Claimed
    started_at: datetime
    finished_at: datetime
    response: DeliveryResponse
    id: str = field(default_factory=functools.partial(new_id, "att"))


# Reads the index `delivery_due_at_destination` from destination to destination: one probe each,
# which finds its oldest row, so that a backlog of a million rows costs what one row costs. A leased
# row is in the index, too, and is not due before its lease ends.
_DUE = """
WITH RECURSIVE oldest (destination, next_attempt_at) AS (
    (SELECT coalesce(d.endpoint_id, d.merchant_id), d.next_attempt_at
     FROM webhooks_delivery d WHERE d.status = 'PENDING'
     ORDER BY coalesce(d.endpoint_id, d.merchant_id), d.next_attempt_at LIMIT 1)
    UNION ALL
    SELECT following.destination, following.next_attempt_at
    FROM oldest CROSS JOIN LATERAL (
        SELECT coalesce(d.endpoint_id, d.merchant_id) AS destination, d.next_attempt_at
        FROM webhooks_delivery d
        WHERE d.status = 'PENDING'
          AND coalesce(d.endpoint_id, d.merchant_id) > oldest.destination
        ORDER BY coalesce(d.endpoint_id, d.merchant_id), d.next_attempt_at LIMIT 1
    ) following
),
in_flight AS (
    SELECT coalesce(endpoint_id, merchant_id) AS destination, count(*) AS sends
    FROM webhooks_delivery
    WHERE lease_token IS NOT NULL AND leased_until > %(now)s GROUP BY 1
),
due AS MATERIALIZED (
    SELECT due.destination
    FROM oldest due LEFT JOIN in_flight USING (destination)
    WHERE due.next_attempt_at <= %(now)s
      AND coalesce(in_flight.sends, 0)
          < CASE WHEN due.destination LIKE 'whe%%' THEN %(endpoint_cap)s ELSE %(cap)s END
    ORDER BY coalesce(in_flight.sends, 0), due.next_attempt_at
    LIMIT %(size)s
)"""

# ARRAY: without sorts (index_reads.py) a join would read all merchants in the order of their ids.
# NO KEY UPDATE: publishing takes KEY SHARE through its foreign keys and must not wait for this.
_LOCK_DESTINATIONS = f"""{_DUE},
account AS (
    SELECT id, id AS merchant_id, webhook_url, webhook_secret, true AS is_on, false AS is_deleted
    FROM merchants_merchant WHERE id = ANY (ARRAY(SELECT destination FROM due))
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
),
endpoint AS (
    SELECT id, merchant_id, url, secret, is_enabled, deleted_at IS NOT NULL
    FROM webhooks_endpoint WHERE id = ANY (ARRAY(SELECT destination FROM due))
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
)
SELECT found.*, earlier.secret, earlier.signs_contract
FROM (SELECT * FROM account UNION ALL SELECT * FROM endpoint) AS found
LEFT JOIN webhooks_earliersecret earlier
    ON earlier.destination = found.id AND earlier.until > %(now)s
"""  # noqa: S608  the values stay parameters

# A second statement, so that its snapshot is taken after the locks: one statement would count what
# was in flight before it waited, and break the cap. The n-th send of every merchant comes before
# the n+1st of any, so that a backlog takes only what the others leave: a merchant's destinations
# share its place.
# ARRAY, coalesce and the sub-select in RETURNING leave the planner only look-ups by key: with a
# plain `status = 'PENDING'` it may read all due rows of the index, and a claim costs more the
# longer the backlog is. Without MATERIALIZED the leases are counted again for each row.
_LEASE = """
WITH destination AS MATERIALIZED (
    SELECT given.id, given.cap, count(*) OVER (PARTITION BY given.merchant_id) AS share, (
        SELECT count(*) FROM webhooks_delivery d
        WHERE d.merchant_id = given.merchant_id AND d.lease_token IS NOT NULL
          AND d.leased_until > %(now)s AND coalesce(d.endpoint_id, d.merchant_id) = given.id
    ) AS in_flight
    FROM unnest(%(destinations)s::text[], %(merchants)s::text[], %(caps)s::int[])
         AS given (id, merchant_id, cap)
),
picked AS (
    SELECT waiting.id
    FROM destination CROSS JOIN LATERAL (
        SELECT d.id, d.next_attempt_at,
               row_number() OVER (ORDER BY d.next_attempt_at, d.id) AS place
        FROM webhooks_delivery d
        WHERE d.status = 'PENDING' AND coalesce(d.endpoint_id, d.merchant_id) = destination.id
          AND d.next_attempt_at <= %(now)s
        ORDER BY d.next_attempt_at, d.id
        LIMIT greatest(destination.cap - destination.in_flight, 0)
    ) waiting
    ORDER BY (destination.in_flight + waiting.place) * destination.share, waiting.next_attempt_at
    LIMIT %(size)s
)
UPDATE webhooks_delivery d
SET lease_token = %(token)s, leased_until = %(until)s, next_attempt_at = %(until)s
WHERE d.id = ANY (ARRAY(SELECT id FROM picked))
  AND coalesce(d.status, '') = 'PENDING' AND d.next_attempt_at <= %(now)s
RETURNING d.id, coalesce(d.endpoint_id, d.merchant_id), d.attempts + 1, d.event_id,
          (SELECT body FROM webhooks_event e WHERE e.id = d.event_id)
"""


class _Destination(NamedTuple):
    """A locked row. `id` is that of the endpoint, or of the merchant for the account's URL."""

    id: str
    merchant_id: str
    url: str
    secret: str
    is_on: bool
    is_deleted: bool
    earlier_secret: str | None
    earlier_signs_contract: bool | None

    @property
    def is_reachable(self) -> bool:
        return self.is_on and bool(self.url)

    @property
    def cap(self) -> int:
        is_account = self.id == self.merchant_id
        cap: int = settings.WEBHOOK_MERCHANT_CAP if is_account else settings.WEBHOOK_ENDPOINT_CAP
        return cap


# Destinations that cannot be reached may fill a whole round; a cycle has at most this many rounds.
ROUNDS = 20


def claim(*, now: datetime, size: int) -> list[Claimed]:
    """Leases up to `size` due deliveries, fairly among merchants and within each one's caps.

    Skips destinations whose row another dispatcher has locked. Reads the present URL and secret. A
    delivery without a URL, or of an endpoint that is off, becomes WAITING (waiting.py).
    """
    for _ in range(ROUNDS):
        claimed, is_over = _claim(now, size)
        if claimed or is_over:
            return claimed
    return []


def _claim(now: datetime, size: int) -> tuple[list[Claimed], bool]:
    """The deliveries of one round, and whether all of its destinations can be reached."""
    token = uuid.uuid4()
    values: dict[str, Any] = {
        "now": now,
        "size": size,
        "cap": settings.WEBHOOK_MERCHANT_CAP,
        "endpoint_cap": settings.WEBHOOK_ENDPOINT_CAP,
        "token": token,
        "until": now + timedelta(seconds=settings.WEBHOOK_LEASE_SECONDS),
    }
    with index_reads() as cursor:
        cursor.execute(_LOCK_DESTINATIONS, values)
        locked = [_Destination(*row) for row in cursor.fetchall()]
        changed = _set_aside(locked, now)
        reachable = {each.id: each for each in locked if each.is_reachable}
        if not reachable:
            return [], not changed
        given = list(reachable.values())
        values |= {
            "destinations": [each.id for each in given],
            "merchants": [each.merchant_id for each in given],
            "caps": [each.cap for each in given],
        }
        cursor.execute(_LEASE, values)
        rows = cursor.fetchall()
    return [_claimed(row, reachable[row[1]], token) for row in rows], not changed


def _set_aside(locked: list[_Destination], now: datetime) -> int:
    """What cannot be sent leaves the index of due rows. Returns how many deliveries changed."""
    deleted = [each.id for each in locked if each.is_deleted]
    off = [each.id for each in locked if not each.is_reachable and not each.is_deleted]
    failed = waiting.mark_failed(destinations=deleted, now=now) if deleted else 0
    return failed + (waiting.mark_waiting(destinations=off, now=now) if off else 0)


def _claimed(row: tuple[Any, ...], destination: _Destination, token: uuid.UUID) -> Claimed:
    return Claimed(
        id=row[0],
        token=token,
        number=row[2],
        event_id=row[3],
        body=bytes(row[4]),
        url=destination.url,
        secret=_secret(destination),
    )


def _secret(destination: _Destination) -> str | SecretPair | None:
    """Two during a rotation, if both can be read."""
    current = _decrypted(destination.secret)
    if current is None or destination.earlier_secret is None:
        return current
    earlier = _decrypted(destination.earlier_secret)
    if earlier is None:
        return current
    return SecretPair(current, earlier, bool(destination.earlier_signs_contract))


@functools.lru_cache(maxsize=1024)
def _decrypted(encrypted: str) -> str | None:
    try:
        return decrypt(encrypted)
    except InvalidToken:
        # The key of the secret is no longer in ENCRYPTION_KEYS. Deliveries of other merchants
        # continue.
        log.error("webhook.secret_unreadable")
        return None


# The condition on the token leaves deliveries whose lease was lost unchanged. Their attempts are
# kept. An id comes twice when the connection broke during the commit and the group is recorded
# again. One parameter of JSON, because writing an array for each column takes the pump much longer.
_RECORD = """
WITH result AS MATERIALIZED (
    SELECT * FROM json_to_recordset(%s::json) AS r (
        id text, token uuid, number int, status text, next_attempt_at timestamptz,
        delivered_at timestamptz, attempt text, url text, started_at timestamptz, duration_ms int,
        response_status int, response_excerpt text, error text
    )
),
attempt AS (
    INSERT INTO webhooks_attempt (id, delivery_id, number, url, started_at, duration_ms,
                                  response_status, response_excerpt, error)
    SELECT attempt, id, number, url, started_at, duration_ms, response_status, response_excerpt,
           error
    FROM result
    ON CONFLICT (id) DO NOTHING
)
UPDATE webhooks_delivery d
SET status = r.status, attempts = r.number, next_attempt_at = r.next_attempt_at,
    delivered_at = r.delivered_at, lease_token = NULL, leased_until = NULL
FROM result r
WHERE d.id = r.id AND d.lease_token = r.token
"""


def record(results: Sequence[Result]) -> int:
    """Writes results. Returns how many deliveries changed; the others have lost their lease."""
    if not results:
        return 0
    # Always in the order of ids, against deadlocks.
    ordered = sorted(results, key=lambda item: item.claimed.id)
    with connection.cursor() as cursor:
        cursor.execute(_RECORD, [json.dumps([_row(item) for item in ordered])])
        moved: int = cursor.rowcount
    if moved < len(ordered):
        log.warning("webhook.lease_lost", count=len(ordered) - moved)
    return moved


def _row(item: Result) -> dict[str, object]:
    claimed, response = item.claimed, item.response
    status, retry_at, delivered_at = Status.PENDING.value, None, None
    if not response.error:
        status, delivered_at = Status.DELIVERED.value, item.finished_at.isoformat()
    else:
        retry_at = schedule.next_attempt_at(claimed.number, item.finished_at)
        if retry_at is None:
            status = Status.FAILED.value
    return {
        "id": claimed.id,
        "token": str(claimed.token),
        "number": claimed.number,
        "status": status,
        "next_attempt_at": retry_at and retry_at.isoformat(),
        "delivered_at": delivered_at,
        "attempt": item.id,
        "url": claimed.url,
        "started_at": item.started_at.isoformat(),
        "duration_ms": response.duration_ms,
        "response_status": response.status,
        "response_excerpt": response.excerpt,
        "error": str(response.error),
    }
