"""The reconciliation page, as an operator sees it."""

# ruff: noqa: F811

from datetime import date
from typing import Any

import pytest
import time_machine

from tests.admin.conftest import Console, ana, console, person, url  # noqa: F401
from tests.reconciliation.day_shop import MONDAY, PAID, TUESDAY, WEDNESDAY, bring, report
from tests.reconciliation.own_csv import Row
from tests.reconciliation.shopping import at, open_shop, order_on

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _english(settings: Any) -> None:
    settings.LANGUAGE_CODE = "en"


@pytest.fixture(autouse=True)
def _shop():
    open_shop()
    with time_machine.travel(at(date(2026, 11, 20)), tick=False):
        yield


def page(browser: Console, day: date, kind: str = "bank", slug: str = "main", **query: str) -> Any:
    return browser.get(url("reconciliation_day", kind, slug, day.isoformat()), query)


def text_of(answer: Any) -> str:
    assert answer.status_code == 200, answer.status_code
    return answer.content.decode()


def test_a_day_that_agrees_shows_three_equal_columns(console, api):
    _order, reference = order_on(api, at(TUESDAY))
    bring(Row(day=10, amount=PAID, reference=reference), opening="1000")
    shown = page(console, TUESDAY)
    text = text_of(shown)
    assert "The three columns end in the same figure." in text
    assert text.count("51,025") >= 3
    assert "There is none." in text
    assert 'aria-current="date"' in text


def test_a_difference_has_its_age_its_records_and_its_next_step(console):
    bring(Row(day=10, amount="7000"))
    text = text_of(page(console, TUESDAY))
    assert "No payment explains 7,000 pesos: TRANSFERENCIA." in text
    assert "10 days old, overdue" in text
    assert "Assign it to an order" in text
    assert "/admin/reconciliation/statementline/" in text
    assert "1 of 1 differences are overdue." in text


def test_differences_have_their_sign_so_that_their_column_adds_up(console):
    bring(Row(day=9, amount="-8000", text="RETIRO"), opening="20000")
    report(MONDAY)
    bring(Row(day=10, amount="66000"), opening="12000")
    rows = page(console, TUESDAY).context["rows"]
    shown = [row.difference for row in rows if row.difference]
    assert shown == ["-8,000", "+66,000", "+58,000"]
    assert rows[0].address == url("reconciliation_day", "bank", "main", MONDAY.isoformat())


def test_provider_without_a_file_has_a_dash_and_no_repeated_amount(console):
    bring(Row(day=10, amount="7000"))
    undecided = page(console, TUESDAY).context["rows"][-2]
    assert (undecided.provider, undecided.bank) == ("—", "7,000")


def test_texts_of_the_bank_are_escaped(console):
    bring(Row(day=10, amount="7000", text="<script>alert(1)</script>"))
    text = text_of(page(console, TUESDAY))
    assert "<script>alert" not in text
    assert "&lt;script&gt;" in text


def test_differences_are_filtered_by_kind_and_row(console):
    bring(Row(day=10, amount="7000", operation="X"), Row(day=11, amount="7000", operation="X"))
    assert "a second time" in text_of(page(console, WEDNESDAY, kind="bank"))
    answer = console.get(
        url("reconciliation_day", "bank", "main", WEDNESDAY.isoformat()), {"kind": "LATE"}
    )
    assert "No difference is like that." in text_of(answer)


def test_the_calendar_says_the_state_of_each_day_without_colours(console):
    bring(Row(day=10, amount="7000"), Row(day=11, amount="-100", text="CUOTA DE MANEJO"))
    for day in (TUESDAY, WEDNESDAY):
        report(day)
    text = text_of(console.page("reconciliation_reconciledday_changelist"))
    assert "10 November, Overdue differences, 1 difference" in text
    assert "11 November, Reconciled" in text
    assert "9 November, Nothing to compare" in text
    assert url("reconciliation_day", "bank", "main", "2026-11-10") in text


def test_open_differences_of_all_months_stand_beside_the_calendar(console):
    bring(Row(day=10, amount="7000"))
    report(TUESDAY)
    text = text_of(console.page("reconciliation_month", "2026-10"))
    assert "1 open difference" in text
    assert "+7,000 COP" in text
    assert "10 days" in text
    oldest = url("reconciliation_day", "bank", "main", "2026-11-10")
    assert text.count(oldest) == 2  # the row, and the button above it
    assert "Open the oldest difference" in text


def test_other_months_are_a_link_away(console):
    bring(Row(day=10, amount="7000"))
    text = text_of(console.page("reconciliation_month", "2026-10"))
    assert "October 2026" in text
    assert url("reconciliation_month", "2026-09") in text
    assert url("reconciliation_month", "2026-11") in text
    assert url("reconciliation_month", "2026-12") not in text_of(
        console.page("reconciliation_month", "2026-11")
    )


def test_a_day_leads_to_its_neighbours_and_to_open_days(console):
    bring(Row(day=9, amount="7000"), Row(day=11, amount="-100", text="CUOTA DE MANEJO"))
    report(MONDAY)
    text = text_of(page(console, WEDNESDAY))
    assert "Last day before with differences" in text
    assert url("reconciliation_day", "bank", "main", "2026-11-09") in text
    assert "differ by what earlier days left open" in text


def test_the_list_has_red_days_and_leads_to_their_pages(console):
    bring(Row(day=10, amount="7000"))
    report(TUESDAY)
    listed = console.get(url("reconciliation_reconciledday_changelist"), {"status__exact": "RED"})
    assert "main" in text_of(listed)


@pytest.mark.parametrize(
    ("kind", "slug", "day"),
    [
        ("bank", "none", "2026-11-10"),
        ("other", "main", "2026-11-10"),
        ("acquirer", "main", "2026-11-10"),
        ("bank", "main", "2026-13-45"),
        ("bank", "main", "9999-01-01"),
    ],
)
def test_what_does_not_exist_is_not_found(console, kind: str, slug: str, day: str):
    assert console.get(url("reconciliation_day", kind, slug, day)).status_code == 404


def test_every_operator_sees_it_and_users_of_merchants_do_not(console, api):
    bring(Row(day=10, amount="7000"))
    assert page(person("vera", "Viewer"), TUESDAY).status_code == 200
    assert page(person("mia", "Merchant staff"), TUESDAY).status_code in (302, 403, 404)


def test_the_page_of_many_lines_needs_no_more_queries(console, django_assert_max_num_queries):
    counts = []
    for day, many, opening in ((TUESDAY, 20, "0"), (WEDNESDAY, 300, "210")):
        bring(*(Row(day=day.day, amount=f"{each}") for each in range(1, many + 1)), opening=opening)
        page(console, day)
        with django_assert_max_num_queries(70) as context:
            page(console, day)
        counts.append(len(context))
    assert counts[1] <= counts[0] + 1
