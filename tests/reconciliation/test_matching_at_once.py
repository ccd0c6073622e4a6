"""Matchers at once, matchers that die, and how much work a line is."""

import threading
from datetime import date
from decimal import Decimal

import pytest
import time_machine
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext

from payments.collect.services.endings import expiry
from payments.reconciliation.models import AwaitedTransfer, LineMatch, StatementLine
from payments.reconciliation.services import transfers
from payments.reconciliation.services.matching import booking, due_lines, reports
from tests.reconciliation.lines import add_line
from tests.reconciliation.shopping import at, books, charge_of, match, open_shop, order_on, status
from tests.support.funds import available
from tests.support.invariants import check_invariants

TUESDAY, TODAY = date(2026, 11, 10), at(date(2026, 11, 20))
PAID = Decimal(50_025)


@pytest.fixture
def account():
    return open_shop()


@pytest.fixture(autouse=True)
def _then():
    with time_machine.travel(TODAY, tick=False):
        yield


def at_once(*works):
    """Each in a thread with a connection of its own."""
    failed = []
    barrier = threading.Barrier(len(works))

    def run(work):
        try:
            barrier.wait(60)
            work()
        except Exception as error:
            failed.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for one in threads:
        one.start()
    for one in threads:
        one.join(60)
    assert failed == []


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    def test_matchers_at_once_decide_each_line_once(self, api, merchant, account):
        orders = [order_on(api, at(TUESDAY), document=str(10**9 + n)) for n in range(12)]
        for _, reference in orders:
            add_line(account, PAID, TUESDAY, reference=reference)
        at_once(*[lambda: due_lines.match_due(now=TODAY)] * 3)
        assert {status(one) for one, _ in orders} == {"COMPLETED"}
        assert LineMatch.objects.count() == 12
        assert available(merchant) == 12 * 50_000
        assert books("clearing:own:COPM") == 0
        check_invariants([merchant.pk])

    def test_parts_of_one_order_at_once_are_all_counted(self, api, merchant, account):
        order, reference = order_on(api, at(TUESDAY))
        lines = [
            add_line(account, amount, TUESDAY, reference=reference)
            for amount in (10_000, 20_000, 20_025)
        ]
        at_once(*[lambda pk=one.pk: due_lines.decide_line(line_id=pk, now=TODAY) for one in lines])
        due_lines.match_due(now=at(date(2026, 11, 21)))  # one may have found the transfer taken
        reports.report_due(now=at(date(2026, 11, 21)))
        assert (status(order), charge_of(order).received) == ("COMPLETED", PAID)
        assert available(merchant) == 50_000
        check_invariants([merchant.pk])

    def test_order_that_expires_while_its_line_is_matched_loses_nothing(
        self, api, merchant, account
    ):
        order, reference = order_on(api, at(TUESDAY))
        line = add_line(account, PAID, TUESDAY, reference=reference)
        at_once(
            lambda: due_lines.decide_line(line_id=line.pk, now=TODAY),
            lambda: expiry.expire_due(now=TODAY),
        )
        charge = charge_of(order)
        assert charge.received == PAID
        if status(order) == "COMPLETED":
            assert available(merchant) == 50_000
        else:
            assert charge.unmatched_funds.get().amount == PAID
        assert books("clearing:own:COPM") == 0
        check_invariants([merchant.pk])


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("where", "name"),
    [
        (booking.states, "move"),
        (booking.recipes, "bank_line_cleared"),
        (booking, "_add_to"),
        (reports.charge_updates, "apply_charge_update"),
        (transfers, "update_of"),
    ],
)
@pytest.mark.parametrize("is_after", [False, True])
def test_matcher_that_dies_anywhere_does_nothing_twice_and_loses_nothing(
    api, merchant, account, monkeypatch, where, name, is_after
):
    order, reference = order_on(api, at(TUESDAY))
    add_line(account, PAID, TUESDAY, reference=reference)
    real = getattr(where, name)

    def die(*given, **named):
        if is_after:
            real(*given, **named)
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(where, name, die)
        with pytest.raises(Killed):
            due_lines.match_due(now=TODAY)
    later = at(date(2026, 11, 21))
    due_lines.match_due(now=later)
    reports.report_due(now=later)
    assert status(order) == "COMPLETED"
    assert LineMatch.objects.count() == 1
    assert available(merchant) == 50_000
    assert books("clearing:own:COPM") == 0
    assert AwaitedTransfer.objects.get().report_at is None
    check_invariants([merchant.pk])


@pytest.mark.django_db
def test_line_costs_the_same_however_many_orders_there_are(api, account):
    def queries(count):
        references = [order_on(api, at(TUESDAY), document=str(10**9 + n))[1] for n in range(count)]
        lines = [add_line(account, PAID, TUESDAY, reference=one) for one in references]
        with CaptureQueriesContext(connection) as found:
            match(TODAY)
        assert not StatementLine.objects.filter(pk__in=[x.pk for x in lines]).exclude(
            status="MATCHED"
        )
        return len(found) / count

    few, many = queries(2), queries(20)
    assert many <= few
    assert many <= 45
