from payments.core.metrics import AppMetrics, MetricQuery, age

METRICS = AppMetrics(
    queries=(
        MetricQuery(
            ("account",),
            {
                "pasarela_payment_lines_waiting": "Lines of payment files that the bank has not"
                " paid or refused yet.",
                "pasarela_payment_lines_oldest_seconds": "Age of the oldest of them.",
            },
            """SELECT account, count(*), extract(epoch FROM %(now)s - min(created_at))
                FROM (SELECT account, created_at FROM payment_files_batchline
                    WHERE status = 'PENDING' LIMIT %(cap)s) AS line
                GROUP BY account""",
        ),
        MetricQuery(
            (),
            {
                "pasarela_payment_lines_exceptions": "Lines of payment files that wait for an"
                " operator, because the bank shows something else."
            },
            """SELECT count(*) FROM (SELECT 1 FROM payment_files_batchline
                WHERE needs_operator LIMIT %(cap)s) AS line""",
        ),
    ),
    ages=(age("payment-lines", "payment_files_batchline", "report_at"),),
)
