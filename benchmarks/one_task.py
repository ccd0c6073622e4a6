"""One Celery task for each delivery, as a tutorial would: claim the row, send, record, next.

`python -m benchmarks.one_task QUEUE` reads ids from standard input and enqueues them. Rows, bodies
and signatures are the service's; its own pump does not run at the same time.
"""

import http.client
import sys
import time
import uuid
from datetime import UTC, datetime
from urllib.parse import urlsplit

import django
from celery import Celery
from django.db import connection, transaction

_CLAIM = """
UPDATE webhooks_delivery d
SET lease_token = %s, leased_until = now() + interval '30 s',
    next_attempt_at = now() + interval '30 s'
FROM webhooks_event e, merchants_merchant m
WHERE d.id = %s AND d.status = 'PENDING' AND d.lease_token IS NULL
    AND e.id = d.event_id AND m.id = d.merchant_id
RETURNING e.id, e.body, m.webhook_url, m.webhook_secret
"""
_RECORD = """
UPDATE webhooks_delivery
SET status = 'DELIVERED', attempts = 1, next_attempt_at = NULL, delivered_at = now(),
    lease_token = NULL, leased_until = NULL
WHERE id = %s AND lease_token = %s
"""
_NOTE = """
INSERT INTO webhooks_attempt (id, delivery_id, number, url, started_at, duration_ms,
                              response_status, response_excerpt, error)
VALUES (%s, %s, 1, %s, %s, %s, %s, %s, '')
"""

django.setup()
app = Celery("baseline")
app.config_from_object("django.conf:settings", namespace="CELERY")


@app.task(name="baseline.deliver")
def deliver(delivery_id: str) -> None:
    """Three steps; the worker waits for the receiver."""
    from payments.core.ids import new_id
    from webhooks import leases, signing

    token, started = uuid.uuid4(), datetime.now(UTC)
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, [token, delivery_id])
        event, body, url, encrypted = cursor.fetchone()
    secret = leases._decrypted(encrypted) or ""
    headers = signing.headers(
        event_id=event, attempt=1, body=bytes(body), secret=secret, at=started
    )
    began = time.perf_counter()
    status, excerpt = _post(url, bytes(body), headers)
    duration = round((time.perf_counter() - began) * 1000)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_RECORD, [delivery_id, token])
        attempt = [new_id("att"), delivery_id, url, started, duration, status, excerpt]
        cursor.execute(_NOTE, attempt)


def _post(url: str, body: bytes, headers: dict[str, str]) -> tuple[int, str]:
    target = urlsplit(url)
    receiver = http.client.HTTPConnection(target.hostname or "", target.port, timeout=10)
    try:
        receiver.request("POST", target.path, body, headers)
        answer = receiver.getresponse()
        return answer.status, answer.read(4096).decode()
    finally:
        receiver.close()


if __name__ == "__main__":
    for line in sys.stdin:
        deliver.apply_async([line.strip()], queue=sys.argv[1])
