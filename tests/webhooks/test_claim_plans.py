"""The claim reads as many rows as there are destinations, whatever the statistics say."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection

from tests.webhooks.conftest import merchant_at, publish
from webhooks import leases, waiting
from webhooks.index_reads import index_reads
from webhooks.models import Delivery

pytestmark = pytest.mark.django_db(transaction=True)
URL = "http://127.0.0.1:9000/hooks"
MERCHANTS, EACH = 40, 250
# What a healthy service leaves behind: all of it was delivered when the table was analysed.
DELIVERED = """
UPDATE webhooks_delivery SET status = 'DELIVERED', next_attempt_at = NULL, delivered_at = now()
"""
BACKLOG = """
INSERT INTO webhooks_delivery (id, event_id, merchant_id, cause, status, attempts, next_attempt_at,
                               created_at)
SELECT 'del_' || lpad((row_number() OVER ())::text, 26, '0'), d.event_id, d.merchant_id, d.cause,
       'PENDING', 0, d.created_at, d.created_at
FROM webhooks_delivery d, generate_series(1, %s) AS n
"""


@pytest.fixture
def misjudged_backlog() -> datetime:
    """10,000 rows are due, and the statistics are from a time without any."""
    for number in range(MERCHANTS):
        publish(merchant_at(URL), number)
    with connection.cursor() as cursor:
        cursor.execute(DELIVERED)
        cursor.execute("VACUUM ANALYZE webhooks_delivery")
        cursor.execute(BACKLOG, [EACH])
    return datetime.now(UTC)


def rows_read(statement: str, values: dict[str, Any], table: str = "webhooks_delivery") -> int:
    """By all parts of the plan together."""
    with index_reads() as cursor:
        cursor.execute("EXPLAIN (ANALYZE, FORMAT JSON) " + statement, values)
        return rows_of(cursor.fetchone()[0][0]["Plan"], table)


def rows_of(part: dict[str, Any], table: str) -> int:
    own = 0
    if part.get("Relation Name") == table and "Scan" in part["Node Type"]:
        seen = part["Actual Rows"] + part.get("Rows Removed by Filter", 0)
        own = round(seen * part["Actual Loops"])
    return own + sum(rows_of(below, table) for below in part.get("Plans", []))


def test_claim_reads_one_row_of_each_destination(misjudged_backlog: datetime) -> None:
    values = {"now": misjudged_backlog, "cap": 16, "endpoint_cap": 4, "size": 100}
    assert rows_read(leases._LOCK_DESTINATIONS, values) <= 3 * MERCHANTS
    assert len(leases.claim(now=misjudged_backlog, size=100)) == 100


def test_claim_reads_only_the_merchants_that_it_locks(misjudged_backlog: datetime) -> None:
    values = {"now": misjudged_backlog, "cap": 16, "endpoint_cap": 4, "size": 5}
    assert rows_read(leases._LOCK_DESTINATIONS, values, "merchants_merchant") == 5


def test_waiting_deliveries_are_found_by_their_index(misjudged_backlog: datetime) -> None:
    Delivery.objects.filter(status="PENDING").update(status="WAITING", next_attempt_at=None)
    values = {"now": misjudged_backlog, "size": 2}
    # One for each destination, and twice two of each: found, then written.
    assert rows_read(waiting._MARK_PENDING, values) <= 8 * MERCHANTS


def test_settings_of_the_planner_end_with_the_transaction() -> None:
    with index_reads() as cursor:
        cursor.execute("SHOW enable_sort")
        assert cursor.fetchone() == ("off",)
    with connection.cursor() as cursor:
        cursor.execute("SHOW enable_sort")
        assert cursor.fetchone() == ("on",)
