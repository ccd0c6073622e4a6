from payments.core.metrics import AppMetrics, MetricQuery

METRICS = AppMetrics(
    queries=(
        MetricQuery(
            ("table",),
            {
                "pasarela_history_next_month": "1 when the partition of the next month exists.",
            },
            """
        WITH next (month) AS (
            SELECT to_char(%(now)s::timestamptz AT TIME ZONE 'UTC' + interval '1 month', 'YYYY_MM')
        )
        SELECT parent.relname,
            EXISTS (
                SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
                WHERE i.inhparent = parent.oid AND (
                    c.relname = parent.relname || '_' || next.month
                    OR starts_with(c.relname, parent.relname || '_until_')
                        AND right(c.relname, 7) >= next.month
                )
            )::int
        FROM pg_class parent, next
        WHERE parent.relkind = 'p' AND parent.relnamespace = current_schema()::regnamespace
        ORDER BY 1""",
        ),
    ),
)
