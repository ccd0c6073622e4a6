"""A payer pays an order by each method, on a phone, until the page itself says that it is paid."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from payments.collect.models import Order
from payments.providers.ports import ChargeStatus
from payments.simulator import control
from tests.browser.conftest import PHONE, SHOP, hurry, picture, stay

Contexts = Callable[..., BrowserContext]
Create = Callable[..., Order]
RECEIPT = "Payment received"


@pytest.fixture
def phone(phone: Page, server: str) -> Page:
    """Reads English, which is how texts are written in the code."""
    phone.context.add_cookies([{"name": "django_language", "value": "en", "url": server}])
    return phone


def fill_in_pse(page: Page, script: bool = True) -> None:
    """With JavaScript the bank is typed, without it chosen from the list."""
    if script:
        page.locator("input[role=combobox]").fill("bancolom")
        page.keyboard.press("Enter")
    else:
        page.get_by_label("Your bank").select_option("1007")
    page.get_by_label("Mobile phone").fill("310 555 1234")
    page.get_by_label("I authorise Pasarela").check()


def deposit(page: Page, *amounts: str) -> None:
    """What the bank's desk of the simulator does, in another tab."""
    with page.expect_popup() as popup:
        page.get_by_role("link", name="Play the deposit").click()
    for amount in amounts or ("",):
        if amount:
            popup.value.locator("input[name=amount]").fill(amount)
        # A tab that is closed while it loads may never be closed, and that has no deadline.
        with popup.value.expect_navigation():
            popup.value.locator("button[value=deposit]").click()
    popup.value.close()


def remember(page: Page) -> None:
    page.evaluate("window.stillHere = true")


def expect_receipt(page: Page, order: Order) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(RECEIPT)
    expect(page.get_by_role("main")).to_contain_text(order.reference)
    order.refresh_from_db()
    assert order.status == "COMPLETED"


def test_pse_and_its_receipt_checked_by_another_person(
    phone: Page, order: Order, open_browser: Contexts
) -> None:
    phone.goto(f"{order.collect_url}?lang=es")
    expect(phone.get_by_text("$ 50.025 COP").first).to_be_visible()
    phone.get_by_role("link", name="English").click()
    expect(phone.get_by_text("$ 50,025 COP").first).to_be_visible()
    phone.get_by_role("link", name="PSE").click()
    fill_in_pse(phone)
    phone.get_by_role("button", name="Pay $ 50,025 COP").click()
    phone.wait_for_url("**/simulator/bank/**")
    picture(phone, "simulator-bank")

    first = phone.context.new_page()  # the tab of before is still open
    first.goto(order.collect_url)
    expect(first.get_by_role("heading", level=1)).to_have_text("Your payment is at the bank")
    remember(first)
    phone.locator("button[value=approve]").click()
    phone.wait_for_url(f"{order.collect_url}*")
    expect_receipt(phone, order)
    stay(phone)
    expect(phone.get_by_role("main")).to_contain_text("CUS")
    expect_receipt(first, order)  # by itself, within its two seconds
    assert first.evaluate("window.stillHere") is True

    phone.emulate_media(media="print")
    expect(phone.locator(".paper img")).to_be_visible()
    expect(phone.get_by_role("link", name="Back to")).to_be_hidden()
    picture(phone, "receipt-on-paper")
    code = phone.locator(".proof a").inner_text()

    stranger = open_browser(java_script_enabled=False, forgive="status of 404").new_page()
    stranger.goto(order.collect_url.partition("/pay/")[0] + "/verify/?lang=en")
    for typed, answer in (
        (code.lower().replace("-", " "), "Authentic receipt, of a test"),
        (code[:-1] + "U", "The code has a mistake"),
    ):
        stranger.locator("summary, h1", has_text=re.compile("[Cc]heck a")).first.click()
        stranger.get_by_label("Receipt code").fill(typed)
        stranger.get_by_role("button", name="Check").click()
        expect(stranger.get_by_role("heading", level=1)).to_contain_text(answer)


def test_a_transfer_in_two_parts_and_back_to_the_shop(phone: Page, order: Order) -> None:
    phone.goto(order.collect_url)
    phone.get_by_role("button", name="Bank transfer").dblclick()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Make the transfer")
    assert order.charges.count() == 1
    remember(phone)
    phone.get_by_role("button", name="Copy amount").click()
    expect(phone.get_by_role("status")).to_have_text("Copied")
    assert phone.evaluate("navigator.clipboard.readText()") == "50025"

    deposit(phone, "20000")
    hurry(phone)
    expect(phone.get_by_role("main")).to_contain_text("$ 30,025 COP")
    deposit(phone, "30025")
    hurry(phone)
    expect_receipt(phone, order)
    stay(phone)
    expect(phone.get_by_role("status")).to_have_text(RECEIPT)
    assert phone.evaluate("window.stillHere") is True

    phone.get_by_role("button", name="Stay on this page").click()
    expect(phone.get_by_text("We take you back")).to_have_count(0)
    phone.reload()
    expect(phone.locator("[data-return]")).to_have_count(0)
    phone.evaluate("sessionStorage.clear()")
    phone.reload()
    phone.evaluate("document.querySelector('[data-return]').dataset.return = 1")
    phone.wait_for_url(f"{SHOP}/**")
    query = f"pedido=7&id={order.pk}&reference={order.reference}&status=COMPLETED"
    expect(phone).to_have_url(f"{SHOP}/gracias?{query}&confirmation=webhook")


def test_payer_pays_with_a_coin(phone: Page, order: Order) -> None:
    phone.goto(order.collect_url)
    phone.get_by_role("link", name="Crypto").click()
    phone.get_by_role("button", name="USDT").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Send USDT")
    expect(phone.get_by_role("img", name="QR code")).to_be_visible()
    expect(phone.locator(".task .clock")).to_have_text(re.compile(r"1[45]:\d\d"))
    expect(phone.locator(".summary .deadline")).to_have_count(0)  # the price ends first
    remember(phone)
    deposit(phone)
    hurry(phone)
    expect_receipt(phone, order)
    expect(phone.get_by_role("main")).to_contain_text("USDT")
    assert phone.evaluate("window.stillHere") is True


def test_a_push_and_a_key(phone: Page, create: Create) -> None:
    order = create()
    phone.goto(order.collect_url)
    phone.get_by_role("link", name="Digital wallet").click()
    phone.get_by_label("Mobile phone of the wallet").fill("310 555 1234")
    phone.get_by_label("I authorise Pasarela").check()
    phone.get_by_role("button", name="Send the request of $ 50,025 COP").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Approve the payment in your wallet")
    with phone.expect_popup() as popup:
        phone.get_by_role("link", name="Play the wallet").click()
    popup.value.locator("button[value=approve]").click()
    expect(popup.value.locator(".state")).to_be_visible()
    hurry(phone)
    expect_receipt(phone, order)
    expect(phone.get_by_role("main")).to_contain_text("Digital wallet")

    order = create()
    phone.goto(order.collect_url)
    phone.get_by_role("button", name="Bre-B key").click()
    expect(phone.get_by_role("img", name="QR code of the key")).to_be_hidden()
    phone.get_by_text("Scan it with another phone").click()
    expect(phone.get_by_role("img", name="QR code of the key")).to_be_visible()
    phone.get_by_role("button", name="Copy key").click()
    expect(phone.get_by_role("status")).to_have_text("Copied")
    assert phone.evaluate("navigator.clipboard.readText()") == order.charges.get().key_value
    deposit(phone, "20000", "30025")
    hurry(phone)
    expect_receipt(phone, order)


def test_payer_pays_by_each_method_without_javascript(
    open_browser: Contexts, create: Create
) -> None:
    page = open_browser(viewport=PHONE, java_script_enabled=False).new_page()
    ways = ["PSE", "Bank transfer", "Crypto", "Digital wallet", "Bre-B key", "Button of your bank"]
    for way in ways:
        order = create()
        page.goto(f"{order.collect_url}?lang=en")
        page.get_by_role("link", name=way).or_(page.get_by_role("button", name=way)).click()
        if way == "PSE":
            page.get_by_role("button", name="Pay").click()
            expect(page.get_by_role("alert")).to_contain_text("Your bank")
            fill_in_pse(page, script=False)
            page.get_by_role("button", name="Pay").click()
        elif way == "Crypto":
            page.get_by_role("button", name="BTC").click()
        elif way == "Digital wallet":
            page.get_by_label("Mobile phone of the wallet").fill("3105551234")
            page.get_by_label("I authorise Pasarela").check()
            page.get_by_role("button", name="Send the request").click()
        if way in ("PSE", "Button of your bank"):
            page.wait_for_url("**/simulator/bank/**")
            page.locator("button[value=approve]").click()
        else:
            expect(page.locator(".copy, .clock").locator("visible=true")).to_have_count(0)
            with page.expect_popup() as popup:
                page.get_by_role("link", name=re.compile("new tab")).click()
            with popup.value.expect_navigation():
                popup.value.locator("button[value=approve], button[value=deposit]").click()
            page.get_by_role("link", name="Check again now").click()
        expect_receipt(page, order)
        expect(page.get_by_role("link", name="Back to Café Andino")).to_be_visible()


def test_by_keyboard_alone_to_a_bank_of_another_origin(
    open_browser: Contexts, order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank = "https://banco.example/pagar?id=1&x='y'"
    monkeypatch.setattr("payments.simulator.payin.page_url", lambda record: bank)
    page = open_browser().new_page()
    page.context.route("https://banco.example/**", lambda route: route.fulfill(body="Banco"))
    page.goto(f"{order.collect_url}?lang=en")
    for _ in range(2):  # the language is asked for in the address: its link comes first
        page.keyboard.press("Tab")
        if page.get_by_role("link", name="Skip to the payment").evaluate(
            "element => element === document.activeElement"
        ):
            break
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="PSE")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/pse")
    page.get_by_role("combobox", name="Your bank").focus()
    page.keyboard.type("Bancolombia")
    for _ in range(2):  # the details that the shop knows, phone
        page.keyboard.press("Tab")
    page.keyboard.type("3105551234")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.wait_for_url("https://banco.example/**")


def test_no_payer_pays_twice_by_mistake(phone: Page, order: Order) -> None:
    phone.goto(f"{order.collect_url}/pse")
    fill_in_pse(phone)
    phone.get_by_role("button", name="Pay").click()
    phone.wait_for_url("**/simulator/bank/**")

    phone.goto(f"{order.collect_url}/pse")
    expect(phone.get_by_role("main")).to_contain_text("A payment at your bank is still open")
    fill_in_pse(phone)
    phone.locator("#payer > summary").click()
    phone.get_by_label("Full name").fill("Otra Persona")
    phone.get_by_role("button", name="Pay").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("A payment is still open")
    assert order.charges.count() == 1
    picture(phone, "second-payment")

    phone.get_by_role("button", name="I did not approve it").click()
    phone.wait_for_url("**/simulator/bank/**")
    assert order.charges.count() == 2


def test_payer_who_already_paid_gets_the_receipt(phone: Page, order: Order) -> None:
    phone.goto(order.collect_url)
    phone.get_by_role("button", name="Bank transfer").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Make the transfer")
    phone.get_by_role("link", name="I already paid").click()
    expect(phone.get_by_role("main")).to_contain_text("No money for this order has reached us")
    charge = order.charges.get()
    expect(phone.get_by_role("main")).to_contain_text(charge.pk)
    control.resolve(charge.pk, ChargeStatus.SUCCEEDED)
    hurry(phone)
    expect_receipt(phone, order)


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_a_refused_form_leads_to_the_list_of_errors(
    script: bool, open_browser: Contexts, order: Order
) -> None:
    page = open_browser(viewport=PHONE, java_script_enabled=script).new_page()
    page.goto(f"{order.collect_url}/pse?lang=en")
    page.get_by_role("button", name="Pay").click()
    expect(page.get_by_role("alert")).to_contain_text("Your bank")
    expect(page.get_by_role("alert")).to_be_focused()
    expect(page).to_have_title(re.compile("^Error: Pay with PSE"))
