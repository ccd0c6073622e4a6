"""The API reference in a browser: on a phone, at a desk, and with scripts switched off."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import DESKTOP, PHONE, picture
from tests.support import page_checks

WINDOWS = {"phone": PHONE, "desktop": DESKTOP}


@pytest.fixture
def open_reference(open_browser: Callable[..., BrowserContext], server: str) -> Callable[..., Page]:
    def open_reference(**options: object) -> Page:
        context = open_browser(**options)
        if options.get("java_script_enabled", True):
            context.add_init_script(page_checks.WATCH)
            context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = context.new_page()
        page.goto(f"{server}/docs")
        return page

    return open_reference


@pytest.mark.parametrize("name", WINDOWS)
def test_reference_is_accessible_at_every_width(
    open_reference: Callable[..., Page], name: str
) -> None:
    page = open_reference(viewport=WINDOWS[name])
    expect(page.get_by_role("heading", name="Create a collection order")).to_be_visible()
    assert page_checks.violations(page) == []
    assert page_checks.overflow(page) == 0
    page_checks.assert_light_and_still(page, name)
    page.locator("#createCollection").scroll_into_view_if_needed()
    # The whole page is as high as a house.
    picture(page, f"reference-{name}", full_page=False)


def test_what_is_copied_is_what_is_shown(open_reference: Callable[..., Page]) -> None:
    page = open_reference(viewport=DESKTOP)
    figure = page.locator("#createPayout figure").first
    figure.get_by_role("button", name="Copy").click()
    expect(figure.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == figure.locator("code").text_content()
    assert copied.startswith("PAYROLL=")
    assert "\ncurl " in copied


def test_a_language_is_chosen_once(open_reference: Callable[..., Page]) -> None:
    page = open_reference(viewport=DESKTOP)
    expect(page.locator("figure.python")).to_be_visible()
    page.get_by_text("Node.js", exact=True).first.click()
    expect(page.locator("figure.node")).to_be_visible()
    expect(page.locator("figure.python")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(page.locator("figure.php")).to_be_visible()
    page.reload()
    expect(page.locator("figure.php")).to_be_visible()


def test_on_a_phone_the_contents_open_and_close(open_reference: Callable[..., Page]) -> None:
    page = open_reference(viewport=PHONE)
    contents = page.get_by_role("navigation", name="Contenido")
    expect(contents).to_be_hidden()
    page.get_by_text("Contenido", exact=True).first.click()
    contents.get_by_role("link", name="Pay a bill").click()
    expect(contents).to_be_hidden()
    expect(page.get_by_role("heading", name="Pay a bill")).to_be_in_viewport()


def test_reference_is_readable_without_scripts(open_reference: Callable[..., Page]) -> None:
    page = open_reference(viewport=PHONE, java_script_enabled=False)
    page.get_by_text("Contenido", exact=True).first.click()
    page.get_by_role("link", name="Verification").click()
    page.get_by_text("PHP", exact=True).first.click()
    expect(page.locator("figure.php")).to_be_visible()
    assert page.get_by_role("button").count() == 0
