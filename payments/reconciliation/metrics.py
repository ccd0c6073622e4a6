from payments.core.metrics import AppMetrics, MetricQuery, age

_TODAY = "(%(now)s AT TIME ZONE 'America/Bogota')::date"
METRICS = AppMetrics(
    queries=(
        MetricQuery(
            ("account",),
            {
                "pasarela_reconciliation_differences": "Open differences between our books, the"
                " provider and the bank.",
                "pasarela_reconciliation_overdue": "Those of them that are past their time.",
                "pasarela_reconciliation_oldest_days": "Days since the day of the oldest of them.",
            },
            f"""SELECT account, count(*), count(*) FILTER (WHERE due_on < {_TODAY}),
                {_TODAY} - min(day)
            FROM (SELECT account, day, due_on FROM reconciliation_daydifference
                WHERE closed_at IS NULL LIMIT %(cap)s) AS difference
            GROUP BY account""",  # noqa: S608
        ),
        MetricQuery(
            ("account",),
            {
                "pasarela_reconciliation_red_days": "Days with a difference that is past its time.",
            },
            """SELECT account, count(*) FROM (SELECT account FROM reconciliation_reconciledday
                WHERE status = 'RED' LIMIT %(cap)s) AS day
            GROUP BY account""",
        ),
    ),
    ages=(
        age("bank-lines", "reconciliation_statementline", "match_at"),
        age("bank-uploads", "reconciliation_statementupload", "due_at"),
    ),
)
