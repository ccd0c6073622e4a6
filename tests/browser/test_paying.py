"""A payer pays an order by each method, on a phone, until the page itself says that it is paid."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from payments.collect.models import Order
from payments.providers.ports import ChargeStatus
from payments.providers.simulator import control
from tests.browser.conftest import PHONE, SHOP, picture

Contexts = Callable[..., BrowserContext]
RECEIPT = "Recibimos tu pago"


def fill_in_pse(page: Page) -> None:
    page.get_by_label("Tu banco").select_option("1007")
    page.get_by_label("Celular").fill("310 555 1234")
    page.get_by_label("Autorizo a Pasarela").check()


def never_reloaded(page: Page) -> bool:
    return bool(page.evaluate("window.stillHere === true"))


def expect_receipt(page: Page, order: Order) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(RECEIPT)
    expect(page.get_by_role("main")).to_contain_text(order.reference)
    order.refresh_from_db()
    assert order.status == "COMPLETED"


def test_pse(phone: Page, order: Order) -> None:
    phone.goto(order.collect_url)
    expect(phone.get_by_text("$ 50.025 COP").first).to_be_visible()
    phone.get_by_role("link", name="PSE").click()
    picture(phone, "journey-pse-form")
    fill_in_pse(phone)
    phone.get_by_role("button", name="Pagar $ 50.025 COP").click()

    phone.wait_for_url("**/simulator/bank/**")
    picture(phone, "journey-pse-bank")
    phone.locator("button[value=approve]").click()

    phone.wait_for_url(f"{order.collect_url}*")
    expect_receipt(phone, order)
    expect(phone.get_by_role("main")).to_contain_text("CUS")
    picture(phone, "journey-pse-receipt")


def test_the_bank_may_live_at_another_origin(
    phone: Page, order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank = "https://banco.example/pagar?id=1&x='y'"
    monkeypatch.setattr("payments.providers.simulator.payin.page_url", lambda record: bank)
    phone.context.route("https://banco.example/**", lambda route: route.fulfill(body="Banco"))
    phone.goto(f"{order.collect_url}/pse")
    fill_in_pse(phone)
    phone.get_by_role("button", name="Pagar").click()
    phone.wait_for_url("https://banco.example/**")


def test_pse_in_another_tab_shows_here_without_a_reload(phone: Page, order: Order) -> None:
    phone.goto(f"{order.collect_url}/pse")
    fill_in_pse(phone)
    phone.get_by_role("button", name="Pagar").click()
    phone.wait_for_url("**/simulator/bank/**")

    first = phone.context.new_page()
    first.goto(order.collect_url)
    expect(first.get_by_role("heading", level=1)).to_have_text("Tu pago está en el banco")
    first.evaluate("window.stillHere = true")
    phone.locator("button[value=approve]").click()

    expect_receipt(first, order)
    assert never_reloaded(first)


def test_a_transfer_in_two_parts(phone: Page, order: Order) -> None:
    phone.goto(order.collect_url)
    phone.get_by_role("button", name="Transferencia bancaria").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Haz la transferencia")
    phone.evaluate("window.stillHere = true")

    phone.get_by_role("button", name="Copiar valor").click()
    expect(phone.get_by_role("status")).to_have_text("Copiado")
    assert phone.evaluate("navigator.clipboard.readText()") == "50025"
    picture(phone, "journey-transfer")

    with phone.expect_popup() as popup:
        phone.get_by_role("link", name="Simular el depósito").click()
    desk = popup.value
    desk.locator("input[name=amount]").fill("20000")
    desk.locator("button[value=deposit]").click()
    phone.bring_to_front()
    expect(phone.get_by_role("main")).to_contain_text("$ 30.025 COP")
    picture(phone, "journey-transfer-part")

    desk.locator("input[name=amount]").fill("30025")
    desk.locator("button[value=deposit]").click()
    expect_receipt(phone, order)
    expect(phone.get_by_role("status")).to_have_text(RECEIPT)
    assert never_reloaded(phone)


def test_crypto(phone: Page, order: Order) -> None:
    phone.goto(order.collect_url)
    phone.get_by_role("link", name="Criptomoneda").click()
    phone.get_by_label("USDT").check()
    phone.get_by_role("button", name="Continuar").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Envía USDT")
    expect(phone.get_by_role("img", name="Código QR")).to_be_visible()
    expect(phone.locator(".task .clock")).to_have_text(re.compile(r"1[45]:\d\d"))
    phone.evaluate("window.stillHere = true")
    picture(phone, "journey-crypto")

    with phone.expect_popup() as popup:
        phone.get_by_role("link", name="Simular el depósito").click()
    popup.value.locator("button[value=deposit]").click()
    expect_receipt(phone, order)
    expect(phone.get_by_role("main")).to_contain_text("USDT")
    assert never_reloaded(phone)


@pytest.mark.parametrize("method", ["pse", "transfer", "crypto"])
def test_without_javascript(method: str, open_browser: Contexts, order: Order) -> None:
    page = open_browser(viewport=PHONE, java_script_enabled=False).new_page()
    page.goto(order.collect_url)
    if method == "pse":
        page.get_by_role("link", name="PSE").click()
        page.get_by_role("button", name="Pagar").click()
        expect(page.get_by_role("alert")).to_contain_text("Elige tu banco")
        picture(page, "no-script-errors")
        fill_in_pse(page)
        page.get_by_role("button", name="Pagar").click()
        page.wait_for_url("**/simulator/bank/**")
        page.locator("button[value=approve]").click()
    else:
        if method == "transfer":
            page.get_by_role("button", name="Transferencia bancaria").click()
        else:
            page.get_by_role("link", name="Criptomoneda").click()
            page.get_by_label("BTC").check()
            page.get_by_role("button", name="Continuar").click()
        expect(page.locator(".copy").first).to_be_hidden()
        picture(page, f"no-script-{method}")
        with page.expect_popup() as popup:
            page.get_by_role("link", name="Simular el depósito").click()
        popup.value.locator("button[value=deposit]").click()
        page.get_by_role("link", name="Consultar de nuevo").click()
    expect_receipt(page, order)
    expect(page.get_by_role("link", name="Volver a Café Andino")).to_be_visible()


def test_by_keyboard_alone(open_browser: Contexts, order: Order) -> None:
    page = open_browser().new_page()
    page.goto(order.collect_url)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Saltar al pago")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="PSE")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/pse")
    page.get_by_label("Tu banco").focus()
    page.keyboard.type("Bancolombia")
    for _ in range(6):  # person type, document type, number, name, e-mail, phone
        page.keyboard.press("Tab")
    page.keyboard.type("3105551234")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.wait_for_url("**/simulator/bank/**")


def test_a_double_click_sends_the_form_once(phone: Page, order: Order) -> None:
    phone.goto(order.collect_url)
    phone.get_by_role("button", name="Transferencia bancaria").dblclick()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Haz la transferencia")
    assert order.charges.count() == 1


def test_the_receipt_leads_back_to_the_shop_unless_the_payer_stays(
    phone: Page, order: Order
) -> None:
    phone.goto(order.collect_url)
    phone.get_by_role("button", name="Transferencia bancaria").click()
    phone.get_by_role("heading", name="Haz la transferencia").wait_for()
    control.resolve(order.charges.get().pk, ChargeStatus.SUCCEEDED)
    expect_receipt(phone, order)

    phone.get_by_role("button", name="Quedarme en esta página").click()
    expect(phone.get_by_text("Te llevamos de vuelta")).to_have_count(0)
    phone.reload()
    phone.evaluate("document.querySelector('[data-return]').dataset.return = 2")
    phone.wait_for_url(f"{SHOP}/**")
    query = f"pedido=7&id={order.pk}&reference={order.reference}&status=COMPLETED"
    assert phone.url == f"{SHOP}/gracias?{query}&confirmation=webhook"


def test_english(phone: Page, order: Order) -> None:
    phone.goto(order.collect_url)
    phone.get_by_role("link", name="English").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("How do you want to pay?")
    picture(phone, "english-methods")
    phone.get_by_role("link", name="PSE").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Pay with PSE")
