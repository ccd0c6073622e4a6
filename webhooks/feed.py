"""The events of a merchant in a gap-free sequence, for readers that poll.

An event gets its number after its commit, under a lock of the merchant that is held until the
number is committed. So number n + 1 is never visible before number n, and an event that commits
late gets a later number, which no reader has passed.
"""

from dataclasses import dataclass

from django.db import connection, transaction

from payments.core import jsontext
from payments.core.errors import ValidationFailed
from payments.core.ids import is_id
from webhooks.models import EventNumber

BATCH = 1000
# How many batches of a merchant one call numbers.
ROUNDS = 20

_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('webhooks.feed:' || %s, 0))"
# A statement of its own after the lock, because it must see what the last holder has committed.
_NUMBER = """
WITH waiting AS (
    SELECT id, row_number() OVER (ORDER BY id) AS place FROM (
        SELECT id FROM webhooks_eventnumber
        WHERE merchant_id = %(merchant)s AND number IS NULL ORDER BY id LIMIT %(batch)s
    ) AS oldest
), last AS (
    SELECT COALESCE(max(number), 0) AS number FROM webhooks_eventnumber
    WHERE merchant_id = %(merchant)s
)
UPDATE webhooks_eventnumber AS row SET number = last.number + waiting.place
FROM waiting, last WHERE row.id = waiting.id
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedItem:
    sequence: int
    id: str
    event: str
    data: dict[str, object]
    timestamp: str


def read(*, merchant_id: str, after: str | None, limit: int) -> list[FeedItem]:
    """The merchant's events after the event with the id `after`, or from the first one.

    Raises ValidationFailed when `after` is no event of the merchant. Do not call it inside a
    transaction.
    """
    _catch_up(merchant_id)
    start = 0 if after is None else _number_of(merchant_id, after)
    rows = EventNumber.objects.filter(merchant=merchant_id, number__gt=start)
    return [_feed_item(row) for row in rows.select_related("event").order_by("number")[:limit]]


def number_due() -> int:
    """Numbers the events of every merchant. Returns how many it numbered."""
    waiting = EventNumber.objects.filter(number=None).order_by().values_list("merchant", flat=True)
    return sum(_catch_up(merchant_id) for merchant_id in list(waiting.distinct()))


def _catch_up(merchant_id: str) -> int:
    total = 0
    for _round in range(ROUNDS):
        total += (numbered := number_events(merchant_id))
        if numbered < BATCH:
            break
    return total


@transaction.atomic
def number_events(merchant_id: str) -> int:
    """Numbers the merchant's oldest unnumbered events, BATCH at most. Returns how many."""
    if not EventNumber.objects.filter(merchant=merchant_id, number=None).exists():
        return 0
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, [merchant_id])
        cursor.execute(_NUMBER, {"merchant": merchant_id, "batch": BATCH})
        return int(cursor.rowcount)


def _number_of(merchant_id: str, event_id: str) -> int:
    rows = EventNumber.objects.filter(merchant=merchant_id, event=event_id, number__isnull=False)
    number = rows.values_list("number", flat=True).first() if is_id(event_id, "evt") else None
    if number is None:
        raise ValidationFailed({"after": "There is no such event."})
    return number


def _feed_item(row: EventNumber) -> FeedItem:
    body = jsontext.loads(bytes(row.event.body))
    return FeedItem(
        sequence=row.number or 0,
        id=row.event_id,
        event=body["event"],
        data=body["data"],
        timestamp=body["timestamp"],
    )
