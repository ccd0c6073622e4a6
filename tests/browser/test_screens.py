"""Every screen of the payment page, looked at: axe, layout, weight, and a picture for people."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from merchants.models import Merchant
from payments.collect.models import Order
from tests.browser.conftest import DESKTOP, PHONE, picture, stay
from tests.support import payment_screens
from tests.support.legal_data import give_legal_data
from tests.support.page_checks import (
    AXE,
    WATCH,
    assert_light_and_still,
    overflow,
    unreadable_in_the_dark,
    violations,
)
from tests.support.payment_screens import Scene

Contexts = Callable[..., BrowserContext]
Create = Callable[..., Order]
NARROW = {"width": 320, "height": 640}


def look_at(
    page: Page, name: str, scene: Scene, create: Create, languages: tuple[str, ...] = ("en", "es")
) -> int:
    """The screen in its languages, on a phone and on a desk. Returns what it weighs."""
    url, weight = scene.address(create), 0
    for language in languages:
        page.set_viewport_size(PHONE)
        page.goto(f"{url}?lang={language}")
        if scene.press:
            with page.expect_navigation():
                page.locator(scene.press).click()
        stay(page)
        weight = max(weight, assert_light_and_still(page, name))
        expect(page.locator("h1")).to_have_count(1)
        assert violations(page) == [], name
        if language == "es":  # whose words are the longer ones
            picture(page, f"phone-{name}")
            page.set_viewport_size(NARROW)
            assert overflow(page) == 0, name
        page.set_viewport_size(DESKTOP)
        assert overflow(page) == 0, name
        assert violations(page) == [], name
        if language == "es":
            picture(page, f"desktop-{name}")
            assert unreadable_in_the_dark(page) == [], name
            page.set_viewport_size(PHONE)
            picture(page, f"dark-{name}")
            page.emulate_media(color_scheme="light")
    return weight


@pytest.mark.parametrize(
    "screens",
    [
        payment_screens.CHOOSING,
        payment_screens.COINS,
        payment_screens.WAITING,
        payment_screens.ENDED,
    ],
    ids=["choosing", "coins", "waiting", "ended"],
)
def test_every_screen_is_accessible_light_and_still(
    screens: dict[str, Scene],
    open_browser: Contexts,
    create: Create,
    merchant: Merchant,
    settings: Any,
) -> None:
    if screens is not payment_screens.CHOOSING:  # of a merchant who says whom to ask
        give_legal_data(merchant)
    settings.RAILS = [*settings.RAILS, "tests.rails.wharf.RAIL", "tests.rails.wharf.CUSTOMS"]
    page = open_browser(bypass_csp=True, forgive="status of 404").new_page()
    page.add_init_script(WATCH)
    page.add_init_script(path=AXE)
    weights = {name: look_at(page, name, scene, create) for name, scene in screens.items()}
    print(weights)


@pytest.mark.parametrize("colour", ["#ffd400", "#c8102e"])
def test_a_merchants_colour_and_logo(
    colour: str, open_browser: Contexts, create: Create, merchant: Merchant
) -> None:
    payment_screens.wear(merchant, colour)
    page = open_browser(bypass_csp=True).new_page()
    page.add_init_script(WATCH)
    page.add_init_script(path=AXE)
    for name, scene in payment_screens.BRANDED.items():
        look_at(page, f"{name}-{colour[1:]}", scene, create, languages=("es",))
        assert page.evaluate("document.querySelector('.logo').naturalWidth") == 120
    panel = page.evaluate("getComputedStyle(document.querySelector('.summary')).backgroundColor")
    red, green, blue = bytes.fromhex(colour[1:])
    assert panel == f"rgb({red}, {green}, {blue})"
