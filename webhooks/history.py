"""What is kept of events, deliveries and attempts (payments/core/history).

Deliveries have no partitions: they are the dispatcher's queue, which it searches by status and
destination and not by id, so that each month would multiply its probes. Their rows are small.
Keys of events stay for ever, and so does the last number of each merchant.
"""

import pgtrigger
from django.db import connection, transaction

from payments.core.history.tables import HistoryTable, for_months

BATCH = 20_000
_KEYS = """
WITH batch AS (
    SELECT id, dedupe_key FROM webhooks_event WHERE id > %s ORDER BY id LIMIT %s
), added AS (
    INSERT INTO webhooks_eventkey (dedupe_key, event_id)
    SELECT dedupe_key, id FROM batch WHERE dedupe_key IS NOT NULL
    ON CONFLICT (dedupe_key) DO NOTHING
)
SELECT max(id) FROM batch
"""
_NUMBERS = """
WITH batch AS (
    SELECT id, event_id, merchant_id, number FROM webhooks_eventnumber
    WHERE event_id > %s AND event_id < %s ORDER BY event_id LIMIT %s
), forgotten AS (
    DELETE FROM webhooks_eventnumber WHERE id IN (
        SELECT id FROM batch
        WHERE NOT EXISTS (SELECT FROM webhooks_event e WHERE e.id = batch.event_id)
          AND number < (SELECT max(n.number) FROM webhooks_eventnumber n
                        WHERE n.merchant_id = batch.merchant_id)
    )
)
SELECT max(event_id) FROM batch
"""


def add_keys() -> None:
    """Of events from before the table of keys."""
    last: str | None = ""
    while last is not None:
        with connection.cursor() as cursor:
            cursor.execute(_KEYS, [last, BATCH])
            [last] = cursor.fetchone()


def forget_numbers(below: str) -> None:
    """Of dropped events, but for the last of each merchant, after which its sequence continues."""
    last: str | None = ""
    while last is not None:
        with transaction.atomic(), connection.cursor() as cursor:
            # pgtrigger.ignore sends two statements as one, which the driver refuses.
            cursor.execute("SELECT set_config('pgtrigger.ignore', %s, true)", [_keeping()])
            cursor.execute(_NUMBERS, [last, below, BATCH])
            [last] = cursor.fetchone()


def _keeping() -> str:
    """The trigger that refuses to delete numbers."""
    [(model, trigger)] = pgtrigger.registered("webhooks.EventNumber:keep")
    return f"{{{trigger.get_pgid(model)}}}"


_first_kept = for_months("WEBHOOK_HISTORY_MONTHS")
# In this order: an event stays as long as a delivery of it.
HISTORY = (
    HistoryTable(
        table="webhooks_delivery",
        prefix="del",
        first_kept=_first_kept,
        in_batches=True,
        kept="""h.status IN ('PENDING', 'WAITING') OR EXISTS (
            SELECT FROM webhooks_event e WHERE e.id = h.event_id AND e.subject_id IN %(open)s)""",
    ),
    HistoryTable(
        table="webhooks_attempt",
        prefix="att",
        first_kept=_first_kept,
        kept="EXISTS (SELECT FROM webhooks_delivery d WHERE d.id = h.delivery_id)",
    ),
    HistoryTable(
        table="webhooks_event",
        prefix="evt",
        first_kept=_first_kept,
        kept="""h.subject_id IN %(open)s OR EXISTS (
            SELECT FROM webhooks_delivery d WHERE d.event_id = h.id)""",
        not_unique=("dedupe_key",),
        prepare=add_keys,
        forget=forget_numbers,
    ),
)
