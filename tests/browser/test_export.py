"""A list becomes a file while a person looks on: the button, the progress, the download."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import BrowserContext, Page, expect

from payments.collect.models import Order
from payments.console import tasks
from payments.console.exports import builder, changelist
from tests.browser.conftest import DESKTOP, picture
from tests.support import page_checks

# What the theme's frame lacks on every page (tests/browser/test_console_desk.py names the rest).
FRAME = ("landmark-one-main", "region")
CRUMBS = "truncate tracking-tight"


def own_violations(page: Page) -> list[str]:
    """What axe finds in our part of the page."""
    return [
        found
        for found in page_checks.violations(page)
        if not found.startswith(FRAME) and CRUMBS not in found
    ]


@pytest.fixture
def desk(
    open_browser: Callable[..., BrowserContext], server: str, monkeypatch: pytest.MonkeyPatch
) -> Page:
    """Ana's browser, logged in; every list is a long one."""
    monkeypatch.setattr(changelist, "AT_ONCE", -1)
    monkeypatch.setattr(builder, "CHUNK_ROWS", 1)
    ana = User.objects.create_superuser("ana", "ana@pasarela.example", "Volcán-Galeras-4276")
    session = Client()
    session.force_login(ana)
    cookie = session.cookies["sessionid"].value
    context = open_browser(viewport=DESKTOP, is_payers=False)
    context.add_cookies(
        [
            {"name": "sessionid", "value": cookie, "url": server},
            {"name": "django_language", "value": "en", "url": server},
        ]
    )
    return context.new_page()


def test_operator_exports_a_list_to_excel_and_downloads_it(
    desk: Page, server: str, create: Callable[..., Order], tmp_path: Path
) -> None:
    orders = [create(reference=f"MESA-{number}") for number in range(3)]
    desk.goto(f"{server}/admin/collect/order/")
    desk.locator('a[href^="/admin/collect/order/export/"]').first.click()
    columns = desk.get_by_text("customerDocNumber")
    expect(columns).to_be_hidden()
    desk.locator("summary", has_text="columns").click()
    expect(columns).to_be_visible()
    desk.locator("summary", has_text="columns").click()
    assert own_violations(desk) == []
    picture(desk, "export-asked")
    desk.get_by_role("button", name="Excel").click()
    bar = desk.locator("progress")
    expect(bar).to_have_js_property("value", 0)
    builder.run_turn(seconds=0)
    expect(bar).to_have_js_property("value", 33)
    expect(desk.get_by_text("Being made")).to_be_visible()
    assert own_violations(desk) == []
    picture(desk, "export-progress")
    tasks.run_exports()
    ready = desk.locator('a[href$="/download/"]')
    expect(ready).to_be_visible()
    # Also waits until the page is there: a download that begins before would stop its loading.
    picture(desk, "export-ready")
    with desk.expect_download() as download:
        ready.click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.suffix == ".xlsx"
    assert file.read_bytes()[:2] == b"PK"
    desk.goto(f"{server}/admin/collect/order/{orders[0].pk}/change/")
    expect(desk.get_by_text(orders[0].customer_email)).to_have_count(0)
    desk.locator('a[href$="/reveal/"]').first.click()
    expect(desk.get_by_text(orders[0].customer_email)).to_be_visible()
    assert own_violations(desk) == []
    picture(desk, "personal-data")
