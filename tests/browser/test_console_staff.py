"""A day of a merchant's administrator: log in, look, ask for a refund, revoke a key, send again."""

from collections.abc import Callable

import pytest
from django.core.cache import cache
from django.db import transaction
from playwright.sync_api import BrowserContext, Page, expect

from merchants.models import ApiKey, Merchant
from payments.collect.models import Order, Refund
from payments.console import roles
from tests.admin.conftest import credit, send
from tests.admin.test_webhooks import fail
from tests.browser.conftest import picture
from tests.browser.test_console_desk import LAPTOP, POCKET, THEME
from tests.support import page_checks
from tests.support.fixtures import ApiClient
from tests.support.legal_data import give_legal_data
from tests.support.merchant_staff import PASSWORD, person_of
from tests.support.refunds import paid
from webhooks.models import Delivery

REASON = "The customer brought the coffee back"


@pytest.fixture
def bought(merchant: Merchant, stranger: Merchant, settings: pytest.FixtureRequest) -> Order:
    """Café Andino sold, paid out, and was not told once; Otra Tienda sold, too."""
    settings.DOORBELL = False  # type: ignore[attr-defined]
    cache.clear()
    api = ApiClient(merchant)
    with transaction.atomic():
        credit(merchant)
    for number in range(6):
        order = paid(api, reference=f"MESA-{number}")
    send(api)
    paid(ApiClient(stranger), reference="AJENO-1")
    fail(Delivery.objects.filter(merchant=merchant).latest("id"))
    person_of(merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR)
    return order


@pytest.fixture
def come_in(open_browser: Callable[..., BrowserContext], server: str) -> Callable[..., Page]:
    """Types name and password, as a person does."""

    def come_in(**options: object) -> Page:
        context = open_browser(is_payers=False, **options)
        context.add_cookies([{"name": "django_language", "value": "en", "url": server}])
        page = context.new_page()
        page.goto(f"{server}/admin/")
        page.locator("[name=username]").fill("gabriel")
        page.locator("[name=password]").fill(PASSWORD)
        page.locator("button[type=submit]").first.click()
        page.wait_for_url(f"{server}/admin/")
        return page

    return come_in


def look(page: Page, name: str) -> None:
    """A picture, and axe: nothing but what is the theme's own."""
    picture(page, name)
    found = page_checks.violations(page)
    assert {entry.partition(":")[0] for entry in found} - THEME - {"target-size"} == set(), found


def test_staff_member_sees_and_refunds_only_the_orders_of_the_merchant(
    come_in: Callable[..., Page], server: str, bought: Order, merchant: Merchant
) -> None:
    desk = come_in(viewport=LAPTOP)
    look(desk, "staff")
    desk.locator('a[href="/admin/collect/order/"]').first.click()
    desk.wait_for_url("**/admin/collect/order/")
    expect(desk.get_by_text("MESA-5")).to_be_visible()
    expect(desk.get_by_text("AJENO-1")).to_have_count(0)
    look(desk, "staff-orders")
    desk.get_by_role("link", name="MESA-5").click()
    desk.wait_for_url("**/change/**")
    look(desk, "staff-order")
    # A refund: held at once, decided by an operator.
    desk.locator('a[href$="/refund_order/"]').first.click()
    desk.wait_for_url("**/refund_order/")
    desk.locator("[name=amount]").fill("20000")
    desk.locator("[name=reason]").fill(REASON)
    look(desk, "staff-refund")
    desk.get_by_role("button", name="Continue").click()
    expect(desk.get_by_text("Leaves your balance")).to_be_visible()
    expect(desk.get_by_text("Can be returned after it")).to_be_visible()
    expect(desk.locator("h1")).to_contain_text("Check the refund")
    look(desk, "staff-refund-check")
    desk.get_by_role("button", name="Ask for the refund").click()
    desk.wait_for_url("**/change/")
    refund = Refund.objects.get()
    assert (refund.amount, refund.requested_by) == (20_000, "gabriel")
    # What was not delivered is sent again.
    failed = Delivery.objects.filter(merchant=merchant, cause="event").latest("id")
    desk.goto(f"{server}/admin/webhooks/delivery/{failed.pk}/change/")
    look(desk, "staff-delivery")
    desk.locator('a[href$="/resend/"]').first.click()
    desk.wait_for_url("**/resend/")
    desk.locator("[name=reason]").fill("The receiver was down")
    desk.get_by_role("button", name="Send again").click()
    desk.wait_for_url("**/change/")
    assert Delivery.objects.filter(merchant=merchant, cause="resend").count() == 1
    # A key that leaked.
    key = ApiKey.objects.filter(merchant=merchant).first()
    desk.goto(f"{server}/admin/merchants/apikey/")
    look(desk, "staff-keys")
    desk.goto(f"{server}/admin/merchants/apikey/{key.pk}/change/")
    desk.locator('a[href$="/revoke/"]').first.click()
    desk.wait_for_url("**/revoke/")
    desk.locator("[name=reason]").fill("It was in a public repository")
    desk.get_by_role("button", name="Revoke for good").click()
    desk.wait_for_url("**/merchants/apikey/")
    expect(desk.get_by_text("is revoked.")).to_be_visible()
    key.refresh_from_db()
    assert key.revoked_at is not None
    give_legal_data(key.merchant)
    desk.goto(f"{server}/admin/merchants/merchant/{key.merchant_id}/change/")
    look(desk, "staff-account")
    for part in ("Legal data", "Payer's page", "Payouts", "Webhooks"):
        expect(desk.get_by_role("heading", name=part, exact=True)).to_be_visible()
    desk.goto(f"{server}/admin/ledger/account/balance/")
    expect(desk.get_by_text("-20,000 COP").first).to_be_visible()
    look(desk, "staff-balance")


def test_pages_of_a_staff_member_fit_a_phone(
    come_in: Callable[..., Page], server: str, bought: Order
) -> None:
    desk = come_in(viewport=POCKET, has_touch=True, is_mobile=True)
    for name, path in (
        ("staff-pocket", "/admin/"),
        ("staff-pocket-order", f"/admin/collect/order/{bought.pk}/change/"),
        ("staff-pocket-refund", f"/admin/collect/order/{bought.pk}/refund_order/"),
        ("staff-pocket-balance", "/admin/ledger/account/balance/"),
        ("staff-pocket-account", f"/admin/merchants/merchant/{bought.merchant_id}/change/"),
    ):
        desk.goto(f"{server}{path}")
        look(desk, name)
        assert page_checks.overflow(desk) <= 0, name
