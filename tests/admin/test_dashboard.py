"""The first page: figures of today in Bogotá, what waits, 30 days; each person sees their part."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.contrib.auth.models import Permission, User
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from merchants.models import Membership, Merchant
from payments.collect.models import Charge, Order
from payments.console import roles
from payments.core import clock
from payments.payout.models import Payout
from tests.admin import test_webhooks as webhooks
from tests.admin.conftest import Console, person, url
from tests.support.charges import create, start
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient
from tests.support.funds import fund
from tests.support.merchant_staff import browser_of, person_of

pytestmark = pytest.mark.django_db
NOON = "2026-03-10T17:00:00Z"  # 12:00 in Bogotá


@pytest.fixture(autouse=True)
def _fresh() -> None:
    cache.clear()


@pytest.fixture
def noon() -> Any:
    with time_machine.travel(NOON, tick=False):
        yield


def make(api: ApiClient, reference: str, **state: Any) -> Order:
    """An order as it would be after what `state` says."""
    answer = api.post("/collect", order_body(reference=reference))
    assert answer.status_code == 201, answer.content
    order = Order.objects.get(pk=answer.body["data"]["id"])
    if status := state.pop("status", None):
        # Each state by the way that the trigger lets it go.
        for step in {"FAILED": ["PROCESSING", "FAILED"]}.get(status, [status]):
            Order.objects.filter(pk=order.pk).update(status=step)
    Order.objects.filter(pk=order.pk).update(**state)
    order.refresh_from_db()
    return order


def test_first_page_shows_what_was_collected_today_and_success_rates(
    console: Console, api: ApiClient, noon: Any
) -> None:
    now = clock.now()
    paid = {"status": "COMPLETED", "selected_method": "PSE"}
    first = make(api, "A", **paid, paid_at=now - timedelta(hours=1))
    make(api, "B", **paid, paid_at=now - timedelta(hours=11, minutes=59))
    # Yesterday in Bogotá, although the same day in UTC: before and after this time of the day.
    make(api, "C", **paid, paid_at=now - timedelta(hours=25))
    make(api, "D", **paid, paid_at=now - timedelta(hours=12, minutes=1))
    make(api, "E", status="FAILED", selected_method="PSE")
    make(api, "F", status="EXPIRED", selected_method="CRYPTO")
    make(api, "G", status="EXPIRED")  # without a charge
    context = console.page("index").context
    (pesos,) = context["collected"]
    assert (pesos["count"], pesos["count_before"]) == (2, 1)
    assert pesos["change"] == "+100 %"
    assert f"{first.amount * 2:,.0f}".replace(",", ".") in pesos["sum"]
    rates = {row["method"]: (row["completed"], row["ended"]) for row in context["success"]["rows"]}
    assert rates == {"PSE": (4, 5), "CRYPTO": (0, 1)}
    assert context["success"]["percent"] == "67 %"


def test_the_charts_say_the_same_as_their_tables(
    console: Console, api: ApiClient, noon: Any
) -> None:
    now = clock.now()
    for number, ago in enumerate((0, 3, 3, 31)):
        make(api, f"M-{number}", status="COMPLETED", paid_at=now - timedelta(days=ago))
    page = console.page("index")
    chart, states = page.context["charts"]
    filled = {day: values for day, values in chart["rows"] if values[0] != "0 COP"}
    assert sorted(filled) == ["2026-03-07", "2026-03-10"]
    assert len(chart["bars"]) == 2
    assert next(day for day, _values in chart["rows"]) == "2026-03-10"
    assert states["rows"][0] == ("2026-03-10", ["4", "0", "0", "0"])
    html = page.content.decode()
    assert html.count("<svg viewBox") == 2
    assert "Nada en los últimos 30 días: Dispersiones por día" in html
    assert html.count("<details>") >= 2


def test_first_page_counts_todays_payouts_and_webhooks(
    console: Console, completed: Payout, doubtful: Payout, waiting: Payout
) -> None:
    context = console.page("index").context
    assert context["payouts"]["sent"] == 1  # the doubtful one is of yesterday
    assert context["payouts"]["completed"] == 1
    assert context["payouts"]["doubt"] == 1
    assert context["webhooks"]["failed"] == 0


def test_a_webhook_that_failed_for_good_today_was_written_the_day_before(
    console: Console, merchant: Merchant
) -> None:
    """Its attempts alone take more than a day (docs/gaps.md, Webhooks)."""
    sum_of_pauses = timedelta(seconds=sum(settings.WEBHOOK_RETRY_DELAYS))
    for ago in (timedelta(minutes=5), timedelta(hours=25)):
        with time_machine.travel(clock.now() - sum_of_pauses - ago):
            webhooks.end(webhooks.publish(merchant))
    context = console.page("index").context
    assert context["webhooks"]["failed"] == 1
    (card,) = [card for card in context["cards"] if card["value"]]
    assert "/webhooks/delivery/" in card["link"]


def test_each_exception_leads_to_the_list_of_just_those(
    console: Console, doubtful: Payout, waiting: Payout
) -> None:
    cards = console.page("index").context["cards"]
    assert [card["value"] for card in cards[:2]] == [1, 1]  # what waits stands first
    assert not any(card["is_quiet"] for card in cards[:2])
    assert [card["is_quiet"] for card in cards if card["is_routine"]] == [True]
    for card in cards:
        answer = console.get(card["link"])
        assert answer.status_code == 200, card
        assert answer.context["cl"].result_count == card["value"], card["label"]


def test_people_of_a_merchant_see_the_figures_of_theirs_only(
    api: ApiClient, merchant: Merchant, stranger: Merchant, noon: Any
) -> None:
    now = clock.now()
    make(api, "OURS", status="COMPLETED", paid_at=now)
    for number in range(3):
        make(ApiClient(stranger), f"T-{number}", status="COMPLETED", paid_at=now)
    browser = Console()
    lucia = User.objects.create_user("lucia", password="x", is_staff=True)
    lucia.user_permissions.set(Permission.objects.filter(codename__in=["view_order"]))
    Membership.objects.create(user=lucia, merchant=merchant)
    browser.force_login(lucia)
    context = browser.page("index").context
    assert context["collected"][0]["count"] == 1
    assert "workers" not in context
    assert "webhooks" not in context
    assert context["charts"][1]["rows"][0][1][0] == "1"


def test_staff_without_rights_sees_no_figure(db: None) -> None:
    browser = Console()
    browser.force_login(User.objects.create_user("dora", password="x", is_staff=True))
    context = browser.page("index").context
    for part in ("collected", "payouts", "webhooks", "success", "overdue"):
        assert part not in context
    assert context["cards"] == []
    assert context["charts"] == []


def test_the_figures_cost_the_same_however_many_rows_there_are(
    console: Console, api: ApiClient
) -> None:
    console.page("index")  # sessions, content types

    def queries() -> int:
        cache.clear()
        with CaptureQueriesContext(
            connection,
        ) as seen:
            assert console.page("index").status_code == 200
        return len(seen)

    before = queries()
    for number in range(5):
        make(api, f"N-{number}", status="COMPLETED", paid_at=clock.now())
    assert queries() == before
    # 9 figures, 11 exceptions, saved filters, workers; session, user, sandbox of the transaction.
    assert before <= 52
    with CaptureQueriesContext(connection) as again:
        console.page("index")
    assert len(again) <= before - 9  # the figures come from the cache


def test_without_redis_the_page_is_there(console: Console, settings: Any, api: ApiClient) -> None:
    make(api, "R", status="COMPLETED", paid_at=clock.now())
    settings.CACHES = {
        name: {**cache, "LOCATION": "redis://127.0.0.1:1/0"}
        for name, cache in settings.CACHES.items()
    }
    context = console.get(url("index")).context
    assert context["collected"][0]["count"] == 1


def test_a_day_that_should_be_closed_is_said(console: Console, merchant: Merchant) -> None:
    with time_machine.travel(clock.now() - timedelta(days=3)):
        fund(merchant, 1000)
    page = console.page("index")
    assert [due[0] for due in page.context["overdue"]] == [merchant.name]
    assert merchant.name in page.content.decode()


def test_people_see_the_queues_that_they_can_decide_and_others_below(
    waiting: Payout, merchant: Merchant
) -> None:
    """Who approves payouts decides; who only looks does not; merchants have none."""

    def quiet(browser: Console) -> list[bool]:
        cards = browser.page("index").context["cards"]
        return [card["is_quiet"] for card in cards if "payout" in card["link"] and card["value"]]

    assert quiet(person("rosa", roles.APPROVER)) == [False]
    assert quiet(person("ines", roles.VIEWER)) == [True]
    assert quiet(browser_of(person_of(merchant, "lucia"))) == []


def test_routine_queries_wait_for_an_operator_after_a_day(console: Console, api: ApiClient) -> None:
    def ask_rail_of_new_charge() -> None:
        charge = start(create(api))
        Charge.objects.filter(pk=charge.pk).update(reconcile_at=clock.now())

    ask_rail_of_new_charge()

    def loud() -> list[str]:
        cards = console.page("index").context["cards"]
        return [card["link"] for card in cards if card["value"] and not card["is_quiet"]]

    assert loud() == []
    with time_machine.travel(clock.now() - timedelta(hours=25)):
        ask_rail_of_new_charge()
    (address,) = loud()
    assert console.get(address).context["cl"].result_count == 1
