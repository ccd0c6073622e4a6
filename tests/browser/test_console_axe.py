"""Every list and every record of the console: nothing for axe, light, and with all its icons."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.utils import quote
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect

from merchants.models import Merchant
from payments.console.models import Export
from tests.support import console_theme, page_checks
from tests.support.two_tenants import OWN, furnish

WEIGHT_LIMIT_BYTES = 500_000
ICONS = set((console_theme.TARGET / "icons.txt").read_text().split())
_ICONS = """() => [...document.querySelectorAll(".material-symbols-outlined")]
  .map((element) => element.textContent.trim())"""


@pytest.fixture
def ana(merchant: Merchant) -> Client:
    """Logged in, among rows of every kind."""
    with transaction.atomic():
        furnish(merchant, OWN)
    session = Client()
    session.force_login(
        User.objects.create_superuser("ana", "ana@pasarela.example", "Volcán-Galeras-4276")
    )
    return session


@pytest.fixture
def desk(open_browser: Callable[..., BrowserContext], server: str, ana: Client) -> Page:
    """Ana's browser."""
    context = open_browser(viewport={"width": 1280, "height": 800}, is_payers=False)
    cookie = ana.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": server}])
    return context.new_page()


def addresses() -> Iterator[str]:
    """The list of every kind of record, and one record of it."""
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield reverse(f"{name}_changelist")
        row: Any = model._default_manager.order_by("-pk").first()
        # The file of another person is absent for her.
        if row is not None and model is not Export:
            yield reverse(f"{name}_change", args=[quote(row.pk)])


def faults(page: Page) -> list[str]:
    found = page_checks.violations(page)
    weight = page_checks.facts(page)["weight"]
    if weight >= WEIGHT_LIMIT_BYTES:
        found.append(f"weight: {weight} bytes")
    missing = {name for name in page.evaluate(_ICONS) if name} - ICONS
    return found + [f"icon: {name} is not in static/console/icons.txt" for name in missing]


def test_every_page_is_accessible_and_light(desk: Page, server: str) -> None:
    there = [reverse("admin:index"), reverse("admin:access"), *addresses()]
    assert len(there) > 50
    found = {}
    for address in there:
        answer = desk.goto(f"{server}{address}")
        assert answer is not None
        assert answer.status == 200, address
        if wrong := faults(desk):
            found[address] = wrong
    assert found == {}


def test_login_is_accessible_and_light(
    open_browser: Callable[..., BrowserContext], server: str
) -> None:
    page = open_browser(is_payers=False).new_page()
    page.goto(f"{server}/admin/login/")
    assert faults(page) == []


def test_login_speaks_the_chosen_language_and_keeps_the_wanted_page(
    open_browser: Callable[..., BrowserContext], server: str, ana: Client
) -> None:
    page = open_browser(is_payers=False).new_page()
    page.goto(f"{server}/admin/webhooks/delivery/")
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", name="Log in to the console")).to_be_visible()
    page.locator("[name=username]").fill("ana")
    page.locator("[name=password]").fill("Volcán-Galeras-4276")
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/admin/webhooks/delivery/")
