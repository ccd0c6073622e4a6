"""The bank is found by typing: by keyboard, by touch, whatever the case and the accents."""

import pytest
from playwright.sync_api import Locator, Page, expect

from payments.collect.models import Order
from tests.browser.conftest import picture
from tests.support.page_checks import violations


def options(page: Page) -> Locator:
    return page.locator(".choices [role=option]")


@pytest.fixture
def bank(phone: Page, order: Order) -> Locator:
    phone.goto(f"{order.collect_url}/pse?lang=en")
    return phone.get_by_role("combobox", name="Your bank")


def chosen(page: Page) -> Locator:
    """What the form will send."""
    return page.locator("select[name=bank]")


def test_bank_can_be_chosen_by_keyboard(phone: Page, bank: Locator) -> None:
    expect(chosen(phone)).to_have_value("")
    expect(bank).to_have_attribute("aria-expanded", "false")
    bank.fill("BOGOTA")  # it is written Bogotá
    expect(options(phone)).to_have_count(1)
    expect(phone.get_by_role("status")).to_have_text("1 found")
    bank.fill("bancol")  # Bancóldex, too: Enter alone decides nothing
    bank.press("Enter")
    expect(chosen(phone)).to_have_value("")
    bank.fill("banco de")
    expect(options(phone).nth(1)).to_be_visible()
    names = options(phone).all_inner_texts()
    with_phrase = ["banco de" in name.lower() for name in names]
    assert any(with_phrase)
    assert with_phrase == sorted(with_phrase, reverse=True)  # before other banks
    expect(options(phone).first.locator("b")).to_have_text("Banco de")
    expect(bank).to_have_attribute("aria-expanded", "true")
    picture(phone, "bank-phrase", full_page=False)
    bank.press("ArrowUp")  # around the end
    last = options(phone).last.get_attribute("id")
    expect(bank).to_have_attribute("aria-activedescendant", str(last))
    bank.press("ArrowDown")
    name = options(phone).first.inner_text()
    bank.press("Enter")
    expect(bank).to_have_value(name)
    expect(bank).to_have_attribute("aria-expanded", "false")
    expect(chosen(phone)).not_to_have_value("")
    assert phone.url.endswith("/pse?lang=en")  # Enter chose and did not send


def test_what_is_not_on_the_list_is_not_chosen(phone: Page, bank: Locator) -> None:
    bank.fill("nequi")
    bank.press("Enter")
    expect(chosen(phone)).to_have_value("1507")
    bank.fill("banco de marte")
    expect(chosen(phone)).to_have_value("")
    expect(options(phone)).to_have_text("Nothing on the list has this name.")
    bank.press("Escape")
    expect(phone.get_by_role("listbox")).to_be_hidden()
    bank.press("Tab")
    expect(bank).to_have_value("")

    phone.get_by_role("button", name="Pay").click()
    phone.get_by_role("link", name="Your bank").click()
    bank = phone.get_by_role("combobox", name="Your bank")
    expect(bank).to_be_focused()
    expect(bank).to_have_attribute("aria-invalid", "true")
    expect(bank).to_have_attribute("aria-describedby", "id_bank_error")


def test_payer_chooses_a_bank_by_touch(phone: Page, bank: Locator) -> None:
    bank.tap()
    expect(options(phone).first).to_be_visible()
    assert options(phone).first.bounding_box()["height"] >= 44  # type: ignore[index]
    bank.press_sequentially("davi")
    phone.get_by_role("option", name="DaviPlata").tap()
    expect(bank).to_have_value("DaviPlata")
    expect(chosen(phone)).to_have_value("1551")
    bank.tap()  # the list opens at the chosen one
    expect(options(phone).filter(has_text="DaviPlata")).to_be_in_viewport()
    expect(bank).to_have_value("")
    expect(bank).to_have_attribute("placeholder", "DaviPlata")
    expect(phone.locator(".panel-order")).to_have_text("Café Andino$ 50,025 COP")
    picture(phone, "bank-search", full_page=False)
    phone.get_by_role("button", name="Close").tap()
    expect(bank).to_have_value("DaviPlata")
    expect(chosen(phone)).to_have_value("1551")


def test_the_open_list_is_accessible(bank: Locator, open_browser: object, order: Order) -> None:
    page = open_browser(bypass_csp=True).new_page()  # type: ignore[operator]
    page.goto(f"{order.collect_url}/pse")
    page.get_by_role("combobox", name="Tu banco").fill("ban")
    page.keyboard.press("ArrowDown")
    assert violations(page) == []


def test_back_closes_the_list_that_fills_the_window_and_leaves_no_page(
    phone: Page, bank: Locator
) -> None:
    for _each in range(2):
        bank.tap()
        expect(phone.get_by_role("listbox")).to_be_visible()
        phone.go_back()
        expect(phone.get_by_role("listbox")).to_be_hidden()
    assert "/pse" in phone.url
    bank.tap()
    options(phone).filter(has_text="Davivienda").first.tap()
    expect(bank).to_have_value("Davivienda")
    phone.wait_for_function("history.state === null")  # a list that was closed is no step back
    bank.tap()
    bank.fill("banco de marte")
    away = phone.locator(".panel").get_by_role("link", name="Pay another way")
    away.tap()
    phone.wait_for_url("**/methods")
    phone.go_back()
    expect(bank).to_be_visible()
    expect(phone.get_by_role("listbox")).to_be_hidden()


def test_a_name_that_is_nearly_on_the_list_is_offered(phone: Page, bank: Locator) -> None:
    bank.fill("bancolonbia")
    expect(options(phone).first).to_have_text("Nothing on the list has this name. Did you mean:")
    expect(options(phone).nth(1)).to_have_text("Bancolombia")
    expect(phone.get_by_role("status")).to_contain_text("Did you mean: Bancolombia")
    expect(phone.locator(".panel").get_by_role("link", name="Pay another way")).to_be_visible()
    assert not violations(phone)
    picture(phone, "bank-near", full_page=False)
    bank.press("Enter")  # points at it; only the next one chooses
    expect(chosen(phone)).to_have_value("")
    bank.press("Enter")
    expect(chosen(phone)).to_have_value("1007")
    expect(phone.locator(".panel .away")).to_be_hidden()
