"""Three columns of a day: each kind of difference is made on purpose."""

import io
import json
from datetime import date
from decimal import Decimal

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import transaction

from payments.collect.models import Charge
from payments.ledger import recipes
from payments.reconciliation.models import (
    DayDifference,
    DayStatus,
    Flow,
    LineMatch,
    ReconciledDay,
    StatementLine,
)
from payments.reconciliation.services.days import accounts, due_days
from tests.reconciliation.day_shop import (
    FRIDAY,
    MONDAY,
    PAID,
    THURSDAY,
    TUESDAY,
    WEDNESDAY,
    bring,
    differences,
    ends,
    open_causes,
    report,
)
from tests.reconciliation.own_csv import Row
from tests.reconciliation.shopping import at, open_shop, order_on

pytestmark = pytest.mark.django_db
LATER = at(date(2026, 11, 20))


@pytest.fixture(autouse=True)
def account():
    return open_shop()


@pytest.fixture(autouse=True)
def _then():
    with time_machine.travel(LATER, tick=False):
        yield


@pytest.fixture
def reference(api) -> str:
    return order_on(api, at(TUESDAY))[1]


def on(moment: date):
    return time_machine.travel(at(moment), tick=False)


def test_a_paid_order_and_a_cost_end_in_the_same_figure(reference):
    bring(
        Row(day=10, amount=PAID, reference=reference),
        Row(day=10, amount="-4000", text="CUOTA DE MANEJO"),
        opening="100000",
    )
    found = report(TUESDAY)
    assert found.status == DayStatus.GREEN
    assert found.differences == []
    assert found.flows[Flow.COLLECTIONS].columns.books == Decimal(PAID)
    assert found.flows[Flow.COSTS].columns.bank == -4000
    assert tuple(found.opening) == (100000, 100000, 100000)
    assert tuple(found.closing) == (146025, 146025, 146025)
    assert found.stated == 146025


def test_a_line_that_no_one_knows_is_missing_here_until_it_is_decided():
    bring(Row(day=10, amount="7000"))
    with on(WEDNESDAY):
        assert differences(TUESDAY) == [("MISSING_HERE", "no_candidate", False)]
        assert report(TUESDAY).status == DayStatus.OPEN
    assert differences(TUESDAY) == [("MISSING_HERE", "no_candidate", True)]
    assert report(TUESDAY).status == DayStatus.RED
    assert ends(TUESDAY) == (0, 0, 7000)


def test_the_next_day_begins_with_what_the_columns_still_differ_in():
    bring(Row(day=10, amount="7000"), Row(day=11, amount="-4000", text="CUOTA DE MANEJO"))
    report(TUESDAY)
    found = report(WEDNESDAY)
    assert tuple(found.opening) == (0, 0, 7000)
    assert tuple(found.closing) == (-4000, -4000, 3000)
    assert found.differences == []


def test_money_of_an_order_that_no_line_shows_is_missing_there_and_then_late(api):
    order, _reference = order_on(api, at(TUESDAY))
    bring(Row(day=10, amount="-4000", text="CUOTA DE MANEJO"))
    Charge.objects.filter(order=order).update(received=PAID)
    with on(FRIDAY):
        assert differences(TUESDAY) == [("MISSING_THERE", "no_bank_line", False)]
    assert differences(TUESDAY) == [("LATE", "no_bank_line", True)]
    assert ends(TUESDAY) == (46025, -4000, -4000)


def test_a_matched_line_that_was_never_credited_is_missing_here(reference, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(
            "payments.reconciliation.services.matching.reports.report_transfer",
            lambda **given: None,
        )
        bring(Row(day=10, amount=PAID, reference=reference))
    assert differences(TUESDAY) == [("MISSING_HERE", "not_credited", True)]
    assert ends(TUESDAY) == (0, 50025, 50025)


def test_a_charge_that_was_credited_less_differs_in_the_amount(api, reference):
    bring(Row(day=10, amount=PAID, reference=reference))
    Charge.objects.update(received=50000)
    assert differences(TUESDAY) == [("AMOUNT_DIFFERS", "not_credited", True)]
    assert ends(TUESDAY) == (50000, 50025, 50025)


def test_two_parts_of_an_order_are_credited_in_their_order(reference):
    bring(
        Row(day=10, amount="50000", reference=reference),
        Row(day=11, amount="25", reference=reference),
    )
    assert ends(TUESDAY) == (50000, 50000, 50000)
    assert ends(WEDNESDAY) == (50025, 50025, 50025)
    Charge.objects.update(received=50010)
    assert differences(TUESDAY) == []
    assert differences(WEDNESDAY) == [("AMOUNT_DIFFERS", "not_credited", True)]


def test_a_cost_that_the_ledger_does_not_have_is_missing_here():
    bring(Row(day=10, amount="-4000", text="CUOTA DE MANEJO"))
    assert differences(TUESDAY) == []
    LineMatch.objects.update(id="lma_other")
    assert differences(TUESDAY) == [("MISSING_HERE", "not_booked", True)]
    assert ends(TUESDAY) == (0, 0, -4000)


def test_a_movement_with_the_operation_of_another_one_is_perhaps_there_twice():
    bring(
        Row(day=10, amount="7000", operation="B-1"),
        Row(day=11, amount="7000", operation="B-1"),
    )
    assert differences(WEDNESDAY) == [("DUPLICATED", "perhaps_twice", True)]


def test_a_business_day_without_a_statement_is_named_and_late():
    bring(Row(day=9, amount="100"))
    with on(WEDNESDAY):
        assert differences(TUESDAY) == [("MISSING_THERE", "no_statement", False)]
    assert differences(TUESDAY) == [("LATE", "no_statement", True)]
    assert report(TUESDAY).opening is not None


def test_the_statement_that_comes_later_ends_the_difference():
    bring(Row(day=9, amount="-100", text="CUOTA DE MANEJO"), opening="1000")
    report(TUESDAY)
    assert open_causes() == ["no_statement"]
    bring(Row(day=10, amount="-200", text="CUOTA DE MANEJO"), opening="900")
    assert report(TUESDAY).status == DayStatus.GREEN
    assert open_causes() == []
    assert DayDifference.objects.get().closed_at is not None


@pytest.mark.parametrize("day", [date(2026, 11, 14), date(2026, 11, 15), date(2026, 11, 16)])
def test_weekends_and_holidays_need_no_statement(day):
    bring(Row(day=9, amount="-100", text="CUOTA DE MANEJO"))
    assert report(day).status == DayStatus.GREY


def test_nothing_is_said_about_days_before_the_first_statement():
    bring(Row(day=10, amount="-100", text="CUOTA DE MANEJO"))
    found = report(MONDAY)
    assert (found.status, found.opening, found.closing) == (DayStatus.GREY, None, None)


def test_a_gap_that_was_accepted_waits_with_its_amount():
    bring(Row(day=9, amount="-100", text="CUOTA DE MANEJO"), opening="1000")
    bring(
        Row(day=11, amount="-200", text="CUOTA DE MANEJO"), opening="950", gap="the bank is closed"
    )
    assert differences(TUESDAY) == [("MISSING_HERE", "gap", True)]
    assert ends(TUESDAY) == (900, 900, 950)
    assert ends(WEDNESDAY) == (700, 700, 750)


def test_the_ledger_must_have_the_balance_of_the_last_statement():
    bring(Row(day=10, amount="-100", text="CUOTA DE MANEJO"), opening="1000")
    assert differences(TUESDAY) == []
    wrong = recipes.ReadStatement(
        account="main", file_id="stf_none", credits=Decimal(5), debits=Decimal(0)
    )
    with transaction.atomic():
        recipes.statement_imported(wrong, now=LATER)
    assert differences(TUESDAY) == [("AMOUNT_DIFFERS", "ledger_sum", True)]


def test_reconciling_twice_changes_nothing():
    bring(Row(day=10, amount="7000"))
    report(TUESDAY)
    row = DayDifference.objects.get()
    report(TUESDAY)
    again = DayDifference.objects.get()
    assert (again.pk, again.found_at, again.closed_at) == (row.pk, row.found_at, None)
    assert ReconciledDay.objects.count() == 1


def test_the_task_looks_at_the_days_of_a_new_statement(api, reference):
    bring(
        Row(day=3, amount="-100", text="CUOTA DE MANEJO"),
        Row(day=10, amount=PAID, reference=reference),
    )
    due_days.reconcile_due(now=LATER)
    known = dict(ReconciledDay.objects.values_list("day", "status"))
    assert known[date(2026, 11, 3)] == DayStatus.GREEN
    assert known[TUESDAY] == DayStatus.GREEN
    # Within a statement, also days without movements are reconciled.
    assert known[date(2026, 11, 5)] == DayStatus.GREEN
    assert known[WEDNESDAY] == DayStatus.RED


def run(day: date, **options: str) -> tuple[list[dict], int]:
    out, code = io.StringIO(), 0
    try:
        call_command("reconcile", day.isoformat(), stdout=out, **options)
    except SystemExit as end:
        code = end.code
    return [json.loads(line) for line in out.getvalue().splitlines()], code


def test_the_command_succeeds_while_nothing_is_past_its_time(reference):
    bring(Row(day=10, amount=PAID, reference=reference))
    [facts], code = run(TUESDAY)
    assert code == 0
    assert facts["status"] == "green"
    assert facts["closing"] == {"books": 50025, "provider": 50025, "bank": 50025}
    bring(Row(day=11, amount="7000"), opening=PAID)
    with on(THURSDAY):
        assert run(WEDNESDAY)[1] == 0
    [facts], code = run(WEDNESDAY, account="main")
    assert code == 1
    assert facts["differences"][0]["ageDays"] == 9


def test_the_command_fails_for_what_an_earlier_day_left_open():
    bring(Row(day=10, amount="7000"), Row(day=11, amount="-100", text="CUOTA DE MANEJO"))
    assert run(TUESDAY)[1] == 1
    [facts], code = run(WEDNESDAY)
    assert (facts["differences"], facts["overdueOfEarlierDays"], code) == ([], 1, 1)


@pytest.mark.parametrize("options", [{"account": "none"}, {"day": date(2027, 1, 1)}])
def test_the_command_refuses_what_does_not_exist(options):
    with pytest.raises(CommandError):
        run(options.pop("day", TUESDAY), **options)


def test_a_day_with_many_lines_needs_no_more_queries_than_one_with_few(
    django_assert_max_num_queries,
):
    counts = []
    for day, many, opening in ((TUESDAY, 20, "0"), (WEDNESDAY, 400, "210")):
        bring(*(Row(day=day.day, amount=f"{each}") for each in range(1, many + 1)), opening=opening)
        account = accounts.find_account("main")
        with django_assert_max_num_queries(40) as context:
            accounts.compute_day(account, day, LATER.date())
        counts.append(len(context))
    assert counts[0] == counts[1]
    assert StatementLine.objects.count() == 420
