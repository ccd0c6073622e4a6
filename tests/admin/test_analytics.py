"""Analytics: a period and the one before, by day, method, bank, merchant and reason."""

import csv
import io
from datetime import date, timedelta
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from merchants.models import Merchant
from payments.collect.models import Charge
from payments.collect.services.charges import attempt_counts
from payments.collect.services.charges.attempt_counts import count_attempts
from payments.console import roles
from payments.core import clock, days
from payments.core.models import AuditEntry
from tests.admin.conftest import Console, person, url
from tests.admin.test_chart_days import fill, make
from tests.support.charges import create, say, start
from tests.support.factories import MerchantFactory
from tests.support.fixtures import ApiClient
from tests.support.merchant_staff import browser_of, person_of
from tests.support.refunds import paid

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _english(settings: Any) -> None:
    settings.LANGUAGE_CODE = "en"
    cache.clear()


def today() -> date:
    return days.day_of(clock.now())


def shown(browser: Console, **query: Any) -> Any:
    cache.clear()
    return browser.page("collect_order_analytics", **query).context


def tile(context: Any, title: str) -> Any:
    return next(each for each in context["tiles"] if str(each["title"]) == title)


def lines(context: Any, title: str) -> Any:
    section = next(each for each in context["tables"] if str(each["title"]) == title)
    if "reasons" in section:
        return section["reasons"]
    return [(row.name, row.count, row.share, row.paid) for row in section["rows"]]


def refused(api: ApiClient, reason: str = "INSUFFICIENT_FUNDS") -> None:
    charge = start(create(api), bankCode="1007")
    say(charge, "FAILED", reason=reason)


def test_period_is_compared_with_the_days_before(console: Console, api: ApiClient) -> None:
    with time_machine.travel(clock.now() - timedelta(days=8)):
        paid(api, amount=100_000)
    for _ in range(2):
        paid(api, amount=100_000)
    refused(api)
    context = shown(console, first=today() - timedelta(days=6), last=today())
    assert tile(context, "Paid orders")["value"] == "2"
    assert today() == days.day_of(context["made_at"])
    assert tile(context, "Paid orders")["change"] == "+100 %"
    assert tile(context, "Conversion")["value"] == "66.7 %"
    assert tile(context, "Conversion")["is_worse"]
    assert tile(context, "Refused orders")["is_worse"]
    assert context["before_first"] == today() - timedelta(days=13)


def test_attempts_are_grouped_by_method_bank_and_reason(console: Console, api: ApiClient) -> None:
    bought = paid(api, amount=100_000)
    refused(api)
    refused(api, "CANCELLED_BY_PAYER")
    refused(api)
    context = shown(console)
    pesos = f"{bought.amount:,.0f}"
    assert lines(context, "By method") == [("PSE", 4, "25 %", pesos)]
    banks = {name: count for name, count, *_ in lines(context, "By bank")}
    assert banks["Bancolombia"] >= 3
    assert lines(context, "Reasons of refusal") == [
        ("Insufficient funds", 2, "67 %"),
        ("Cancelled by the payer", 1, "33 %"),
    ]


def test_merchants_are_compared_and_one_can_be_chosen(
    console: Console, api: ApiClient, merchant: Merchant
) -> None:
    other = MerchantFactory(name="Otra Tienda")
    paid(api, amount=100_000)
    paid(ApiClient(other), amount=300_000)
    names = [name for name, *_ in lines(shown(console), "By merchant")]
    assert names == ["Otra Tienda", "Café Andino"]
    context = shown(console, merchant=merchant.pk)
    assert tile(context, "Paid orders")["value"] == "1"
    assert "By merchant" not in [str(each["title"]) for each in context["tables"]]


def test_people_of_a_merchant_see_their_own_only(api: ApiClient, merchant: Merchant) -> None:
    other = MerchantFactory(name="Otra Tienda")
    paid(api, amount=100_000)
    paid(ApiClient(other), amount=300_000)
    lucia = browser_of(person_of(merchant, "lucia"))
    page = lucia.page("collect_order_analytics")
    assert tile(page.context, "Paid orders")["value"] == "1"
    assert page.context["picker"] is None
    assert "Otra Tienda" not in page.content.decode()
    assert lucia.page("collect_order_analytics", merchant=other.pk).status_code == 404
    file = lucia.page("collect_order_analytics", merchant=other.pk, export="csv")
    assert file.status_code == 404


def test_people_of_a_merchant_do_not_read_the_texts_of_rails(
    console: Console, api: ApiClient, merchant: Merchant
) -> None:
    refused(api)
    Charge.objects.update(failure_reason="code 51 at node 7")
    assert lines(shown(console), "Reasons of refusal")[0][0] == "code 51 at node 7"
    lucia = browser_of(person_of(merchant, "lucia"))
    assert lines(shown(lucia), "Reasons of refusal")[0][0] == "other"


@pytest.mark.parametrize(
    "query",
    [
        {"first": "2026-02-30"},
        {"first": "yesterday", "last": "2999-01-01"},
        {"first": "1000-01-01"},
        {"first": "2026-03-09", "last": "2026-03-01"},
        {"last": "0001-01-01"},
    ],
    ids=str,
)
def test_days_that_make_no_sense_are_mended(console: Console, query: dict[str, str]) -> None:
    found = shown(console, **query)["query"]
    assert found.first <= found.last <= today()
    assert (found.last - found.first).days < 92


def test_file_has_what_the_page_shows_and_leaves_an_audit_row(
    console: Console, api: ApiClient
) -> None:
    paid(api, amount=100_000)
    refused(api)
    answer = console.page("collect_order_analytics", export="csv")
    assert answer.headers["Content-Type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    (day,) = [row for row in rows if row["part"] == "day"]
    assert (day["name"], day["orders"], day["paid"], day["refused"]) == (
        *(f"{today()}", "2", "1", "1"),
    )
    assert {row["part"] for row in rows} == {"day", "method", "bank", "merchant", "reason"}
    assert AuditEntry.objects.get(action="analytics.exported").actor == "ana"
    without = person("rosa", roles.SUPPORT)
    assert without.page("collect_order_analytics", export="csv").status_code == 403
    assert without.page("collect_order_analytics").context["export_url"] == ""


def test_who_may_not_see_orders_sees_no_analytics(db: None) -> None:
    from django.contrib.auth.models import User

    dora = Console()
    dora.force_login(User.objects.create_user("dora", is_staff=True))
    assert dora.get(url("collect_order_analytics")).status_code == 403


def test_attempts_are_read_of_the_newest_days_that_fit(
    console: Console, api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempt_counts, "ORDERS_MAX", 2)
    with time_machine.travel(clock.now() - timedelta(days=3)):
        refused(api)
    refused(api)
    refused(api)
    context = shown(console)
    assert context["attempts_since"] == today() - timedelta(days=2)
    assert [count for _name, count, *_ in lines(context, "By method")] == [2]
    assert tile(context, "Refused orders")["value"] == "3"


def test_page_costs_the_same_at_any_number_of_orders(console: Console, api: ApiClient) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            shown(console)
        return len(found)

    refused(api)
    queries()
    few = queries()
    for _ in range(6):
        refused(api)
    assert queries() == few <= 20


def test_attempts_are_read_along_indexes(api: ApiClient, merchant: Merchant) -> None:
    """Of a week in a year of orders: never a whole table."""
    fill(make(api, "TEMPLATE"), 20_000)
    week = {"first": today() - timedelta(days=6), "last": today()}
    with connection.cursor() as cursor:
        # The statistics of an empty table let the planner read it whole.
        cursor.execute("SET LOCAL enable_seqscan = off")
    for scope in (None, frozenset({merchant.pk})):
        with CaptureQueriesContext(connection) as asked:
            count_attempts(merchants=scope, **week)
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN {asked[0]['sql']}")
            plan = "\n".join(line for (line,) in cursor)
        # With few merchants, the index of one also serves all.
        assert "order_newest" in plan or "collect_order_pkey" in plan, plan
        assert "collect_charge_order_id" in plan, plan
        assert "Seq Scan" not in plan, plan
