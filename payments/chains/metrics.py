from payments.core.metrics import AppMetrics, MetricQuery, age

_CURSORS = "(SELECT * FROM chains_chaincursor ORDER BY account LIMIT %(cap)s) AS cursor"
METRICS = AppMetrics(
    queries=(
        MetricQuery(
            ("account", "network"),
            {
                "pasarela_chain_tip_age_seconds": "Age of the newest block that the node showed.",
                "pasarela_chain_scan_age_seconds": "Time since the chain was last followed.",
                "pasarela_chain_lag_blocks": "Blocks of the node that are not read yet.",
                "pasarela_chain_problem": "1 while the chain cannot be followed.",
            },
            f"""SELECT account, network,
                extract(epoch FROM %(now)s - tip_time), extract(epoch FROM %(now)s - scanned_at),
                greatest(tip_height - height, 0), (problem <> '')::int FROM {_CURSORS}""",  # noqa: S608
        ),
        MetricQuery(
            (),
            {
                "pasarela_chain_contradicted_deposits": "Final deposits that are no longer on the"
                " chain, and that an operator has not acknowledged."
            },
            """SELECT count(*) FROM (SELECT 1 FROM chains_deposit
                WHERE contradicted_at IS NOT NULL AND acknowledged_at IS NULL
                LIMIT %(cap)s) AS found""",
        ),
    ),
    ages=(age("collect-coins", "chains_coinaddress", "report_at"),),
)
