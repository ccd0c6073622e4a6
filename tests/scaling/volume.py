"""What webhook history costs at size: python -m tests.scaling.volume 100000 1000000 5000000

Fills events, deliveries and attempts by SQL in a throw-away PostgreSQL, then times what the
service does with them. The answer to whether these tables need partitions (docs/scaling.md).
"""

import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

MERCHANTS = 50
DUE = 1000  # deliveries that wait, whatever the size
PUBLISHED = 500
PURGED = 10_000
REPEATS = 15
# Together what was published: an empty claim would say nothing.
CLAIMS, CLAIMED = 5, 100
# Sorts like ours: a prefix, and digits that grow with the row. Two days ago and older.
BODY = '{"event":"payment.completed","data":{"note":"%s"},"timestamp":"2026-01-31T15:04:05.123Z"}'
FILL = """
SET LOCAL session_replication_role = replica;
INSERT INTO webhooks_event (id, merchant_id, kind, subject_id, body, dedupe_key, created_at)
SELECT 'evt_0' || lpad(n::text, 25, '0'), m.ids[1 + n % {merchants}], 'payment.completed',
    'col_0' || lpad(n::text, 25, '0'), convert_to('{body}', 'UTF8'),
    'payment.completed:col_0' || lpad(n::text, 25, '0'),
    now() - interval '2 days' - ({size} - n) * interval '1 second'
FROM generate_series({first}, {size}) AS n, (SELECT array_agg(id) AS ids FROM merchants_merchant) m;
INSERT INTO webhooks_eventkey (dedupe_key, event_id)
SELECT dedupe_key, id FROM webhooks_event WHERE id BETWEEN 'evt_0' || lpad({first}::text, 25, '0')
    AND 'evt_0' || lpad({size}::text, 25, '0');
INSERT INTO webhooks_eventnumber (event_id, merchant_id, number)
SELECT id, merchant_id, {first} + row_number() OVER (ORDER BY id) FROM webhooks_event
WHERE id BETWEEN 'evt_0' || lpad({first}::text, 25, '0')
    AND 'evt_0' || lpad({size}::text, 25, '0');
INSERT INTO webhooks_delivery (id, event_id, merchant_id, cause, status, attempts,
    next_attempt_at, created_at, delivered_at)
SELECT 'del' || substr(id, 4), id, merchant_id, 'event', 'DELIVERED', 1, NULL, created_at,
    created_at
FROM webhooks_event WHERE id BETWEEN 'evt_0' || lpad({first}::text, 25, '0')
    AND 'evt_0' || lpad({size}::text, 25, '0');
INSERT INTO webhooks_attempt (id, delivery_id, number, url, started_at, duration_ms,
    response_status, response_excerpt, error)
SELECT 'att' || substr(id, 4), 'del' || substr(id, 4), 1, 'https://shop.example/webhooks/pasarela',
    created_at, 120, 200, '{{"received":true}}', ''
FROM webhooks_event WHERE id BETWEEN 'evt_0' || lpad({first}::text, 25, '0')
    AND 'evt_0' || lpad({size}::text, 25, '0');
"""
TABLES = ("webhooks_event", "webhooks_eventnumber", "webhooks_delivery", "webhooks_attempt")
FORGET = """
DELETE FROM webhooks_attempt WHERE id = ANY (ARRAY(
    SELECT id FROM webhooks_attempt ORDER BY id LIMIT %s))
"""


def main(sizes: list[int]) -> None:
    """One line for each size."""
    from tests.support import services

    services.start()
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    make_merchants()
    print(f"load of the machine: {os.getloadavg()[0]:.1f}", flush=True)
    filled = 0
    for size in sizes:
        began = time.monotonic()
        fill(filled + 1, size)
        filled = size
        facts = measure(size)
        seconds, load = time.monotonic() - began, os.getloadavg()[0]
        print(
            f"{size:>9,} rows each: {facts}  ({seconds:.0f} s in all, load {load:.0f})", flush=True
        )
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")


def make_merchants() -> None:
    from tests.support.factories import MerchantFactory

    for number in range(MERCHANTS):
        MerchantFactory(name=f"Tienda {number}", email=f"t{number}@example.com")


def fill(first: int, size: int) -> None:
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")
        body = BODY % ("x" * 340)
        text = FILL.format(first=first, size=size, merchants=MERCHANTS, body=body)
        for statement in filter(str.strip, text.split(";\n")):
            cursor.execute(statement)
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        for table in TABLES:
            cursor.execute(f"VACUUM ANALYZE {table}")


def measure(size: int) -> str:
    from payments.core import clock
    from webhooks import feed, leases
    from webhooks.models import Attempt, Delivery, Event

    merchant = Event.objects.order_by("id").first().merchant
    rate = publish_rate()
    claimed: list[int] = []
    ask = timed(lambda: claimed.append(len(leases.claim(now=clock.now(), size=CLAIMED))), CLAIMS)
    assert claimed == [CLAIMED] * CLAIMS, claimed
    middle = f"evt_0{size // 2 // MERCHANTS * MERCHANTS:025d}"
    at_middle = Event.objects.get(pk=middle)
    follow = timed(lambda: feed.read(merchant_id=at_middle.merchant_id, after=middle, limit=100))
    rows = Delivery.objects.select_related("event", "merchant").defer("event__body")
    newest = timed(lambda: list(rows.order_by("-id")[:100]))
    one = rows.filter(merchant=merchant)
    of_one = timed(lambda: list(one.order_by("-created_at", "-id")[:100]))
    history = timed(lambda: list(Attempt.objects.filter(delivery=f"del_0{size // 2:025d}")))
    return (
        f"publish {rate:,.0f}/s, claim of 100 {ask}, feed page {follow}, list {newest},"
        f" list of one merchant {of_one}, attempts of one {history},"
        f" delete {PURGED:,} attempts {forget():,.0f} ms, {gigabytes():.2f} GB"
    )


def publish_rate() -> float:
    """Events a second, each with its delivery, a transaction each."""
    from merchants.models import Merchant
    from payments.core import clock
    from webhooks import services

    merchants = list(Merchant.objects.all())
    began = time.perf_counter()
    for number in range(PUBLISHED):
        services.publish(
            services.NewEvent(
                merchant=merchants[number % MERCHANTS],
                kind="payment.completed",
                subject_id="col_x",
                data={"id": "col_x", "amount": 50000, "note": "x" * 300},
                now=clock.now(),
            )
        )
    return PUBLISHED / (time.perf_counter() - began)


def timed(act: Callable[[], Any], repeats: int = REPEATS) -> str:
    """The median, in milliseconds."""
    took = []
    for _ in range(repeats):
        began = time.perf_counter()
        act()
        took.append((time.perf_counter() - began) * 1000)
    return f"{statistics.median(took):.1f} ms"


def forget() -> float:
    """Milliseconds to delete the oldest attempts; rolled back."""
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # they are append-only
        began = time.perf_counter()
        cursor.execute(FORGET, [PURGED])
        took = (time.perf_counter() - began) * 1000
        assert cursor.rowcount == PURGED
        transaction.set_rollback(True)
    return took


def gigabytes() -> float:
    """With the indexes."""
    from django.db import connection

    with connection.cursor() as cursor:
        names = "SELECT sum(pg_total_relation_size(t::regclass)) FROM unnest(%s::text[]) AS t"
        cursor.execute(names, [list(TABLES)])
        return float(cursor.fetchone()[0]) / 1e9


if __name__ == "__main__":
    main([int(text) for text in sys.argv[1:]] or [100_000, 1_000_000])
