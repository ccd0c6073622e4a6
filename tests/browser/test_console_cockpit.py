"""The desk of a merchant in a browser: cockpit, statement, webhook, evidence and analytics.

With pictures at three widths, light and dark, in both languages.
"""

import io
from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from playwright.sync_api import BrowserContext, Page, expect

from merchants.models import Merchant
from payments.collect.models import Dispute, Order
from payments.console import roles
from payments.core import clock
from payments.ledger.services import day_totals
from payments.settlement import days
from tests.admin.conftest import credit, send
from tests.admin.test_analytics import refused
from tests.admin.test_webhooks import end, fail
from tests.browser.conftest import PHONE, picture
from tests.browser.test_console_desk import LAPTOP, own_violations
from tests.support import page_checks
from tests.support.disputes import tell
from tests.support.factories import payout_body
from tests.support.fixtures import ApiClient
from tests.support.merchant_staff import person_of
from tests.support.refunds import paid
from webhooks.models import Delivery

DESK = {"width": 1440, "height": 900}
Enter = Callable[..., Page]


@pytest.fixture
def enter(open_browser: Callable[..., BrowserContext], server: str, db: None) -> Enter:
    """A person's window, logged in."""
    cache.clear()

    def enter(user: User, language: str = "en", **options: object) -> Page:
        session = Client()
        session.force_login(user)
        context = open_browser(is_payers=False, **options)
        cookies = {"sessionid": session.cookies["sessionid"].value, "django_language": language}
        context.add_cookies(
            [{"name": name, "value": value, "url": server} for name, value in cookies.items()]
        )
        return context.new_page()

    return enter


@pytest.fixture
def ana(db: None) -> User:
    return User.objects.create_superuser("ana", "ana@pasarela.example", "Volcán-Galeras-4276")


@pytest.fixture
def month(merchant: Merchant, settings: pytest.FixtureRequest, catalogues: None) -> Order:
    """Thirty days of Café Andino: payments, refusals, payouts, a webhook that failed."""
    settings.DOORBELL = False  # type: ignore[attr-defined]
    api, now = ApiClient(merchant), clock.now()
    with transaction.atomic():
        credit(merchant)
    for ago in range(0, 30, 3):
        with time_machine.travel(now - timedelta(days=ago, hours=1)):
            for number in range(1 + ago % 3):
                paid(api, reference=f"MESA-{ago}-{number}", amount=40_000 + 7000 * number)
    refused(api)
    refused(api, "CANCELLED_BY_PAYER")
    sent = send(api, payout_body(amount=250_000))
    api.post(f"/sandbox/payout/{sent.pk}", {"status": "COMPLETED"})
    failed = Delivery.objects.filter(merchant=merchant).latest("id")
    fail(failed, '{"error": "no such route"}')
    end(failed)
    day_totals.add_postings()
    return paid(api, reference="MESA-77")


def check(page: Page, name: str) -> None:
    picture(page, name)
    assert page_checks.overflow(page) <= 0, name
    assert own_violations(page) == [], name


def test_operator_reads_a_merchant_from_its_cockpit_to_its_statement(
    enter: Enter, server: str, month: Order, merchant: Merchant, ana: User
) -> None:
    desk = enter(ana, viewport=LAPTOP)
    desk.goto(f"{server}/admin/merchants/merchant/{merchant.pk}/change/")
    expect(desk.get_by_role("heading", name="Available balance")).to_be_visible()
    check(desk, "cockpit-1280")
    # Settings are in tabs; the address of a field opens its tab.
    expect(desk.locator("#id_webhook_url")).to_be_hidden()
    desk.get_by_role("button", name="Webhooks").click()
    expect(desk.locator("#id_webhook_url")).to_be_visible()
    desk.goto("about:blank")
    desk.goto(f"{server}/admin/merchants/merchant/{merchant.pk}/change/#id_currencies")
    expect(desk.locator("#id_currencies").first).to_be_visible()
    # The whole name of each action.
    desk.locator(".shell-actions summary", has_text="Webhooks").click()
    item = desk.get_by_text("Regenerate webhook secret").locator("visible=true").first
    expect(item).to_be_visible()
    assert item.evaluate("each => each.scrollWidth <= each.clientWidth")
    desk.goto(f"{server}/admin/settlement/settlement/period/?merchant={merchant.pk}")
    check(desk, "statement-form")
    desk.get_by_role("button", name="Make the statement").click()
    expect(desk.get_by_role("heading", name="Statement", exact=True)).to_be_visible()
    expect(desk.get_by_text("MESA-77")).to_be_visible()
    picture(desk, "statement-1280")


def test_statement_fits_a_phone(
    enter: Enter, server: str, month: Order, merchant: Merchant
) -> None:
    lucia = person_of(merchant, "lucia")
    phone = enter(lucia, "es", viewport=PHONE, has_touch=True, is_mobile=True)
    today = days.day_of(clock.now())
    address = "/admin/settlement/settlement/statement/"
    query = f"merchant={merchant.pk}&currency=COPM&first={today}&last={today}&form=lines"
    phone.goto(f"{server}{address}?{query}")
    picture(phone, "statement-360")
    assert page_checks.overflow(phone) <= 0


def test_merchants_home_and_analytics_at_three_widths(
    enter: Enter, server: str, month: Order, merchant: Merchant
) -> None:
    lucia = person_of(merchant, "lucia", roles.MERCHANT_ADMINISTRATOR)
    for size, language, scheme in (
        (PHONE, "es", "light"),
        (LAPTOP, "es", "dark"),
        (DESK, "en", "light"),
    ):
        name = f"{size['width']}-{language}-{scheme}"
        page = enter(lucia, language, viewport=size, color_scheme=scheme)
        page.goto(f"{server}/admin/")
        check(page, f"home-of-merchant-{name}")
        page.goto(f"{server}/admin/collect/order/analytics/")
        check(page, f"analytics-{name}")


def test_webhook_page_shows_the_exchange_and_its_news(
    enter: Enter, server: str, month: Order, ana: User
) -> None:
    failed = Delivery.objects.get(status="FAILED")
    desk = enter(ana, viewport=LAPTOP)
    desk.goto(f"{server}/admin/webhooks/delivery/{failed.pk}/change/")
    expect(desk.get_by_text("no such route")).to_be_visible()
    check(desk, "webhook-1280")
    waiting = Delivery.objects.filter(status="PENDING").latest("id")
    desk.goto(f"{server}/admin/webhooks/delivery/{waiting.pk}/change/")
    expect(desk.get_by_text("Nothing has been sent yet")).to_be_visible()
    fail(waiting, "try later")
    Delivery.objects.filter(pk=waiting.pk).update(attempts=1)
    expect(desk.get_by_text("try later")).to_be_visible()
    end(waiting)
    expect(desk.get_by_text("The only attempt failed")).to_be_visible()
    dark = enter(ana, "es", viewport=PHONE, color_scheme="dark")
    dark.goto(f"{server}/admin/webhooks/delivery/{failed.pk}/change/")
    check(dark, "webhook-360-dark")


def test_merchant_adds_evidence_and_downloads_it(
    enter: Enter, server: str, month: Order, merchant: Merchant
) -> None:
    from PIL import Image

    dispute = tell(month)
    lucia = person_of(merchant, "lucia")
    page = enter(lucia, viewport=LAPTOP)
    page.goto(f"{server}/admin/collect/dispute/{dispute.pk}/change/")
    page.get_by_role("link", name="Add a file").first.click()
    made = io.BytesIO()
    Image.new("RGB", (400, 300), "white").save(made, "PNG")
    file = {"name": "guía de entrega.png", "mimeType": "image/png", "buffer": made.getvalue()}
    page.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    page.locator("[name=reason]").fill("Proof of delivery")
    check(page, "evidence-form")
    page.get_by_role("button", name="Add the file").click()
    expect(page.get_by_role("link", name="guía de entrega.png")).to_be_visible()
    check(page, "dispute-with-file")
    with page.expect_download() as found:
        page.get_by_role("link", name="guía de entrega.png").click()
    assert found.value.suggested_filename == "guía de entrega.png"
    assert Dispute.objects.get(pk=dispute.pk).files.count() == 1


def test_queue_of_the_first_page(enter: Enter, server: str, month: Order, ana: User) -> None:
    tell(month)
    desk = enter(ana, viewport=LAPTOP)
    desk.goto(f"{server}/admin/")
    expect(desk.get_by_role("link", name="Disputes that are open or in doubt")).to_be_visible()
    quiet = desk.locator(".desk-quiet")
    expect(quiet.locator("summary")).to_contain_text("queues without work")
    expect(quiet.locator("li").first).to_be_hidden()
    check(desk, "queue-1280")
    quiet.locator("summary").click()
    expect(quiet.locator("li").first).to_be_visible()
