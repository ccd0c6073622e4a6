"""What a payer does on the pages before the bank's."""

import re

from playwright.sync_api import Page

from payments.collect.models import Order


def choose_bank_and_pay(phone: Page, order: Order) -> None:
    """By PSE, with all documents of the rail accepted."""
    phone.goto(f"{order.collect_url}?lang=en")
    phone.locator("input[role=combobox]").fill("aprueba")
    phone.keyboard.press("Enter")
    phone.get_by_label("Mobile phone").fill("310 555 1234")
    accept_and_pay(phone)


def accept_and_pay(phone: Page) -> None:
    for box in phone.get_by_role("checkbox").all():
        box.check()
    phone.get_by_role("button", name="Pay $ 50,025 COP").click()


def approve_at_the_bank(phone: Page, order: Order) -> None:
    """Until the bank has sent the payer back."""
    phone.locator("#approve").click()
    phone.wait_for_url(re.compile(re.escape(order.collect_url)))
