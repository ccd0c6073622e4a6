"""A payer whose bank refused tries again on a phone, and pays."""

import re

import pytest
from playwright.sync_api import Page, expect

from merchants.models import Merchant
from payments.collect.models import Order
from tests.browser.conftest import picture, stay
from tests.browser.payers import accept_and_pay
from tests.support.page_checks import overflow, violations


@pytest.fixture
def refused(phone: Page, order: Order, merchant: Merchant) -> Page:
    """The bank said no to the first try."""
    Merchant.objects.filter(pk=merchant.pk).update(retry_enabled=True)
    go_to_the_bank(phone, order)
    phone.locator("button[value=refuse]").click()
    phone.wait_for_url(f"{order.collect_url}*")
    return phone


def test_refused_payer_tries_again_and_pays(refused: Page, order: Order) -> None:
    phone = refused
    expect(phone.get_by_role("heading", level=1)).to_have_text("The payment was not approved")
    expect(phone.get_by_role("main")).to_contain_text("Nothing was charged.")
    look(phone, "try-again-refused")

    phone.get_by_role("button", name="Try again").dblclick()
    expect(phone.get_by_role("heading", level=1)).to_have_text("How do you want to pay?")
    sibling = Order.objects.get(retry_of=order)
    expect(phone).to_have_url(re.compile(f"/pay/{re.escape(sibling.token)}$"))
    look(phone, "try-again-methods")

    go_to_the_bank(phone, sibling)
    phone.locator("button[value=approve]").click()
    phone.wait_for_url(f"{sibling.collect_url}*")
    expect(phone.get_by_role("heading", level=1)).to_have_text("Payment received")
    stay(phone)
    expect(phone.get_by_role("main")).to_contain_text(f"{order.reference}-2")
    look(phone, "try-again-paid")

    phone.goto(order.collect_url)  # the link that the shop sent leads to the receipt, too
    expect(phone.get_by_role("heading", level=1)).to_have_text("Payment received")
    statuses = Order.objects.order_by("created_at").values_list("status", flat=True)
    assert list(statuses) == ["FAILED", "COMPLETED"]


def go_to_the_bank(phone: Page, order: Order) -> None:
    phone.goto(f"{order.collect_url}/pse?lang=en")
    phone.locator("input[role=combobox]").fill("bancolombia")
    phone.keyboard.press("Enter")
    phone.get_by_label("Mobile phone").fill("310 555 1234")
    accept_and_pay(phone)
    phone.wait_for_url("**/simulator/bank/**")
    expect(phone.get_by_role("main")).to_contain_text("Bancolombia")


def look(page: Page, name: str) -> None:
    assert overflow(page) == 0, name
    assert violations(page) == [], name
    picture(page, name)
