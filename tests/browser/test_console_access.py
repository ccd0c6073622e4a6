"""Access to the console, as a person goes through it with a phone, and without."""

import re
from base64 import b32decode
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.test import Client
from playwright.sync_api import BrowserContext, Page, expect

from merchants.models import Merchant
from payments.core import clock
from tests.admin.conftest import url
from tests.browser.conftest import PHONE, picture
from tests.browser.test_console_desk import THEME
from tests.support import page_checks
from tests.support.console_login import PASSWORD, code
from tests.support.factories import MerchantFactory


@pytest.fixture
def merchant(db: None) -> Merchant:
    """Whose secret is regenerated."""
    return MerchantFactory()


@pytest.fixture
def page(open_browser: Callable[..., BrowserContext], server: str, settings: object) -> Page:
    """Ana's browser outside development, on the login page."""
    settings.CONSOLE_SECOND_FACTOR = True  # type: ignore[attr-defined]
    User.objects.create_superuser("ana", "ana@pasarela.example", PASSWORD)
    context = open_browser(
        viewport=PHONE, forgive="the server responded with a status of 4", is_payers=False
    )
    context.add_cookies([{"name": "django_language", "value": "en", "url": server}])
    window = context.new_page()
    window.goto(f"{server}/admin/")
    return window


def look(page: Page, name: str) -> None:
    """What axe finds that is not the theme's, and a picture."""
    picture(page, f"console-{name}")
    found = [
        issue for issue in page_checks.violations(page) if issue.partition(":")[0] not in THEME
    ]
    assert found == [], name
    assert page_checks.overflow(page) == 0, name


def log_in(page: Page, password: str = PASSWORD) -> None:
    page.locator("[name=username]").fill("ana")
    page.locator("[name=password]").fill(password)
    page.locator("[name=password]").press("Enter")


def long_ago() -> None:
    """The password was given long ago."""
    for row in Session.objects.all():
        session = row.get_decoded()
        session["console_fresh"] = (clock.now() - timedelta(hours=1)).isoformat()
        row.session_data = SessionStore().encode(session)
        row.save()


def test_operator_sets_up_a_second_factor_and_logs_in_with_it(
    page: Page, server: str, merchant: Merchant
) -> None:
    look(page, "login")
    log_in(page)
    expect(page.locator("ol code")).to_be_visible()
    look(page, "device")
    secret = page.locator("ol code").text_content() or ""
    key = b32decode(re.sub(r"\s", "", secret))
    page.get_by_label("Code").fill(code(key))
    page.get_by_role("button", name="Set up").click()
    expect(page.locator("li code")).to_have_count(10)
    look(page, "backup-codes")
    page_codes = page.locator("li code").all_text_contents()
    page.get_by_role("link", name="I have stored them").click()
    page.wait_for_url(f"{server}/admin/")

    laptop = Client(HTTP_USER_AGENT="Mozilla/5.0 (Windows NT 10.0) Firefox/140.0")
    laptop.post("/admin/login/", {"username": "ana", "password": PASSWORD})
    page.goto(f"{server}/admin/access/")
    expect(page.get_by_role("button", name="End the other sessions")).to_be_visible()
    expect(page.get_by_text("10 backup codes are left.")).to_be_visible()
    look(page, "access")
    page.get_by_role("button", name="Log out everywhere").click()
    expect(page.get_by_text("You are logged out everywhere.")).to_be_visible()
    log_in(page)
    page.get_by_label("Code").fill("123 456")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("That was not right.")).to_be_visible()
    expect(page.get_by_label("Code")).to_have_value("")
    look(page, "code")
    page.get_by_label("Code").fill(page_codes[0])
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("You used a backup code. Codes left: 9.")).to_be_visible()

    long_ago()
    act = url("merchants_merchant_regenerate_secret", merchant.pk)
    page.goto(f"{server}{act}")
    page.locator("[name=reason]").fill("Asked for by phone")
    page.get_by_role("button", name="Regenerate").click()
    expect(page.get_by_text("Is it still you?").first).to_be_visible()
    expect(page.get_by_role("heading", name="Regenerate", level=2)).to_be_visible()
    look(page, "confirm")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Code").fill(page_codes[1])
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("Copy this now.")).to_be_visible()


def test_guessing_is_locked_out(page: Page) -> None:
    for _ in range(5):
        with page.expect_navigation():  # the next name is typed into the next page
            log_in(page, "wrong")
    expect(page.get_by_text("“ana” cannot log in from here for 15 minutes")).to_be_visible()
    look(page, "locked")
