"""The chart of what was collected by day says what the rows of the orders say."""

import time
from datetime import timedelta
from decimal import Decimal
from importlib import import_module
from threading import Thread
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection, connections, transaction
from django.test.utils import CaptureQueriesContext

from merchants.models import Merchant
from payments.collect.admin import overview
from payments.collect.models import Order, PaidTally
from payments.console.formatting import amount
from payments.core import clock
from tests.admin.conftest import Console
from tests.admin.test_chart_days import HOURS, TODAY, YESTERDAY, at
from tests.admin.test_dashboard import make
from tests.support.charges import create, say, start, status_of
from tests.support.database import triggers_asleep
from tests.support.fixtures import ApiClient
from tests.support.funds import fund
from tests.support.invariants import paid_days_counted, paid_days_kept
from tests.support.refunds import approve, asked, paid

pytestmark = pytest.mark.django_db
# Longer than the wait of any test for a lock.
PATIENCE = 20
migration = import_module("payments.collect.migrations.0026_fill_paid_days")


@pytest.fixture(autouse=True)
def _fresh() -> None:
    cache.clear()


def pay(api: ApiClient, **changes: Any) -> Order:
    order = create(api, **changes)
    say(start(order), "SUCCEEDED", order.amount)
    assert status_of(order) == "COMPLETED"
    return order


def collected(console: Console) -> dict[str, list[str]]:
    """{day: sum in pesos} of the chart, its newest day first."""
    return dict(console.page("index").context["charts"][0]["rows"])


def counted_pesos(day: str) -> list[str]:
    """The same from the rows."""
    found = [total for key, (_n, total) in paid_days_counted().items() if f"{key[1]}" == day]
    return [amount(sum(found, Decimal(0)), "COP")]


@pytest.mark.parametrize("hour", HOURS)
def test_chart_has_each_payment_on_its_day_in_bogota_at_once(
    hour: str, console: Console, api: ApiClient, stranger: Merchant
) -> None:
    with at(YESTERDAY, hour):
        pay(api, amount=10_000)
        pay(ApiClient(stranger), amount=20_000)
        create(api)  # stays unpaid
    with at(TODAY, "23:59"):
        assert collected(console)[TODAY] == ["0 COP"]
        cache.clear()
        pay(api, amount=40_000)
        rows = collected(console)
        assert rows[TODAY] == counted_pesos(TODAY) != ["0 COP"]
        assert rows[YESTERDAY] == counted_pesos(YESTERDAY) != ["0 COP"]
    assert paid_days_kept() == paid_days_counted()
    assert sum(count for count, _total in paid_days_kept().values()) == 3


def test_orders_that_end_unpaid_leave_what_was_collected(console: Console, api: ApiClient) -> None:
    with at(TODAY, "12:00"):
        pay(api)
        before = collected(console)
        make(api, "FAILS", status="FAILED")
        make(api, "EXPIRES", status="EXPIRED")
        cache.clear()
        assert collected(console) == before
        assert before[TODAY] == counted_pesos(TODAY) != ["0 COP"]
    assert paid_days_kept() == paid_days_counted()


def test_refund_leaves_what_was_collected(
    console: Console, api: ApiClient, merchant: Merchant
) -> None:
    fund(merchant, 1_000)  # the payer's fee is refunded, too
    order = paid(api)
    before = collected(console)
    approve(asked(api, order))
    cache.clear()
    assert collected(console) == before
    assert paid_days_kept() == paid_days_counted() != {}


def test_corrected_day_of_payment_moves_the_amount(api: ApiClient) -> None:
    with at(TODAY, "12:00"):
        order, other = pay(api), pay(api, amount=7_000)
        for changed in (
            clock.now() - timedelta(days=3),
            clock.now() - timedelta(days=3, minutes=1),
            None,
            clock.now(),
        ):
            Order.objects.filter(pk=order.pk).update(paid_at=changed)
            assert paid_days_kept() == paid_days_counted()
        Order.objects.filter(pk=other.pk).update(paid_at=None)
    assert list(paid_days_kept().values()) == [(1, order.amount)]


def test_each_merchant_reads_its_own_days(
    api: ApiClient, merchant: Merchant, stranger: Merchant
) -> None:
    with at(TODAY, "12:00"):
        ours, theirs = pay(api, amount=10_000), pay(ApiClient(stranger), amount=30_000)
        now = clock.now()
        read = overview.collected_by_day
        (mine,) = read(frozenset({merchant.pk}), now).values()
        assert mine == {"COP": (1, ours.amount)}
        (everyone,) = read(None, now).values()
        assert everyone == {"COP": (2, ours.amount + theirs.amount)}
        assert read(frozenset(), now) == {}


def test_days_of_payment_are_read_from_the_tally_alone(api: ApiClient) -> None:
    pay(api)
    with CaptureQueriesContext(connection) as asked:
        overview.collected_by_day(None, clock.now())
    assert len(asked) == 1
    assert "collect_order" not in asked[0]["sql"].replace("collect_ordertally", "")


def test_migration_counts_what_was_paid_before_it(api: ApiClient) -> None:
    for day in (TODAY, YESTERDAY):
        with at(day, "19:01"):
            pay(api)
    with at("2025-11-02", "00:10"):
        pay(api)
    with triggers_asleep():
        PaidTally.objects.filter(day=YESTERDAY).update(orders=5)
        PaidTally.objects.exclude(day=YESTERDAY).delete()
    assert paid_days_kept() != paid_days_counted()
    for _ in range(2):
        with connection.schema_editor(atomic=False) as editor:
            migration.fill(None, editor)
        assert paid_days_kept() == paid_days_counted()


def waits_for_the_counts() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'collect_paidtally'::regclass"
        )
        return cursor.fetchone() is not None


@pytest.mark.django_db(transaction=True)
def test_payment_that_commits_during_the_migration_is_counted_once(api: ApiClient) -> None:
    first, second = create(api), create(api)
    failures: list[BaseException] = []

    def count() -> None:
        try:
            with connection.schema_editor(atomic=False) as editor:
                migration.fill(None, editor)
        except BaseException as error:
            failures.append(error)
        finally:
            connections.close_all()

    now = clock.now()
    Order.objects.filter(pk=first.pk).update(status="COMPLETED", paid_at=now)
    thread = Thread(target=count)
    with transaction.atomic():
        Order.objects.filter(pk=second.pk).update(status="COMPLETED", paid_at=now)
        thread.start()
        began = time.monotonic()
        while not waits_for_the_counts():
            assert thread.is_alive(), failures
            assert time.monotonic() - began < PATIENCE
            time.sleep(0.01)
    thread.join(PATIENCE)
    assert not failures
    assert paid_days_kept() == paid_days_counted()
    ((count_kept, _total),) = paid_days_kept().values()
    assert count_kept == 2
