"""What lists cost as one merchant's orders grow: python -m tests.scaling.orders 10000 5000000

Fills orders and their tallies by SQL in a throw-away PostgreSQL, then times the pages that people
and programs open (docs/scaling.md). Runs alone.
"""

import os
import statistics
import sys
import time
from typing import Any

REPEATS = 9
FILL = """
INSERT INTO collect_order (id, merchant_id, reference, token, currency, amount, base_amount,
    fee_amount, description, customer_name, customer_email, customer_doc_type,
    customer_doc_number, customer_document, allowed_methods, metadata, status, expires_at,
    paid_at, refunded_amount, created_at, updated_at, fingerprint)
SELECT 'col_0' || lpad(n::text, 25, '0'), %(merchant)s, 'ref-' || n, 'tok-' || n, 'COP', 50025,
    50000, 25, 'Pedido', 'Ana', 'ana' || n %% 100000 || '@example.com', 'CC', (n %% 100000)::text,
    'CC:' || n %% 100000, '{PSE}', '{}', s.status, s.at + interval '1 hour',
    CASE s.status WHEN 'COMPLETED' THEN s.at END, 0, s.at, s.at, '\\x00'
FROM generate_series(%(first)s::bigint, %(size)s::bigint) AS n, LATERAL (SELECT
    now() - interval '6 hours' - (%(most)s::bigint - n) * interval '1 second' * %(gap)s::float8
        AS at,
    CASE WHEN n %% 20 < 14 THEN 'COMPLETED' WHEN n %% 20 < 19 THEN 'EXPIRED' ELSE 'FAILED' END
        AS status) AS s
"""
TALLY = """
INSERT INTO collect_ordertally (merchant_id, day, currency, status, orders, amount)
SELECT merchant_id, (created_at AT TIME ZONE 'UTC')::date, currency, status, count(*), sum(amount)
FROM collect_order GROUP BY 1, 2, 3, 4
"""
PAID_TALLY = """
INSERT INTO collect_paidtally (merchant_id, day, currency, orders, amount)
SELECT merchant_id, (paid_at AT TIME ZONE 'America/Bogota')::date, currency, count(*), sum(amount)
FROM collect_order WHERE paid_at IS NOT NULL GROUP BY 1, 2, 3
"""
YEAR_SECONDS = 365 * 86_400


def main(sizes: list[int]) -> None:
    os.environ["CONSOLE_SECOND_FACTOR"] = "0"
    from tests.support import services

    services.start()
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    from tests.support.factories import MerchantFactory, issue_key

    merchant = MerchantFactory()
    key, secret = issue_key(merchant)
    first = 1
    for size in sizes:
        began = time.monotonic()
        fill(merchant.pk, first, size, max(sizes))
        first = size + 1
        print(f"{size:,} orders, filled in {time.monotonic() - began:.0f} s", flush=True)
        measure(merchant, size, {"X-Api-Key": key.public_key, "X-Api-Secret": secret})


def fill(merchant: str, first: int, size: int, most: int) -> None:
    from django.db import connection

    insert(merchant, first, size, most)
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute("VACUUM ANALYZE collect_order, collect_ordertally, collect_paidtally")


def insert(merchant: str, first: int, size: int, most: int) -> None:
    """A year of orders when all are there. The triggers do not run; their tallies are written."""
    from django.db import connection, transaction

    values = {"merchant": merchant, "first": first, "size": size, "most": most}
    values["gap"] = YEAR_SECONDS / most
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(FILL, values)
        cursor.execute("DELETE FROM collect_ordertally; DELETE FROM collect_paidtally")
        cursor.execute(TALLY)
        cursor.execute(PAID_TALLY)
        cursor.execute("SET LOCAL session_replication_role = origin")


def measure(merchant: Any, size: int, headers: dict[str, str]) -> None:
    from django.contrib.auth.models import User
    from django.test import Client, override_settings

    user, _ = User.objects.get_or_create(username="ana", is_staff=True, is_superuser=True)
    browser = Client()
    browser.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    api, orders = Client(headers=headers), "/admin/collect/order/"
    pages = {
        "GET /collect": (api, "/api/v1/collect?limit=20"),
        "by status": (api, "/api/v1/collect?limit=20&status=FAILED"),
        "far page": (api, f"/api/v1/collect?limit=20&offset={size * 9 // 10}"),
        "by reference": (api, f"/api/v1/collect?reference=ref-{size // 2}"),
        "stats": (api, "/api/v1/collect/stats"),
        "one order": (api, f"/api/v1/collect/col_0{size // 2:025d}"),
        "console: orders": (browser, orders),
        "console: by status": (browser, f"{orders}?status__exact=FAILED"),
        "console: search": (browser, f"{orders}?q=ref-{size // 2}"),
        "console: e-mail": (browser, f"{orders}?q=ana77@example.com"),
        "console: last page": (browser, f"{orders}?p={size // 100 - 1}"),
        "console: analytics": (browser, f"{orders}analytics/"),
        "console: first page": (browser, "/admin/"),
        "console: merchant": (browser, f"/admin/merchants/merchant/{merchant.pk}/change/"),
    }
    with override_settings(ALLOWED_HOSTS=["*"], RATE_LIMIT_READ=0):
        for name, (client, path) in pages.items():
            print(f"  {name:22} {timed(client, path)}", flush=True)


def timed(client: Any, path: str) -> str:
    from django.core.cache import cache
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    took, slowest = [], ""
    for _ in range(REPEATS):
        cache.clear()
        began = time.perf_counter()
        answer = client.get(path)
        took.append((time.perf_counter() - began) * 1000)
    cache.clear()
    with CaptureQueriesContext(connection) as captured:
        client.get(path)
    if captured.captured_queries:
        worst = max(captured.captured_queries, key=lambda each: float(each["time"]))
        slowest = f"slowest statement {float(worst['time']) * 1000:.0f} ms"
        if float(worst["time"]) > 0.1:
            slowest += f": {worst['sql'][:300]}"
    return f"{statistics.median(took):7.1f} ms  {answer.status_code}  {slowest}"


if __name__ == "__main__":
    main([int(text) for text in sys.argv[1:]] or [10_000, 1_000_000])
