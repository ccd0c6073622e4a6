"""Metrics of the tables: one SQL statement each, which uses indexes.

No count reads more than %(cap)s rows, and no statement reads a whole table. A row has the labels
first, then a value for each metric.
"""

from dataclasses import dataclass

from payments.bills.models import BillPayment
from payments.collect.models import Refund
from payments.payout.models import Payout
from payments.topup.models import TopUp


@dataclass(frozen=True, slots=True)
class MetricQuery:
    """`metrics`: {name: help}, in the order of the columns after the labels."""

    labels: tuple[str, ...]
    metrics: dict[str, str]
    sql: str


OUTGOING = {
    "payout": Payout._meta.db_table,
    "topup": TopUp._meta.db_table,
    "bill": BillPayment._meta.db_table,
    "refund": Refund._meta.db_table,
}
# {entry of the beat schedule: table, column of the due time}
SCANNERS = {
    "collect-expire": ("collect_order", "expire_check_at"),
    "collect-reconcile": ("collect_charge", "reconcile_at"),
    "refund-act": (OUTGOING["refund"], "next_action_at"),
    "payout-act": (OUTGOING["payout"], "next_action_at"),
    "topup-act": (OUTGOING["topup"], "next_action_at"),
    "bills-act": (OUTGOING["bill"], "next_action_at"),
    "exports-run": ("core_export", "due_at"),
}


def _open(table: str, due: str, statuses: tuple[str, ...]) -> str:
    """Open rows by status; 0 for a status without rows."""
    known = ", ".join(f"('{status}')" for status in statuses)
    return f"""
        SELECT status, count(found.status) FROM (VALUES {known}) AS known (status)
        LEFT JOIN (SELECT status FROM {table} WHERE {due} IS NOT NULL ORDER BY {due} LIMIT %(cap)s)
            AS found USING (status)
        GROUP BY status"""  # noqa: S608


def _outgoing(product: str, table: str) -> str:
    return f"""
        SELECT '{product}', status, count(found.id),
            count(found.id) FILTER (WHERE status = 'PROCESSING' AND attempts > 1),
            COALESCE(max(extract(epoch FROM %(now)s - since)), 0)
        FROM (VALUES ('PENDING'), ('PROCESSING')) AS known (status)
        LEFT JOIN (
            SELECT id, status, attempts, COALESCE(sent_at, created_at) AS since FROM {table}
            WHERE next_action_at IS NOT NULL ORDER BY next_action_at LIMIT %(cap)s
        ) AS found USING (status)
        GROUP BY status"""  # noqa: S608


def _exceptions(product: str, table: str, *, approved: bool) -> str:
    """Payments that wait for an operator: unknown outcome, or approval by a second person."""
    either = "needs_operator OR needs_approval" if approved else "needs_operator"
    counts = [f"SELECT '{product}', 'operator', count(*) FILTER (WHERE needs_operator)"]
    if approved:
        counts.append(f"SELECT '{product}', 'approval', count(*) FILTER (WHERE needs_approval)")
    rows = f"FROM (SELECT * FROM {table} WHERE {either} ORDER BY created_at LIMIT %(cap)s) AS row"  # noqa: S608
    return " UNION ALL ".join(f"{count} {rows}" for count in counts)


def _age(scanner: str, table: str, due: str) -> str:
    return f"""
        SELECT '{scanner}', (SELECT extract(epoch FROM %(now)s - {due}) FROM {table}
            WHERE {due} IS NOT NULL ORDER BY {due} LIMIT 1)"""  # noqa: S608


# From merchant to merchant on the index `delivery_due`, as the pump does (webhooks/leases.py).
_OLDEST_DELIVERY = """
    SELECT 'webhooks-pump', (
        WITH RECURSIVE waiting (merchant_id) AS (
            (SELECT merchant_id FROM webhooks_delivery WHERE status = 'PENDING'
             ORDER BY merchant_id LIMIT 1)
            UNION ALL
            SELECT (SELECT d.merchant_id FROM webhooks_delivery d
                    WHERE d.status = 'PENDING' AND d.merchant_id > w.merchant_id
                    ORDER BY d.merchant_id LIMIT 1)
            FROM waiting w WHERE w.merchant_id IS NOT NULL
        )
        SELECT max(extract(epoch FROM %(now)s - oldest.next_attempt_at))
        FROM waiting w CROSS JOIN LATERAL (
            SELECT d.next_attempt_at FROM webhooks_delivery d
            WHERE d.status = 'PENDING' AND d.merchant_id = w.merchant_id
            ORDER BY d.next_attempt_at LIMIT 1
        ) oldest
    )"""
_OLDEST_UNNUMBERED = """
    SELECT 'webhooks-number', (
        -- Each by its key: a join might read all events for the hundred that wait.
        SELECT max(extract(epoch FROM %(now)s - (
            SELECT created_at FROM webhooks_event WHERE id = event_id)))
        FROM (SELECT event_id FROM webhooks_eventnumber WHERE number IS NULL
              ORDER BY merchant_id, id LIMIT 100) AS waiting
    )"""
_AGES = [
    *(_age(scanner, *where) for scanner, where in SCANNERS.items()),
    _OLDEST_DELIVERY,
    _OLDEST_UNNUMBERED,
]

ORDER_STATES = ("PENDING", "WAITING_TRANSFER", "PROCESSING", "COMPLETED", "FAILED", "EXPIRED")

METRIC_QUERIES = (
    MetricQuery(
        ("status",),
        {"pasarela_orders_open": "Orders that are not final, by status."},
        _open("collect_order", "expire_check_at", ORDER_STATES[:3]),
    ),
    MetricQuery(
        ("status",),
        {"pasarela_orders_last_hour": "Orders created in the last hour, by status (the newest)."},
        f"""
        SELECT status, count(found.status)
        FROM (VALUES {", ".join(f"('{name}')" for name in ORDER_STATES)}) AS known (status)
        LEFT JOIN (SELECT status FROM collect_order WHERE id >= %(order_hour)s
                   ORDER BY id DESC LIMIT %(cap)s) AS found USING (status)
        GROUP BY status""",  # noqa: S608
    ),
    MetricQuery(
        ("status",),
        {"pasarela_charges_open": "Charges that the rail is polled about, by status."},
        _open("collect_charge", "reconcile_at", ("STARTING", "PENDING", "RECEIVED")),
    ),
    MetricQuery(
        ("product", "status"),
        {
            "pasarela_outgoing_open": "Payouts, top-ups, bills, refunds that are not final.",
            "pasarela_outgoing_in_doubt": "Those whose outcome the rail has not reported.",
            "pasarela_outgoing_oldest_seconds": "Age of the oldest one that is not final.",
        },
        " UNION ALL ".join(_outgoing(*item) for item in OUTGOING.items()),
    ),
    MetricQuery(
        ("what", "for"),
        {"pasarela_waiting_for_people": "Decisions that wait for an operator."},
        " UNION ALL ".join(
            [
                _exceptions("payout", OUTGOING["payout"], approved=True),
                _exceptions("refund", OUTGOING["refund"], approved=True),
                _exceptions("topup", OUTGOING["topup"], approved=False),
                _exceptions("bill", OUTGOING["bill"], approved=False),
                """SELECT 'dispute', 'operator', count(*) FROM (SELECT id FROM collect_dispute
                   WHERE status = 'OPEN' ORDER BY evidence_due_at LIMIT %(cap)s) AS row""",
                # There is no index by status, so only the newest are counted.
                """SELECT 'unmatched', 'operator', count(*) FILTER (WHERE status = 'OPEN')
                   FROM (SELECT status FROM collect_unmatchedfunds
                         ORDER BY id DESC LIMIT %(cap)s) AS row""",
            ]
        ),
    ),
    MetricQuery(
        ("scanner",),
        {"pasarela_queue_age_seconds": "How long the oldest row has been due; 0 without one."},
        f"SELECT scanner, greatest(age, 0) FROM ({' UNION ALL '.join(_AGES)}) AS q (scanner, age)",  # noqa: S608
    ),
    MetricQuery(
        ("outcome",),
        {"pasarela_webhook_attempts_5m": "Webhook POSTs of the last five minutes, by outcome."},
        """
        SELECT COALESCE(NULLIF(error, ''), 'delivered'), count(*)
        FROM (SELECT error FROM webhooks_attempt WHERE id >= %(attempt_5m)s
              ORDER BY id DESC LIMIT %(cap)s) AS row
        GROUP BY error""",
    ),
    MetricQuery(
        (),
        {
            "pasarela_webhook_pending": "Deliveries that will be sent, now or later.",
            "pasarela_webhook_failed_24h": "Deliveries that failed for good in the last day.",
        },
        """
        SELECT
            (SELECT count(*) FROM (SELECT 1 FROM webhooks_delivery WHERE status = 'PENDING'
             ORDER BY merchant_id, next_attempt_at, id LIMIT %(cap)s) AS row),
            (SELECT count(*) FROM (SELECT 1 FROM webhooks_delivery WHERE status = 'FAILED'
             AND created_at >= %(now)s - interval '1 day'
             ORDER BY created_at DESC, id DESC LIMIT %(cap)s) AS row)""",
    ),
    MetricQuery(
        (),
        {"pasarela_database_writable": "0 while the database takes no writes."},
        "SELECT (current_setting('transaction_read_only') = 'off')::int",
    ),
    MetricQuery(
        ("worker",),
        {
            "pasarela_clock_ahead_seconds": "How far a clock is ahead of the database's: this web"
            " server's, and those of workers that are wrong and therefore run no task."
        },
        """SELECT 'web', %(ahead)s::float8
        UNION ALL SELECT worker, seconds_ahead FROM core_wrongclock
            WHERE at > %(now)s - '1 minute'::interval""",
    ),
    MetricQuery(
        ("worker",),
        {"pasarela_heartbeat_age_seconds": "Age of a worker's last heartbeat."},
        """SELECT name, greatest(extract(epoch FROM %(now)s - at), 0) FROM core_heartbeat""",
    ),
    MetricQuery(
        ("proof",),
        {
            "pasarela_proof_age_seconds": "Time since the integrity check last passed.",
            "pasarela_proof_failed": "1 when the last integrity check failed.",
        },
        """
        SELECT known.name, COALESCE(extract(epoch FROM %(now)s - passed_at), 'Infinity'::float8),
            (checked_at IS NOT NULL AND passed_at IS DISTINCT FROM checked_at)::int
        FROM (VALUES ('ledger'), ('settlements')) AS known (name)
        LEFT JOIN core_proof AS proof ON proof.name = known.name""",
    ),
)
