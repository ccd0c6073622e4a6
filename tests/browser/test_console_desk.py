"""The desk of an operator in a browser: first page, search, kept filters, a record's story."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from playwright.sync_api import BrowserContext, Page, expect

from merchants.models import Merchant
from payments.collect.models import Order
from payments.collect.services.orders import receipt_mail
from payments.core import clock
from payments.core.models import Heartbeat
from payments.mail.models import Mail
from tests.admin.conftest import credit, send
from tests.browser.conftest import picture
from tests.support import page_checks
from tests.support.factories import payout_body
from tests.support.fixtures import ApiClient
from tests.support.refunds import asked, paid

LAPTOP = {"width": 1280, "height": 800}
POCKET = {"width": 390, "height": 844}
OURS = ".desk, .desk-copy, .desk-step, .desk-warning, .desk-timeline, .desk-filters"
# What axe finds in the theme (Unfold 0.91), on pages that are not of our making.
THEME = {"landmark-one-main", "landmark-unique", "region", "target-size"}


@pytest.fixture
def open_desk(
    open_browser: Callable[..., BrowserContext], server: str, db: None
) -> Callable[..., Page]:
    """Ana's browser, logged in, in English."""
    cache.clear()
    ana = User.objects.create_superuser("ana", "ana@pasarela.example", "Volcán-Galeras-4276")
    session = Client()
    session.force_login(ana)
    cookie = session.cookies["sessionid"].value

    def open_desk(**options: object) -> Page:
        context = open_browser(is_payers=False, **options)
        context.add_cookies(
            [
                {"name": "sessionid", "value": cookie, "url": server},
                {"name": "django_language", "value": "en", "url": server},
            ]
        )
        return context.new_page()

    return open_desk


@pytest.fixture
def month(merchant: Merchant, settings: pytest.FixtureRequest) -> Order:
    """Thirty days of Café Andino: payments, what failed, payouts, what waits."""
    settings.DOORBELL = False  # type: ignore[attr-defined]
    api, now = ApiClient(merchant), clock.now()
    with transaction.atomic():
        credit(merchant)
    for ago in range(0, 30, 3):
        with time_machine.travel(now - timedelta(days=ago, hours=1)):
            for _again in range(1 + ago % 4):
                paid(api)
    send(api, payout_body(recipientDocType="NIT", recipientDocNumber="900373115-4"))
    Merchant.objects.filter(pk=merchant.pk).update(
        payout_approval_above=50_000, payout_approval_set_by="beto"
    )
    send(api)
    bought = paid(api, reference="MESA-77")
    asked(api, bought)
    Heartbeat.objects.update_or_create(name="money", defaults={"at": now})
    return bought


def own_violations(page: Page) -> list[str]:
    """Of our own pieces; those of the theme are counted by name, and no new one may appear."""
    found = page_checks.violations(page)
    names = {entry.partition(":")[0] for entry in found}
    inside = page.evaluate(
        """async (ours) => {
          const include = [...document.querySelectorAll(ours)].filter(
            (piece) => piece.checkVisibility());
          if (!include.length) return [];
          const result = await axe.run({ include }, {
            resultTypes: ["violations"], preload: false,
            runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] });
          return result.violations.flatMap((rule) =>
            rule.nodes.map((node) => rule.id + ": " + node.html + " " + node.failureSummary));
        }""",
        OURS,
    )
    small = [entry for entry in found if entry.startswith("target-size") and "desk-" in entry]
    assert names - THEME == set(), found
    return [*inside, *small]


def test_operator_works_through_the_dashboard_the_search_and_a_record(
    open_desk: Callable[..., Page], server: str, month: Order
) -> None:
    desk = open_desk(viewport=LAPTOP)
    desk.goto(f"{server}/admin/")
    expect(desk.get_by_role("heading", name="Collected today")).to_be_visible()
    expect(desk.get_by_role("img", name="Collected by day")).to_be_visible()
    picture(desk, "desk")
    assert own_violations(desk) == []
    desk.get_by_text("Show as a table").first.click()
    expect(desk.get_by_role("columnheader", name="COP")).to_be_visible()
    # One exact hit leads to the record.
    desk.get_by_role("searchbox", name="Search everything").fill("MESA-77")
    desk.keyboard.press("Enter")
    desk.wait_for_url(f"**/collect/order/{month.pk.replace('_', '_5F')}/change/")
    expect(desk.get_by_text("The order is paid").first).to_be_visible()
    picture(desk, "desk-order")
    assert own_violations(desk) == []
    desk.get_by_role("link", name="Open the refund").click()
    expect(desk.locator(".desk-step").get_by_role("link", name="Approve refund")).to_be_visible()
    # A queue, kept under a name.
    desk.goto(f"{server}/admin/")
    desk.get_by_role("link", name="Payouts that wait for approval").click()
    desk.get_by_text("Save this filter").click()
    desk.get_by_role("textbox", name="Name").fill("Por aprobar")
    assert own_violations(desk) == []
    desk.get_by_role("button", name="Save").click()
    expect(desk.get_by_role("link", name="Por aprobar")).to_be_visible()
    picture(desk, "desk-list")
    desk.goto(f"{server}/admin/")
    desk.get_by_role("link", name="Por aprobar").click()
    expect(desk).to_have_url(f"{server}/admin/payout/payout/?exceptions=approval")


def test_desk_fits_a_phone_and_is_accessible(
    open_desk: Callable[..., Page], server: str, month: Order
) -> None:
    desk = open_desk(viewport=POCKET, has_touch=True, is_mobile=True)
    for name, path in (
        ("desk-pocket", "/admin/"),
        ("desk-pocket-order", f"/admin/collect/order/{month.pk}/change/"),
    ):
        desk.goto(f"{server}{path}")
        picture(desk, name)
        assert page_checks.overflow(desk) <= 0, name
        assert own_violations(desk) == [], name


def test_search_and_mailbox_at_a_desk_and_on_a_phone(
    open_desk: Callable[..., Page], server: str, month: Order
) -> None:
    with transaction.atomic():
        receipt_mail.send(order=month, language="es")
    mail = Mail.objects.get(template="receipt")
    phone: dict[str, Any] = {"viewport": POCKET, "has_touch": True, "is_mobile": True}
    for prefix, options in (("desk", {"viewport": LAPTOP}), ("desk-pocket", phone)):
        desk = open_desk(**options)
        for name, path, shown in (
            ("search", "/admin/search/?q=1020304050", "MESA-77"),
            ("mailbox", "/admin/mail/mail/", mail.subject),
            ("mail", f"/admin/mail/mail/{mail.pk}/change/", mail.subject),
        ):
            desk.goto(f"{server}{path}")
            expect(desk.locator("main").get_by_text(shown).first).to_be_visible()
            picture(desk, f"{prefix}-{name}")
            # A phone's own width: its viewport grows with what is too wide.
            width = options["viewport"]["width"]
            assert desk.evaluate("document.documentElement.scrollWidth") <= width, name
            assert own_violations(desk) == [], name


def test_the_warning_and_the_dark(
    open_desk: Callable[..., Page], server: str, month: Order, merchant: Merchant
) -> None:
    from payments.payout.models import Payout

    payout = Payout.objects.get(recipient_doc_type="NIT")
    desk = open_desk(viewport=LAPTOP, color_scheme="dark")
    desk.goto(f"{server}/admin/payout/payout/{payout.pk}/change/")
    expect(desk.get_by_text("The check digit of the NIT is wrong")).to_be_visible()
    picture(desk, "desk-payout-dark")
    assert own_violations(desk) == []
    desk.goto(f"{server}/admin/")
    picture(desk, "desk-dark")
    assert own_violations(desk) == []
