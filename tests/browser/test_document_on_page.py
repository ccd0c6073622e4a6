"""A payer gives the document that the merchant left to the payment page, also without scripts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from merchants.models import Merchant
from payments.collect.models import Order
from tests.browser.conftest import DESKTOP, PHONE, picture
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient
from tests.support.page_checks import AXE, overflow, violations


@pytest.fixture
def order(server: str, api: ApiClient, merchant: Merchant) -> Order:
    Merchant.objects.filter(pk=merchant.pk).update(document_by_payer=True)
    body = order_body(customerDocType=None, customerDocNumber=None)
    return Order.objects.get(pk=api.post("/collect", body).body["data"]["id"])


def pay(page: Page) -> None:
    page.locator("[name=consent]").check()
    page.locator("form.form .button").click()


def look(page: Page, name: str) -> None:
    for window, where in ((DESKTOP, "desktop"), (PHONE, "phone")):
        page.set_viewport_size(window)
        assert violations(page) == [], name
        assert overflow(page) == 0, name
        picture(page, f"{where}-{name}")


@pytest.mark.parametrize(
    ("language", "mobile", "title", "error"),
    [
        ("es", "Celular", "Paga con PSE", "Escribe tu número de documento, sin puntos."),
        ("en", "Mobile phone", "Pay with PSE", "Enter your document number, without dots."),
    ],
)
def test_payer_is_asked_for_the_document_and_pays(
    open_browser: Callable[..., BrowserContext],
    order: Order,
    language: str,
    mobile: str,
    title: str,
    error: str,
) -> None:
    page = open_browser(bypass_csp=True).new_page()
    page.add_init_script(path=AXE)
    page.goto(f"{order.collect_url}/pse?lang={language}")
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page.locator("[name=document_number]")).to_have_value("")
    look(page, f"document-left-out-{language}")

    page.locator("input[role=combobox]").fill("bancolombia")
    page.keyboard.press("Enter")
    page.get_by_label(mobile).fill("310 555 1234")
    pay(page)
    expect(page.locator("#id_document_number_error")).to_contain_text(error)
    look(page, f"document-left-out-{language}-errors")

    page.locator("[name=document_type]").select_option("CE")
    page.locator("[name=document_number]").fill("E-123.456")
    pay(page)
    page.wait_for_url("**/simulator/bank/**")
    payer = order.charges.get().payer
    assert (payer["document_type"], payer["document_number"]) == ("CE", "E123456")


def test_payer_without_scripts_is_asked_too(
    open_browser: Callable[..., BrowserContext], order: Order
) -> None:
    page = open_browser(java_script_enabled=False).new_page()
    page.goto(f"{order.collect_url}/pse?lang=en")
    page.locator("[name=bank]").select_option("1007")
    page.locator("[name=document_type]").select_option("CC")
    page.locator("[name=document_number]").fill("79.123.456")
    page.get_by_label("Mobile phone").fill("310 555 1234")
    pay(page)
    page.wait_for_url("**/simulator/bank/**")
    payer = order.charges.get().payer
    assert (payer["document_type"], payer["document_number"]) == ("CC", "79123456")
