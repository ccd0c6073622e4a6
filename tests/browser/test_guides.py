"""The guides in a browser: on a phone and at a desk, in both languages, light and dark."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import DESKTOP, PHONE, picture
from tests.support import page_checks

WINDOWS = {"phone": PHONE, "desktop": DESKTOP}
TITLES = {"es-CO": "Recibe un pago en diez minutos", "en-US": "Accept a payment in ten minutes"}


@pytest.fixture
def open_guide(open_browser: Callable[..., BrowserContext], server: str) -> Callable[..., Page]:
    def open_guide(slug: str = "accept-a-payment", **options: Any) -> Page:
        context = open_browser(**{"locale": "en-US", "viewport": DESKTOP, **options})
        if options.get("java_script_enabled", True):
            context.add_init_script(page_checks.WATCH)
        page = context.new_page()
        page.goto(f"{server}/docs/guides/{slug}")
        return page

    return open_guide


@pytest.mark.parametrize(
    ("name", "locale", "scheme"), [("phone", "es-CO", "dark"), ("desktop", "en-US", "light")]
)
def test_guide_is_accessible_at_every_width(
    open_guide: Callable[..., Page], name: str, locale: str, scheme: str
) -> None:
    page = open_guide(viewport=WINDOWS[name], locale=locale, color_scheme=scheme)
    expect(page.get_by_role("heading", level=1, name=TITLES[locale])).to_be_visible()
    page_checks.assert_light_and_still(page, name)
    picture(page, f"guide-{name}-{locale}-{scheme}", full_page=False)
    assert page_checks.violations(page) == []
    assert page_checks.overflow(page) == 0


def test_the_language_of_the_programs_is_chosen_once(open_guide: Callable[..., Page]) -> None:
    page = open_guide()
    receivers, orders = page.locator(".tabs").nth(0), page.locator(".tabs").nth(1)
    expect(orders.locator("figure.curl")).to_be_visible()
    receivers.get_by_text("PHP", exact=True).first.click()
    expect(orders.locator("figure.php")).to_be_visible()
    expect(orders.locator("figure.curl")).to_be_hidden()


def test_search_finds_a_part_of_another_guide(open_guide: Callable[..., Page]) -> None:
    page = open_guide(locale="es-CO")
    page.keyboard.press("/")
    page.get_by_role("combobox").fill("saldo disponible retenido")
    page.get_by_role("option", name="Espera al operador").click()
    expect(page.get_by_role("heading", name="Espera al operador")).to_be_in_viewport()
    page.get_by_role("combobox").fill("INVALID_API_KEY")
    page.get_by_role("option", name="INVALID_API_KEY").first.click()
    expect(page.get_by_role("heading", name="INVALID_API_KEY")).to_be_in_viewport()


def test_search_of_the_reference_finds_guides(
    open_browser: Callable[..., BrowserContext], server: str
) -> None:
    page = open_browser(locale="en-US", viewport=DESKTOP).new_page()
    page.goto(f"{server}/docs")
    page.get_by_role("combobox").fill("it proves nothing")
    page.get_by_role("option", name="It proves nothing").click()
    expect(page.get_by_role("heading", name="It proves nothing")).to_be_in_viewport()


def test_guide_is_readable_without_scripts(open_guide: Callable[..., Page]) -> None:
    page = open_guide(viewport=PHONE, java_script_enabled=False)
    page.get_by_text("Contents", exact=True).click()
    page.get_by_role("link", name="Payouts").click()
    expect(page.get_by_role("heading", level=1, name="Payouts")).to_be_visible()
