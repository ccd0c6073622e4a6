"""Fifty million rows in each large table, as the planner believes: no hot statement reads a table.

The rows are few, and the statistics say that they are many. So the plans are those of large tables,
and only plans are looked at.
"""

from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.celery import app
from config.metrics.collector import read_state
from merchants.models import Merchant
from payments.collect.models import Order
from payments.payout.models import Payout
from tests.admin.conftest import Console, url
from tests.support.fixtures import ApiClient
from tests.support.two_tenants import OTHER, OWN, furnish
from webhooks import feed
from webhooks.models import Delivery

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
ROWS = 50_000_000
MOST_COST = 100_000
EXPLAINED = ("SELECT", "WITH", "UPDATE", "INSERT", "DELETE")
# Those that grow with the traffic.
LARGE = (
    *("collect.order", "collect.charge", "collect.refund", "collect.receipt", "rates.quote"),
    *("payout.payout", "topup.topup", "bills.billpayment", "payout_batches.batchline"),
    *("ledger.entry", "ledger.posting", "core.transition", "core.auditentry", "api.apicall"),
    *("webhooks.event", "webhooks.delivery", "webhooks.attempt", "webhooks.eventnumber"),
)
# What few merchants share, however many rows there are.
SHARED = ("merchant_id", "status", "currency", "kind", "account_id", "method", "provider")
_GROW = """
SELECT pg_restore_relation_stats('schemaname', 'public', 'relname', relname,
    'relpages', greatest(pages, 1), 'reltuples', %(rows)s::real,
    'relallvisible', greatest(pages, 1))
FROM (
    SELECT relname::text, (pg_relation_size(oid) / 8192)::int AS pages FROM pg_class
    WHERE relkind = 'r' AND (relname = %(table)s OR oid IN (
        SELECT inhrelid FROM pg_inherits WHERE inhparent = %(table)s::regclass))
) AS part
"""
_SHARE = """
UPDATE pg_statistic SET stadistinct = 50
FROM pg_attribute
WHERE starelid = attrelid AND staattnum = attnum AND attname = ANY(%s) AND stadistinct < 0
"""
# All rows are of this minute, and no file is old. Without statistics of times the planner takes a
# span of them for few rows.
_TIMES = """
DELETE FROM pg_statistic USING pg_attribute
WHERE starelid = attrelid AND staattnum = attnum AND (attname ~ '_at$' OR attname = 'at')
"""
_CELLS = """
UPDATE pg_statistic SET stanullfrac = 0.9999
FROM pg_attribute WHERE starelid = attrelid AND staattnum = attnum AND attname = 'cells'
"""
_DELIVERED = """
SELECT pg_restore_attribute_stats('schemaname', 'public', 'relname', 'webhooks_delivery',
    'attname', 'status', 'inherited', false, 'null_frac', 0::real, 'n_distinct', 4::real,
    'most_common_vals', '{DELIVERED,PENDING,FAILED}',
    'most_common_freqs', '{0.999,0.0005,0.0004}'::real[])
"""
# Of few rows each value is a frequent one. Of many, an entry still has three postings.
_OWN = """
UPDATE pg_statistic SET stakind1 = 0
FROM pg_attribute
WHERE starelid = attrelid AND staattnum = attnum AND attname <> ALL(%s) AND stadistinct < 0
    AND stakind1 = 1
"""


@pytest.fixture
def console() -> Console:
    browser = Console()
    browser.force_login(User.objects.create_superuser("ana"))
    return browser


@pytest.fixture
def large(merchant: Merchant, stranger: Merchant) -> None:
    furnish(merchant, OWN)
    furnish(stranger, OTHER)
    feed.number_due()
    with connection.cursor() as cursor:
        for table in (apps.get_model(label)._meta.db_table for label in LARGE):
            cursor.execute(f"ANALYZE {table}")
            cursor.execute(_GROW, {"table": table, "rows": ROWS})
        cursor.execute(_SHARE, [list(SHARED)])
        cursor.execute(_OWN, [list(SHARED)])
        cursor.execute(_TIMES)
        cursor.execute(_CELLS)
        cursor.execute(_DELIVERED)


def plan_of(statement: str) -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN (FORMAT JSON) " + statement.replace("%", "%%"), [])
        plan: dict[str, Any] = cursor.fetchone()[0][0]["Plan"]
    return plan


def dear(statements: list[str]) -> dict[str, str]:
    """{statement: its cost, of which reading a whole table alone would be 500,000}."""
    found = {}
    for statement in statements:
        if not statement.lstrip().upper().startswith(EXPLAINED):
            continue
        plan = plan_of(statement)
        if plan["Total Cost"] > MOST_COST:
            found[statement] = f"{plan['Total Cost']:,.0f}"
    return found


API = (
    "/collect",
    "/collect?status=PENDING",
    "/collect?status=COMPLETED&limit=100",
    "/collect?offset=1000",
    "/collect?reference=PROPIO-1",
    "/collect?createdFrom=2026-01-01T00:00:00Z",
    "/collect?createdFrom=2026-01-01T00:00:00Z&createdTo=2027-01-01T00:00:00Z&status=FAILED",
    "/collect/stats",
    "/payout",
    "/payout?status=COMPLETED",
    "/topup",
    "/events",
    "/balance",
)


@pytest.mark.parametrize("path", API)
def test_no_route_reads_a_table_of_fifty_million_rows(
    path: str, api: ApiClient, large: None
) -> None:
    with CaptureQueriesContext(connection) as asked:
        status = api.get(path).status_code
    assert status == 200, status
    assert dear([query["sql"] for query in asked]) == {}


CONSOLE = (
    *("collect_order", "collect_charge", "collect_refund", "payout_payout", "topup_topup"),
    *("bills_billpayment", "ledger_entry", "ledger_posting", "webhooks_event"),
    *("webhooks_delivery", "core_auditentry", "core_transition", "api_apicall"),
)


@pytest.mark.parametrize("name", CONSOLE)
def test_no_list_of_the_console_reads_a_table_of_fifty_million_rows(
    name: str, console: Console, large: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Two rows are more than a page.
    page = admin.site.get_model_admin(apps.get_model(name.replace("_", ".", 1)))
    monkeypatch.setattr(page, "list_per_page", 1)
    with CaptureQueriesContext(connection) as asked:
        assert console.get(url(f"{name}_changelist")).status_code == 200
    assert dear([query["sql"] for query in asked]) == {}


@pytest.mark.parametrize("model", [Order, Payout, Delivery])
def test_no_record_of_the_console_reads_a_table_of_fifty_million_rows(
    model: type, console: Console, large: None
) -> None:
    meta = model._meta  # type: ignore[attr-defined]
    row = model.objects.latest("pk")  # type: ignore[attr-defined]
    with CaptureQueriesContext(connection) as asked:
        page = console.get(url(f"{meta.app_label}_{meta.model_name}_change", row.pk))
    assert page.status_code == 200
    assert dear([query["sql"] for query in asked]) == {}


# Reads the postings since its last run, which are all of them here.
SINCE_THE_LAST_RUN = {"ledger-totals"}


@pytest.mark.parametrize("name", sorted(settings.CELERY_BEAT_SCHEDULE.keys() - SINCE_THE_LAST_RUN))
def test_no_task_of_the_clock_reads_a_table_of_fifty_million_rows(name: str, large: None) -> None:
    entry = settings.CELERY_BEAT_SCHEDULE[name]
    app.loader.import_default_modules()
    with CaptureQueriesContext(connection) as asked:
        app.tasks[entry["task"]].apply(args=entry.get("args", ()), throw=True)
    assert dear([query["sql"] for query in asked]) == {}


def test_no_metric_reads_a_table_of_fifty_million_rows(large: None) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert len(list(read_state())) > 10
    assert len(asked) > 10
    assert dear([query["sql"] for query in asked]) == {}


def test_statistics_are_believed(large: None) -> None:
    """Else the tests above could not fail."""
    assert dear(["SELECT * FROM collect_order WHERE description = 'x'"])
