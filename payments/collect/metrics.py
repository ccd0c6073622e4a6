"""Metrics of collections."""

from payments.core.metrics import AppMetrics, MetricQuery, OutgoingTable, age

ORDER_STATES = ("PENDING", "WAITING_TRANSFER", "PROCESSING", "COMPLETED", "FAILED", "EXPIRED")


def _by_status(statuses: tuple[str, ...], rows: str) -> str:
    """Counts `rows` by status; 0 for a status without rows."""
    known = ", ".join(f"('{status}')" for status in statuses)
    return f"""
        SELECT status, count(found.status) FROM (VALUES {known}) AS known (status)
        LEFT JOIN (SELECT status FROM {rows} LIMIT %(cap)s) AS found USING (status)
        GROUP BY status"""  # noqa: S608


def _open(table: str, due: str, statuses: tuple[str, ...]) -> str:
    return _by_status(statuses, f"{table} WHERE {due} IS NOT NULL ORDER BY {due}")


METRICS = AppMetrics(
    queries=(
        MetricQuery(
            ("status",),
            {"pasarela_orders_open": "Orders that are not final, by status."},
            _open("collect_order", "expire_check_at", ORDER_STATES[:3]),
        ),
        MetricQuery(
            ("status",),
            {
                "pasarela_orders_last_hour": "Orders created in the last hour, by status"
                " (the newest)."
            },
            _by_status(ORDER_STATES, "collect_order WHERE id >= %(order_hour)s ORDER BY id DESC"),
        ),
        MetricQuery(
            ("status",),
            {"pasarela_charges_open": "Charges that the rail is polled about, by status."},
            _open("collect_charge", "reconcile_at", ("STARTING", "PENDING", "RECEIVED")),
        ),
    ),
    outgoing={"refund": OutgoingTable(table="collect_refund", has_approval=True)},
    ages=(
        age("collect-expire", "collect_order", "expire_check_at"),
        age("collect-reconcile", "collect_charge", "reconcile_at"),
        age("refund-act", "collect_refund", "next_action_at"),
    ),
    decisions=(
        """SELECT 'dispute', 'operator', count(*) FROM (SELECT id FROM collect_dispute
                   WHERE status = 'OPEN' ORDER BY evidence_due_at LIMIT %(cap)s) AS row""",
        # Only the newest rows are counted, because there is no index by status.
        """SELECT 'unmatched', 'operator', count(*) FILTER (WHERE status = 'OPEN')
                   FROM (SELECT status FROM collect_unmatchedfunds
                         ORDER BY id DESC LIMIT %(cap)s) AS row""",
    ),
)
