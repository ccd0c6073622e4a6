"""Metrics of the tables: those of all apps (payments.core.metrics) and of the service itself."""

from django.apps import apps

from payments.core.metrics import AppMetrics, MetricQuery

_APPS: list[AppMetrics] = [
    config.metrics for config in apps.get_app_configs() if hasattr(config, "metrics")
]
OUTGOING = {product: table for each in _APPS for product, table in each.outgoing.items()}

CACHED = [each.cached for each in _APPS if each.cached]


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
    """Counts payments that wait for an operator or for approval by a second person."""
    either = "needs_operator OR needs_approval" if approved else "needs_operator"
    counts = [f"SELECT '{product}', 'operator', count(*) FILTER (WHERE needs_operator)"]
    if approved:
        counts.append(f"SELECT '{product}', 'approval', count(*) FILTER (WHERE needs_approval)")
    rows = f"FROM (SELECT * FROM {table} WHERE {either} ORDER BY created_at LIMIT %(cap)s) AS row"  # noqa: S608
    return " UNION ALL ".join(f"{count} {rows}" for count in counts)


_DECISIONS = [
    *(_exceptions(name, of.table, approved=of.has_approval) for name, of in OUTGOING.items()),
    *(sql for each in _APPS for sql in each.decisions),
]
_AGES = [sql for each in _APPS for sql in each.ages]

METRIC_QUERIES = (
    MetricQuery(
        ("product", "status"),
        {
            "pasarela_outgoing_open": "Outgoing payments that are not final.",
            "pasarela_outgoing_in_doubt": "Those whose outcome the rail has not reported.",
            "pasarela_outgoing_oldest_seconds": "Age of the oldest one that is not final.",
        },
        " UNION ALL ".join(_outgoing(name, of.table) for name, of in OUTGOING.items()),
    ),
    MetricQuery(
        ("what", "for"),
        {"pasarela_waiting_for_people": "Decisions that wait for an operator."},
        " UNION ALL ".join(_DECISIONS),
    ),
    MetricQuery(
        ("scanner",),
        {"pasarela_queue_age_seconds": "How long the oldest row has been due; 0 without one."},
        f"SELECT scanner, greatest(age, 0) FROM ({' UNION ALL '.join(_AGES)}) AS q (scanner, age)",  # noqa: S608
    ),
    *(query for each in _APPS for query in each.queries),
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
