"""A payer pays by the provider's own methods, on a phone: a push to a wallet, and a key."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from payments.collect.models import Order
from tests.browser.conftest import PHONE, picture

Contexts = Callable[..., BrowserContext]


def expect_receipt(page: Page, order: Order) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text("Payment received")
    expect(page.get_by_role("main")).to_contain_text(order.reference)
    order.refresh_from_db()
    assert order.status == "COMPLETED"


def test_a_push(phone: Page, order: Order) -> None:
    phone.goto(f"{order.collect_url}?lang=en")
    picture(phone, "direct-methods")
    phone.get_by_role("link", name="Wallet on your phone").click()
    phone.get_by_label("Mobile phone of the wallet").fill("310 555 1234")
    phone.get_by_label("I authorise Pasarela").check()
    picture(phone, "direct-push-form")
    phone.get_by_role("button", name="Pay $ 50,025 COP").click()

    expect(phone.get_by_role("heading", level=1)).to_have_text("Approve the payment in your wallet")
    phone.evaluate("window.stillHere = true")
    picture(phone, "direct-push-waiting")
    with phone.expect_popup() as popup:
        phone.get_by_role("link", name="Play the wallet").click()
    wallet = popup.value
    picture(wallet, "direct-push-wallet")
    wallet.locator("button[value=approve]").click()
    expect(wallet.locator(".state")).to_be_visible()
    picture(wallet, "direct-push-wallet-decided")

    phone.bring_to_front()
    expect_receipt(phone, order)
    expect(phone.get_by_role("main")).to_contain_text("Wallet on your phone")
    assert phone.evaluate("window.stillHere === true")
    picture(phone, "direct-push-receipt")


def test_a_key_in_two_parts(phone: Page, order: Order) -> None:
    phone.goto(f"{order.collect_url}?lang=en")
    phone.get_by_role("button", name="Bre-B key").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Pay to this key")
    phone.evaluate("window.stillHere = true")
    phone.get_by_role("button", name="Copy key").click()
    expect(phone.get_by_role("status")).to_have_text("Copied")
    assert phone.evaluate("navigator.clipboard.readText()") == order.charges.get().key_value
    picture(phone, "direct-key")

    with phone.expect_popup() as popup:
        phone.get_by_role("link", name="Play the deposit").click()
    desk = popup.value
    picture(desk, "direct-key-desk")
    for amount, left in (("20000", "$ 30,025 COP"), ("30025", "")):
        desk.locator("input[name=amount]").fill(amount)
        desk.locator("button[value=deposit]").click()
        expect(phone.get_by_role("main")).to_contain_text(left or "Payment received")
    expect_receipt(phone, order)
    assert phone.evaluate("window.stillHere === true")


@pytest.mark.parametrize("method", ["Wallet on your phone", "Bre-B key", "Button of a bank"])
def test_without_javascript(method: str, open_browser: Contexts, order: Order) -> None:
    page = open_browser(viewport=PHONE, java_script_enabled=False).new_page()
    page.goto(f"{order.collect_url}?lang=en")
    page.get_by_role("link", name=method).or_(page.get_by_role("button", name=method)).click()
    if method == "Wallet on your phone":
        page.get_by_role("button", name="Pay").click()
        expect(page.get_by_role("alert")).to_contain_text("Write your mobile phone.")
        page.get_by_label("Mobile phone of the wallet").fill("3105551234")
        page.get_by_label("I authorise Pasarela").check()
        page.get_by_role("button", name="Pay").click()
    if method == "Button of a bank":
        page.wait_for_url("**/simulator/bank/**")
        page.locator("button[value=approve]").click()
    else:
        with page.expect_popup() as popup:
            page.get_by_role("link", name=re.compile("new tab")).click()
        popup.value.locator("button[value=approve], button[value=deposit]").click()
        page.get_by_role("link", name="Check again now").click()
    expect_receipt(page, order)
