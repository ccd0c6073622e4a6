"""A payer scans the operator's own Bre-B code, with the amount to type or with the amount in it."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from payments.collect.models import Charge, Order
from payments.providers.breb_qr.decoding import decode
from tests.browser.conftest import DESKTOP, PHONE, picture
from tests.browser.qr_codes import read_saved, read_screen
from tests.providers.breb import qr_rules
from tests.providers.breb_qr.samples import KEY_OF_A_SHOP, OF_A_SHOP
from tests.rails.accounts import enter, route
from tests.reconciliation.lines import CREDENTIALS
from tests.support.page_checks import AXE, WATCH, assert_light_and_still, overflow, violations

pytestmark = pytest.mark.slow
Contexts = Callable[..., BrowserContext]


@pytest.fixture
def connect(server: str, catalogues: None) -> Callable[[str], None]:
    def connect(takes_amount: str) -> None:
        key = {"key_type": "ALPHANUMERIC", "key_value": KEY_OF_A_SHOP, "qr_text": OF_A_SHOP}
        entered = {**CREDENTIALS, **key, "amount_in_qr": takes_amount}
        enter("own", "bankfile", "", entered)
        route("payin", "own")

    return connect


def choose(page: Page, order: Order, language: str) -> None:
    page.goto(f"{order.collect_url}?lang={language}")
    page.locator("form[action$='/transfer'] button").click()
    expect(page.locator("img.own")).to_be_visible()


@pytest.mark.parametrize("takes_amount", ["", "on"], ids=["typed", "inside"])
def test_the_code_on_the_screen_is_the_banks(
    takes_amount: str, connect: Any, open_browser: Contexts, order: Order
) -> None:
    connect(takes_amount)
    page = open_browser(viewport=PHONE, bypass_csp=True).new_page()
    page.add_init_script(WATCH)
    page.add_init_script(path=AXE)
    choose(page, order, "en")
    for kind, size in (("phone", PHONE), ("desktop", DESKTOP)):
        page.set_viewport_size(size)
        for language in ("en", "es"):
            page.goto(f"{order.collect_url}?lang={language}")
            assert_light_and_still(page, kind)
            assert violations(page) == []
            assert overflow(page) == 0
        picture(page, f"{kind}-breb-{'amount' if takes_amount else 'plain'}")
        [text] = read_screen(page)
        _check(text, order, is_inside=bool(takes_amount))
    assert read_saved(page, "Guardar el código") == [text]


def _check(text: str, order: Order, *, is_inside: bool) -> None:
    """By our decoder, and by one that does not know it."""
    assert qr_rules.problems(text, is_registered=True) == []
    told, bank = qr_rules.elements(text), qr_rules.elements(OF_A_SHOP)
    changed = {tag for tag in told if told[tag] != bank.get(tag)}
    assert list(told) == list(bank)
    if is_inside:
        assert changed == {"54", "63"}
        assert told["54"] == f"{order.amount:.2f}"
    else:
        assert text == OF_A_SHOP
    code = decode(text)
    assert code.amount == (order.amount if is_inside else None)
    assert code.key is not None
    assert code.key.value == KEY_OF_A_SHOP


def test_without_scripts_the_page_says_what_to_do(
    connect: Any, open_browser: Contexts, order: Order
) -> None:
    connect("")
    page = open_browser(viewport=PHONE, java_script_enabled=False).new_page()
    choose(page, order, "en")
    code = page.get_by_role("img", name="QR code of the Bre-B key, without an amount")
    expect(code).to_be_visible()
    main = page.get_by_role("main")
    expect(main).to_contain_text("type exactly $ 50,025 COP")
    expect(main).to_contain_text(KEY_OF_A_SHOP)
    expect(main).to_contain_text(Charge.objects.get().instructions["reference"])
    assert read_screen(page) == [OF_A_SHOP]


def test_a_part_leaves_a_code_with_the_rest(
    connect: Any, open_browser: Contexts, order: Order
) -> None:
    connect("on")
    page = open_browser(viewport=PHONE).new_page()
    choose(page, order, "en")
    Charge.objects.update(received=20_000)
    page.goto(f"{order.collect_url}?lang=en")
    [text] = read_screen(page)
    assert decode(text).amount == order.amount - 20_000
