"""Several closers at once, and what was begun before midnight and is not committed yet."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, connections, transaction

from merchants.models import Merchant
from payments.core import clock
from payments.ledger import services as ledger
from payments.ledger.models import Entry
from payments.settlement import days
from payments.settlement.models import Settlement, SettlementLine
from payments.settlement.services import day_closing
from tests.ledger.books import total
from tests.settlement.test_taxes import vat
from tests.support.settlement_days import MONDAY, ONE_DAY, Till, at, night_after
from webhooks.models import Delivery, Event

pytestmark = pytest.mark.django_db(transaction=True)
CLOSERS = 6


def together(act: Any) -> list[Any]:
    """What each of the closers returned, all of them let go at once."""
    barrier, answers = threading.Barrier(CLOSERS), list[Any]()

    def one() -> None:
        barrier.wait(timeout=60)
        try:
            answers.append(act())
        except Exception as error:
            answers.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=one) for _ in range(CLOSERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return answers


def test_closers_of_one_day_get_one_settlement(till: Till, merchant: Merchant) -> None:
    merchant.event_kinds = ["settlement.closed"]
    merchant.save()
    vat()
    till.collect(at(MONDAY), fee="119")
    answers = together(lambda: till.close(MONDAY).pk)
    assert answers == [Settlement.objects.get().pk] * CLOSERS
    assert SettlementLine.objects.count() == 1
    assert (Event.objects.count(), Delivery.objects.count()) == (1, 1)
    assert Entry.objects.filter(kind="settlement_taxed").count() == 1
    assert (total("fees:COPM"), total("taxes:COPM")) == (100, 19)
    assert ledger.verify().problems == []


def test_runs_at_once_close_every_day_once(till: Till, stranger: Merchant) -> None:
    vat()
    for each in (till, Till(stranger)):
        for number in range(10):
            each.collect(at(MONDAY + number * ONE_DAY), fee="119")
    answers = together(lambda: day_closing.close_due(now=night_after(MONDAY + 10 * ONE_DAY)))
    assert not [answer for answer in answers if isinstance(answer, Exception)]
    # One that was second may have met the row of another, or have had to wait for its turn.
    day_closing.close_due(now=night_after(MONDAY + 10 * ONE_DAY))
    assert Settlement.objects.count() == 20
    assert Entry.objects.filter(kind="settlement_taxed").count() == 20
    assert total("taxes:COPM") == 20 * 19
    assert ledger.verify().problems == []


def test_closing_waits_for_entries_that_are_not_committed(till: Till) -> None:
    """The days of this test are in the future of the database's clock: all of it began before."""
    far = MONDAY + 20000 * ONE_DAY
    begun, go_on = threading.Event(), threading.Event()

    def slow() -> None:
        with transaction.atomic():
            till.collect(at(far, "23:59:59.999"))
            begun.set()
            go_on.wait(timeout=30)
        connection.close()

    till.collect(at(far), base="1")
    late = threading.Thread(target=slow)
    late.start()
    assert begun.wait(timeout=60)
    assert day_closing.close_due(now=night_after(far)) == 0
    assert day_closing.close_due(now=night_after(far) + timedelta(hours=9)) == 0
    go_on.set()
    late.join(timeout=30)
    assert day_closing.close_due(now=night_after(far)) == 1
    assert Settlement.objects.get().net == 50001


def test_closing_waits_for_what_began_within_the_grace_after_midnight(
    till: Till, settings: Any
) -> None:
    """Its time was taken before it began, perhaps in the last minutes of the day that is closed."""
    began = clock.now()
    today = days.day_of(began)
    minutes = (began - days.start_of(today)) // timedelta(minutes=1)
    begun, go_on = threading.Event(), threading.Event()

    def slow() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            begun.set()
            go_on.wait(timeout=30)
        connection.close()

    till.collect(at(today - ONE_DAY))
    late = threading.Thread(target=slow)
    late.start()
    assert begun.wait(timeout=60)
    settings.SETTLEMENT_CLOSES_AFTER_MINUTES = minutes + 2
    soon = days.start_of(today) + timedelta(minutes=minutes + 2)
    assert day_closing.close_due(now=soon) == 0
    # What began after the grace is of the new day, and holds up nothing.
    settings.SETTLEMENT_CLOSES_AFTER_MINUTES = minutes
    assert day_closing.close_due(now=soon) == 1
    go_on.set()
    late.join(timeout=30)
