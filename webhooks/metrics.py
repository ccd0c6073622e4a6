from payments.core.metrics import AppMetrics, MetricQuery

# Reads the index `delivery_due` from merchant to merchant, as leases.py does.
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
METRICS = AppMetrics(
    queries=(
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
    ),
    ages=(_OLDEST_DELIVERY, _OLDEST_UNNUMBERED),
)
