"""The page of a merchant: its figures and last records above the settings."""

import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from merchants.models import Merchant
from payments.collect.models import Order
from payments.collect.services.endings.expiry import expire_order
from payments.collect.services.orders.lookup import lock_order
from payments.collect.services.orders.order_totals import sum_orders
from payments.console import roles
from payments.core import clock, days
from payments.ledger.services import day_totals
from tests.admin.conftest import Console, credit, person, url
from tests.support import hand_payouts, payouts
from tests.support.charges import create
from tests.support.factories import MerchantFactory
from tests.support.fixtures import ApiClient
from tests.support.merchant_staff import browser_of, person_of
from tests.support.refunds import paid
from webhooks.models import Delivery, Status

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _english(settings: Any) -> None:
    settings.LANGUAGE_CODE = "en"
    cache.clear()


def cockpit(browser: Console, merchant: Merchant) -> Any:
    return browser.page("merchants_merchant_change", merchant.pk).context


def panel(context: Any, title: str) -> Any:
    found = [*context["cockpit_figures"], *context["cockpit_lists"]]
    return next(each for each in found if title in str(each.title))


def facts(found: Any) -> dict[str, object]:
    return {str(fact.label): fact.value for fact in found.facts}


def test_page_of_a_merchant_shows_balance_month_fees_and_last_payments(
    console: Console, api: ApiClient, merchant: Merchant
) -> None:
    credit(merchant)
    bought = paid(api, reference="MESA-1", amount=200_000)
    create(api, reference="MESA-2")
    day_totals.add_postings()
    context = cockpit(console, merchant)
    (balance,) = panel(context, "Available").figures
    assert balance == f"{10_000_000 + bought.base_amount:,.0f} COP"
    month = panel(context, "Paid orders")
    assert month.figures == (f"{bought.amount:,.0f} COP",)
    assert facts(month) | {"orders": 2, "paid": 1, "still open": 1} == facts(month)
    assert panel(context, "Fees").figures == (f"{bought.fee_amount:.0f} COP",)
    assert [row.what for row in panel(context, "Last payments").rows] == ["MESA-2", "MESA-1"]


def test_failed_webhooks_stand_on_the_page(
    console: Console, api: ApiClient, merchant: Merchant
) -> None:
    paid(api)
    delivery = Delivery.objects.get()
    Delivery.objects.filter(pk=delivery.pk).update(status=Status.FAILED, next_attempt_at=None)
    context = cockpit(console, merchant)
    assert facts(panel(context, "24 hours"))["failed for good"] == 1
    assert panel(context, "24 hours").figures == ("0 %",)
    assert panel(context, "that failed").rows[0].what == "Payment received"


def test_another_merchants_figures_are_not_on_the_page(
    console: Console, api: ApiClient, merchant: Merchant
) -> None:
    paid(api)
    empty = cockpit(console, MerchantFactory(name="Otra Tienda"))
    assert facts(panel(empty, "Paid orders"))["orders"] == 0
    assert panel(empty, "Last payments").rows == ()
    assert panel(empty, "Available").figures == ("0 COP",)


def test_people_of_a_merchant_see_it_as_their_home(api: ApiClient, merchant: Merchant) -> None:
    paid(api, reference="MESA-1")
    paid(ApiClient(MerchantFactory(name="Otra Tienda")), reference="AJENA-1")
    home = browser_of(person_of(merchant, "lucia")).page("index")
    assert [row.what for row in panel(home.context, "Last payments").rows] == ["MESA-1"]
    assert "AJENA-1" not in home.content.decode()


def test_home_names_what_stops_a_sale(merchant: Merchant) -> None:
    Merchant.objects.filter(pk=merchant.pk).update(methods=[])
    home = browser_of(person_of(merchant, "lucia")).page("index")
    assert "The account has no payment method" in home.content.decode()


def test_panels_need_the_right_to_see_their_rows(merchant: Merchant) -> None:
    browser = person("rosa", roles.VIEWER)
    assert len(cockpit(browser, merchant)["cockpit_figures"]) == 4
    from django.contrib.auth.models import Permission, User

    user = User.objects.create_user("ines", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="view_merchant"))
    ines = Console()
    ines.force_login(user)
    assert cockpit(ines, merchant)["cockpit_figures"] == []


def test_page_costs_the_same_at_any_number_of_payments(
    console: Console, api: ApiClient, merchant: Merchant
) -> None:
    def queries() -> int:
        cache.clear()
        with CaptureQueriesContext(connection) as found:
            cockpit(console, merchant)
        return len(found)

    paid(api)
    queries()
    few = queries()
    for _ in range(8):
        paid(api)
        create(api)
    assert queries() == few <= 40


def test_every_setting_is_in_a_tab_and_the_reason_below_them(
    console: Console, merchant: Merchant
) -> None:
    page = console.page("merchants_merchant_change", merchant.pk)
    fieldsets = page.context["adminform"].fieldsets
    below = {name for name, parts in fieldsets if "tab" not in parts.get("classes", ())}
    assert below == {"Reason for the change"}
    html = page.content.decode()
    tabs = re.findall(r'<div data-tab="([\w-]+)"', html)
    assert len(tabs) == len(fieldsets) - 1
    assert html.index('name="reason"') > html.index('name="webhook_url"')


@pytest.mark.parametrize("whose", ["one", "all"])
def test_totals_of_a_period_are_those_of_its_days_in_bogota(
    api: ApiClient, merchant: Merchant, whose: str
) -> None:
    """Orders made at 18:00, 23:00 and 01:00 in Bogotá, around both ends of the period."""
    first = days.day_of(clock.now()) - timedelta(days=3)
    last = first + days.ONE_DAY
    inside = 0
    for day in (first - days.ONE_DAY, first, last, last + days.ONE_DAY):
        for hour in (1, 18, 23):
            with time_machine.travel(days.start_of(day) + timedelta(hours=hour)):
                order = create(api, amount=1000 + inside)
                if hour == 18:
                    expire_order(order=lock_order(order.pk), now=order.expires_at)
            inside += day in (first, last)
    merchants = frozenset({merchant.pk}) if whose == "one" else None
    found = sum_orders(merchants=merchants, first=first, last=last)
    counts = {total.status: total.orders for total in found}
    assert counts == {Order.Status.PENDING: 4, Order.Status.EXPIRED: 2}
    start, end = days.start_of(first), days.start_of(last + days.ONE_DAY)
    orders = Order.objects.filter(created_at__gte=start, created_at__lt=end)
    assert sum(total.amount for total in found) == sum(
        orders.values_list("amount", flat=True), Decimal(0)
    )


def test_people_of_a_merchant_have_the_settings_without_the_figures_of_their_home(
    console: Console, merchant: Merchant
) -> None:
    theirs = browser_of(person_of(merchant, "lucia"))
    assert (
        'class="desk desk-cockpit"'
        in console.page("merchants_merchant_change", merchant.pk).content.decode()
    )
    page = theirs.page("merchants_merchant_change", merchant.pk).content.decode()
    assert merchant.email in page
    assert 'class="desk desk-cockpit"' not in page


def test_a_merchant_reads_its_first_sale_at_once(api: ApiClient, merchant: Merchant) -> None:
    """The figures of today, of 30 days and of the fees, although they were read a moment ago."""
    theirs = browser_of(person_of(merchant, "lucia", roles.MERCHANT_ADMINISTRATOR))
    before = theirs.page("index").context
    assert panel(before, "Paid orders").figures == ("0 COP",)
    assert panel(before, "Fees").figures == ("0 COP",)
    bought = paid(api, reference="MESA-1", amount=200_000)
    home = theirs.page("index").context
    total = f"{bought.amount:,.0f} COP"
    assert panel(home, "Paid orders").figures == (total,)
    assert panel(home, "Fees").figures == (f"{bought.fee_amount:.0f} COP",)
    assert [money["sum"] for money in home["collected"]] == [total]
    assert home["success"]["percent"] == "100 %"
    assert home["charts"][0]["rows"][0][1] == [total]


def test_fees_are_the_same_before_and_after_the_totals_have_them(
    console: Console, api: ApiClient, merchant: Merchant
) -> None:
    paid(api, reference="MESA-1", amount=200_000)
    paid(ApiClient(MerchantFactory(name="Otra Tienda")), amount=900_000)
    day_totals.add_postings()
    paid(api, reference="MESA-2", amount=100_000)
    now = panel(cockpit(console, merchant), "Fees").figures
    day_totals.add_postings()
    assert panel(cockpit(console, merchant), "Fees").figures == now == ("150 COP",)


def test_first_steps_stand_above_the_figures_until_all_are_done(
    api: ApiClient, merchant: Merchant
) -> None:
    theirs = browser_of(person_of(merchant, "lucia", roles.MERCHANT_ADMINISTRATOR))
    paid(api, reference="MESA-1")
    home = theirs.page("index").content.decode()
    places = [home.index(part) for part in ('id="desk-queue"', 'id="desk-first"', "desk-tiles")]
    assert home.count("desk-tiles") == 2  # the balance, and today
    assert places[0] < places[1] < home.rindex("desk-tiles") < home.index("desk-lists")


def test_failed_webhook_is_said_once_and_names_the_order(
    api: ApiClient, merchant: Merchant
) -> None:
    bought = paid(api, reference="MESA-1")
    Delivery.objects.update(status=Status.FAILED, next_attempt_at=None)
    page = browser_of(person_of(merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR)).page("index")
    assert not [card for card in page.context["cards"] if "webhooks" in card["link"]]
    (technical,) = page.context["cockpit_technical"]
    assert facts(technical)["failed for good"] == len(technical.rows) == 1
    home = page.content.decode()
    assert home.count("Webhooks") == 1
    shown = home[home.index("desk-technical") :]
    assert "MESA-1" in shown
    assert f">{bought.pk}<" not in shown


@pytest.mark.usefixtures("catalogues")
def test_who_approves_finds_each_request_with_what_a_decision_needs(merchant: Merchant) -> None:
    with transaction.atomic():
        credit(merchant)
    andres = hand_payouts.approver(merchant)
    pilar = hand_payouts.preparer(merchant)
    asked = hand_payouts.ask(merchant, pilar, 250_000)
    User.objects.filter(pk=pilar.pk).update(first_name="Pilar", last_name="Ruiz")
    page = browser_of(andres).page("index")
    (card,) = [card for card in page.context["cards"] if card["value"]]
    (task,) = card["tasks"]
    texts = (str(task.what), str(task.detail), str(task.figure))
    assert texts == ("Payout to Juan Pérez", "asked for by Pilar Ruiz", "250,000 COP")
    assert task.link == url("payout_payout_change", asked.pk)
    home = page.content.decode()
    assert home.index('id="desk-queue"') < home.index("desk-shortcuts")


@pytest.mark.usefixtures("catalogues")
def test_home_costs_the_same_however_many_requests_wait(
    merchant: Merchant, django_assert_max_num_queries: Any
) -> None:
    with transaction.atomic():
        credit(merchant)
    andres, pilar = hand_payouts.approver(merchant), hand_payouts.preparer(merchant)
    theirs = browser_of(andres)
    hand_payouts.ask(merchant, pilar, 50_000)
    theirs.page("index")
    with CaptureQueriesContext(connection) as one:
        theirs.page("index")
    most = len(one)
    for amount in range(51_000, 54_000, 1000):
        hand_payouts.ask(merchant, pilar, amount)
    theirs.page("index")  # the charts are counted again
    with django_assert_max_num_queries(most):
        theirs.page("index")


@pytest.mark.usefixtures("catalogues")
def test_payouts_of_today_are_those_of_the_chart(api: ApiClient, merchant: Merchant) -> None:
    """One that was made and not sent yet is in progress in both."""
    with transaction.atomic():
        credit(merchant)
    payouts.create(api, amount=100_000)
    home = browser_of(person_of(merchant, "lucia")).page("index").context
    assert (home["payouts"]["open"], home["payouts"]["made"]) == (1, "100,000 COP")
    assert home["payouts"]["sent"] == 0
