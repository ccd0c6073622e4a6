"""A payer's page while its order is cancelled: it says so by itself, with JavaScript or without."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from merchants.models import Merchant
from payments.collect.models import Order
from tests.browser.conftest import PHONE, SHOP, hurry
from tests.support.fixtures import ApiClient

CANCELLED = "This order was cancelled"


def cancel(merchant: Merchant, order: Order) -> None:
    assert ApiClient(merchant).post(f"/collect/{order.pk}/cancel").status_code == 200


@pytest.mark.parametrize("path", ["", "/methods", "/pse"])
def test_open_page_switches_to_the_cancellation(
    path: str, phone: Page, order: Order, merchant: Merchant
) -> None:
    phone.goto(f"{order.collect_url}?lang=en")
    phone.goto(order.collect_url + path)
    cancel(merchant, order)
    hurry(phone)
    expect(phone.get_by_role("heading", level=1)).to_have_text(CANCELLED)
    expect(phone).to_have_title(f"{CANCELLED} · Pasarela")
    back = phone.get_by_role("link", name="Back to Café Andino")
    assert str(back.get_attribute("href")).startswith(f"{SHOP}/gracias?pedido=7&id={order.pk}")


def test_page_that_waits_for_a_transfer_switches_to_the_cancellation(
    phone: Page, order: Order, merchant: Merchant
) -> None:
    phone.goto(f"{order.collect_url}?lang=en")
    phone.get_by_role("button", name="Bank transfer").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Make the transfer")
    phone.evaluate("window.stillHere = true")
    cancel(merchant, order)
    hurry(phone)
    expect(phone.get_by_role("heading", level=1)).to_have_text(CANCELLED)
    expect(phone.get_by_role("main")).to_contain_text("Your money is safe: when it arrives")
    expect(phone.get_by_role("main")).not_to_contain_text("Account number")
    assert phone.evaluate("window.stillHere")  # without a reload
    phone.get_by_role("link", name="I already paid").click()
    expect(phone.get_by_role("main")).to_contain_text("This order was cancelled")


def test_without_javascript_the_cancellation_is_told(
    open_browser: Callable[..., BrowserContext], order: Order, merchant: Merchant
) -> None:
    page = open_browser(viewport=PHONE, java_script_enabled=False).new_page()
    page.goto(f"{order.collect_url}?lang=en")
    page.get_by_role("button", name="Bank transfer").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Make the transfer")
    cancel(merchant, order)
    page.get_by_role("link", name="Check again now").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(CANCELLED)
