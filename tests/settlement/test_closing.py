"""Closing days: figures equal to the ledger's, once, at Bogotá's midnight."""

import itertools
import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from merchants.models import Merchant
from payments.ledger import services as ledger
from payments.ledger.models import Entry, Posting
from payments.settlement.models import Settlement, SettlementLine
from payments.settlement.services import day_closing
from payments.settlement.services.day_closing import DayIsOpen, Due
from tests.support.settlement_days import MONDAY, ONE_DAY, TUESDAY, Till, at, night_after
from webhooks.models import Event

pytestmark = pytest.mark.django_db


def figures(row: Settlement) -> tuple[str, ...]:
    """collected, fee, tax, net, refunded as plain integers."""
    values = (row.collected, row.fee, row.tax, row.net, row.refunded)
    return tuple(f"{value:f}".rstrip("0").rstrip(".") for value in values)


def test_closed_day_has_the_sums_of_its_orders_and_refunds(till: Till) -> None:
    till.collect(at(MONDAY))
    till.collect(at(MONDAY, "23:59:59.999"), base="100000", fee="50", excess="700")
    till.refund(at(MONDAY, "23:59:59.999"), "20000")
    row = till.close(MONDAY)
    assert figures(row) == ("150075", "75", "0", "150000", "20000")
    assert (row.order_count, row.refund_count) == (2, 1)
    assert (row.opening_balance, row.closing_balance) == (0, 130000)
    assert row.closed_at == night_after(MONDAY)
    assert ledger.verify().problems == []


def test_the_days_edges_are_bogotas_midnight(till: Till) -> None:
    """04:59:59.999Z is still the day before, 05:00:00Z is not."""
    edge = datetime(2026, 3, 3, 5, tzinfo=UTC)
    till.collect(datetime(2026, 3, 2, 4, 59, 59, 999999, tzinfo=UTC), base="1", fee="0")
    till.collect(datetime(2026, 3, 2, 5, tzinfo=UTC), base="10", fee="0")
    till.collect(edge - timedelta(microseconds=1), base="100", fee="0")
    till.collect(edge, base="1000", fee="0")
    assert day_closing.close_due(now=night_after(TUESDAY)) == 3
    days = Settlement.objects.order_by("date").values_list("date", "net")
    assert list(days) == [(MONDAY - ONE_DAY, 1), (MONDAY, 110), (TUESDAY, 1000)]


def test_a_refund_at_midnight_is_of_the_day_that_begins(till: Till) -> None:
    edge = datetime(2026, 3, 3, 5, tzinfo=UTC)
    till.collect(at(MONDAY))
    till.refund(edge - timedelta(microseconds=1), "100")
    till.refund(edge, "1000")
    till.refund(edge + ONE_DAY - timedelta(microseconds=1), "10000")
    till.refund(edge + ONE_DAY, "20000")
    assert day_closing.close_due(now=night_after(TUESDAY)) == 2
    days = Settlement.objects.order_by("date").values_list("date", "refunded", "refund_count")
    assert list(days) == [(MONDAY, 100, 1), (TUESDAY, 11000, 2)]


def test_a_day_waits_for_ten_past_midnight(till: Till) -> None:
    till.collect(at(MONDAY))
    for clock in ("00:00:00.000", "00:09:59.999"):
        now = at(TUESDAY, clock)
        assert day_closing.close_due(now=now) == 0
        with pytest.raises(DayIsOpen):
            day_closing.close_day(Due(till.merchant.pk, "COPM", MONDAY), now=now)
    assert day_closing.close_due(now=at(TUESDAY, "00:10:00.000")) == 1
    today = Due(till.merchant.pk, "COPM", TUESDAY)
    with pytest.raises(DayIsOpen):
        day_closing.close_day(today, now=night_after(MONDAY))


def test_closing_again_changes_nothing(till: Till, merchant: Merchant) -> None:
    merchant.event_kinds = ["settlement.closed"]
    merchant.save()
    till.collect(at(MONDAY))
    first = till.close(MONDAY)
    for now in (night_after(MONDAY), night_after(MONDAY) + timedelta(days=30)):
        assert day_closing.close_due(now=now) == 0
    again = till.close(MONDAY)
    assert (again.pk, again.closed_at) == (first.pk, first.closed_at)
    assert (Settlement.objects.count(), Event.objects.count()) == (1, 1)


def test_days_that_were_missed_are_closed_oldest_first(till: Till) -> None:
    for number in range(5):
        till.collect(at(MONDAY + number * ONE_DAY), base=f"{number + 1}", fee="0")
    assert day_closing.close_due(now=night_after(MONDAY + 9 * ONE_DAY)) == 5
    rows = list(Settlement.objects.order_by("date"))
    assert [row.net for row in rows] == [1, 2, 3, 4, 5]
    for before, after in itertools.pairwise(rows):
        assert before.closing_balance == after.opening_balance


def test_a_day_on_which_nothing_moved_has_no_settlement(till: Till) -> None:
    till.collect(at(MONDAY))
    till.collect(at(MONDAY + 3 * ONE_DAY))
    assert day_closing.close_due(now=night_after(MONDAY + 5 * ONE_DAY)) == 2
    closed = Due(till.merchant.pk, "COPM", TUESDAY)
    assert day_closing.close_day(closed, now=night_after(TUESDAY)) is None
    unknown = closed._replace(merchant_id="mer_unknown")
    assert day_closing.close_day(unknown, now=night_after(TUESDAY)) is None
    assert Settlement.objects.count() == 2


def test_a_day_without_a_collection_is_closed_too(till: Till) -> None:
    till.collect(at(MONDAY), base="5000")
    held = till.reserve(at(TUESDAY), amount="3000", fee=Decimal(500))
    till.close(MONDAY)
    row = till.close(TUESDAY)
    assert figures(row) == ("0", "0", "0", "0", "0")
    assert (row.opening_balance, row.opening_held) == (5000, 0)
    assert (row.closing_balance, row.closing_held) == (5000, 3500)
    # Only the held account moves on the third day.
    till.complete(held, at(TUESDAY + ONE_DAY))
    assert day_closing.close_due(now=night_after(TUESDAY + ONE_DAY)) == 1
    row = Settlement.objects.get(date=TUESDAY + ONE_DAY)
    assert (row.opening_balance, row.opening_held) == (5000, 3500)
    assert (row.closing_balance, row.closing_held) == (1500, 0)


def test_each_currency_has_its_own(till: Till) -> None:
    till.collect(at(MONDAY))
    till.collect(at(MONDAY), base="1000.5", fee="0.50025", currency="USDT", rail="CRYPTO")
    till.collect(at(MONDAY), base="0.5", fee="0.00025", currency="BTC", rail="CRYPTO")
    assert day_closing.close_due(now=night_after(MONDAY)) == 3
    rows = {row.currency: row for row in Settlement.objects.all()}
    assert figures(rows["COPM"])[:4] == ("50025", "25", "0", "50000")
    assert figures(rows["USDT"])[:4] == ("1001.00025", "0.50025", "0", "1000.5")
    assert figures(rows["BTC"])[:4] == ("0.50025", "0.00025", "0", "0.5")


def test_each_merchant_has_its_own(till: Till, stranger: Merchant) -> None:
    till.collect(at(MONDAY))
    Till(stranger).collect(at(MONDAY), base="7000", fee="4")
    assert day_closing.close_due(now=night_after(MONDAY)) == 2
    theirs = Settlement.objects.get(merchant=stranger)
    assert figures(theirs) == ("7004", "4", "0", "7000", "0")


def test_only_what_was_completed_counts_as_refunded(till: Till) -> None:
    till.collect(at(MONDAY), base="90000")
    failed = till.reserve(at(MONDAY), "refund", "10000")
    waiting = till.reserve(at(MONDAY), "refund", "20000")
    payout = till.reserve(at(MONDAY), "payout", "5000")
    till.release(failed, at(MONDAY))
    till.complete(payout, at(MONDAY))
    assert (till.close(MONDAY).refunded, till.close(MONDAY).refund_count) == (0, 0)
    till.complete(waiting, at(TUESDAY))
    row = till.close(TUESDAY)
    assert (row.refunded, row.refund_count) == (20000, 1)


def test_the_figures_are_those_of_the_postings(till: Till) -> None:
    """Counted another way: from the entries of the day, one by one."""
    for number in range(40):
        now = at(MONDAY + (number % 3) * ONE_DAY, f"{number % 24:02d}:30:00.000")
        till.collect(now, base=f"{1000 + 37 * number}", fee=f"{number % 5}")
    day_closing.close_due(now=night_after(MONDAY + 3 * ONE_DAY))
    # The books never go back in time: what is booked when is what the postings say.
    for row in Settlement.objects.all():
        entries = {
            posting.entry_id
            for posting in Posting.objects.filter(account__merchant=till.merchant)
            if (posting.created_at - timedelta(hours=5)).date() == row.date
        }
        lines = Posting.objects.filter(entry__in=entries).select_related("account")
        paid = -sum(line.amount for line in lines if line.account.kind == "clearing")
        fees = sum(line.amount for line in lines if line.account.kind == "fees")
        assert (row.collected, row.fee, row.order_count) == (paid, fees, len(entries))
        assert row.collected == row.net + row.fee


def test_the_event_is_sent_once_where_it_is_enabled(till: Till, merchant: Merchant) -> None:
    till.collect(at(MONDAY))
    till.close(MONDAY)
    assert not Event.objects.exists()
    merchant.event_kinds = ["settlement.closed"]
    merchant.save()
    till.collect(at(TUESDAY), base="1000", fee="1")
    till.refund(at(TUESDAY), "400")
    row = till.close(TUESDAY)
    event = Event.objects.get()
    assert (event.kind, event.subject_id) == ("settlement.closed", row.pk)
    assert json.loads(bytes(event.body)) == {
        "event": "settlement.closed",
        "timestamp": "2026-03-04T05:10:00.000Z",
        "data": {
            "id": row.pk,
            "date": "2026-03-03",
            "timezone": "America/Bogota",
            "currency": "COPM",
            "collected": 1001,
            "fee": 1,
            "tax": 0,
            "net": 1000,
            "refunded": 400,
            "orderCount": 1,
            "refundCount": 1,
            "closedAt": "2026-03-04T05:10:00.000Z",
        },
    }
    till.close(TUESDAY)
    assert Event.objects.count() == 1


def test_one_merchants_trouble_does_not_stop_the_others(
    till: Till, stranger: Merchant, monkeypatch: pytest.MonkeyPatch
) -> None:
    till.collect(at(MONDAY))
    Till(stranger).collect(at(MONDAY))
    honest = day_closing.sum_day

    def broken(**values: Any) -> Any:
        if values["merchant_id"] == till.merchant.pk:
            raise RuntimeError("boom")
        return honest(**values)

    monkeypatch.setattr(day_closing, "sum_day", broken)
    assert day_closing.close_due(now=night_after(MONDAY)) == 1
    monkeypatch.undo()
    assert day_closing.close_due(now=night_after(MONDAY)) == 1


def test_a_run_that_takes_too_long_wakes_the_next(
    till: Till, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    till.collect(at(MONDAY))
    wake_ups: list[str] = []
    monkeypatch.setattr(day_closing.jobs, "enqueue", wake_ups.append)
    settings.SCANNER_BUDGET_SECONDS = -1
    assert day_closing.close_due(now=night_after(MONDAY)) == 0
    assert wake_ups == [day_closing.TASK]


def test_closing_a_day_without_taxes_moves_no_money(till: Till, merchant: Merchant) -> None:
    till.collect(at(MONDAY))
    before = ledger.balances(merchant.pk), Entry.objects.count()
    till.close(MONDAY)
    assert (ledger.balances(merchant.pk), Entry.objects.count()) == before


@pytest.mark.parametrize("table", ["settlement_settlement", "settlement_settlementline"])
@pytest.mark.parametrize("statement", ["UPDATE {0} SET id = id", "DELETE FROM {0}"])
def test_a_closed_day_is_never_changed(till: Till, table: str, statement: str) -> None:
    from tests.settlement.test_taxes import vat

    vat(rate="0.19", first=MONDAY)
    till.collect(at(MONDAY), fee="119")
    till.close(MONDAY)
    refused = pytest.raises(DatabaseError, match="pgtrigger")
    with connection.cursor() as cursor, refused, transaction.atomic():
        cursor.execute(statement.format(table))
    assert (Settlement.objects.count(), SettlementLine.objects.count()) == (1, 1)
