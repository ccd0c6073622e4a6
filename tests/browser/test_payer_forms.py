"""Forms that heal, and the list of banks: other names, favourites, a whole window on a phone."""

import re
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from payments.collect.models import Charge, Order
from payments.collect.services.charges import charge_creation
from tests.browser.conftest import picture
from tests.support.page_checks import overflow, violations


@pytest.fixture
def pse(phone: Page, order: Order) -> Page:
    phone.goto(f"{order.collect_url}/pse?lang=en")
    return phone


def expect_first(page: Page, *names: str) -> None:
    options = page.locator(".choices [role=option]")
    for number, name in enumerate(names):
        expect(options.nth(number)).to_have_text(name, use_inner_text=True)


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("nu", "Nu"),
        ("nubank", "Nu"),
        ("bco de bogota", "Banco de Bogotá"),
        ("b. de bogotá", "Banco de Bogotá"),
        ("bco. occidente", "Banco de Occidente"),
        ("banco davivienda", "Davivienda"),
        ("credifinanciera", "Ban100"),
        ("giros", "Banco Unión"),
        ("davi", "Davivienda"),
        ("colpatria", "Scotiabank Colpatria"),
    ],
)
def test_bank_is_found_by_the_name_that_people_use(pse: Page, typed: str, first: str) -> None:
    pse.get_by_role("combobox", name="Your bank").fill(typed)
    expect_first(pse, first)


def test_list_begins_with_the_last_bank_and_the_favourites(pse: Page, order: Order) -> None:
    bank = pse.get_by_role("combobox", name="Your bank")
    bank.tap()
    expect_first(pse, "Bancolombia", "Nequi", "Davivienda", "AV Villas")
    bank.fill("lulo")
    bank.press("Enter")
    pse.get_by_label("Mobile phone").fill("310 555 1234")
    pse.get_by_label("I authorise").check()
    pse.get_by_role("button", name="Pay $").click()
    pse.wait_for_url("**/simulator/bank/**")
    pse.goto(f"{order.collect_url}/pse?lang=en")
    pse.get_by_role("combobox", name="Your bank").tap()
    expect_first(pse, "Lulo Bank", "Bancolombia", "Nequi", "Davivienda")


def test_list_fills_the_window_of_a_phone_and_can_be_closed(pse: Page) -> None:
    bank = pse.get_by_role("combobox", name="Your bank")
    bank.tap()
    expect(pse.get_by_role("listbox")).to_be_visible()
    panel = pse.locator(".panel").bounding_box()
    assert panel is not None
    assert (panel["x"], panel["y"], panel["width"], panel["height"]) == (0, 0, 360, 740)
    picture(pse, "bank-sheet", full_page=False)
    pse.get_by_role("button", name="Close").tap()
    expect(pse.get_by_role("listbox")).to_be_hidden()
    assert overflow(pse) <= 0


def test_known_payer_is_one_line_that_opens_for_another_holder(pse: Page) -> None:
    line, number = pse.locator("#payer > summary"), pse.locator("[name=document_number]")
    expect(line).to_contain_text("María Fernanda Ñáñez")
    expect(line).to_contain_text("CC 1.020.304.050")
    expect(line).to_contain_text("maria@example.com")
    expect(number).to_be_hidden()
    line.click()
    expect(number).to_be_visible()
    number.fill("12")
    pse.get_by_role("button", name="Pay $").click()
    expect(pse.locator("#id_document_number_error")).to_be_visible()


def test_errors_leave_as_their_fields_are_mended(pse: Page) -> None:
    pse.locator("#payer > summary").click()
    pse.get_by_label("Document number").fill("12")
    pse.get_by_role("button", name="Pay $").click()
    expect(pse.locator("#errors")).to_be_focused()
    expect(pse.locator("#errors li")).to_have_count(4)
    expect(pse).to_have_title(re.compile("^Error: "))
    picture(pse, "form-errors")
    number = pse.get_by_label("Document number")
    number.press_sequentially("3456")
    expect(pse.locator("#errors li")).to_have_count(3)
    expect(number).not_to_have_attribute("aria-invalid", "true")
    pse.get_by_label("Mobile phone").fill("6015551234")  # of a house
    expect(pse.locator("#errors li")).to_have_count(3)
    pse.get_by_label("Mobile phone").fill("+57 310 555 1234")
    pse.get_by_label("I authorise").check()
    expect(pse.locator("#errors li")).to_have_count(1)
    bank = pse.get_by_role("combobox", name="Your bank")
    bank.fill("nequi")
    bank.press("Enter")
    expect(pse.locator("#errors")).to_have_count(0)
    expect(pse.locator(".wrong")).to_have_count(0)
    expect(pse).not_to_have_title(re.compile("^Error"))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("andres@gmial.com", "andres@gmail.com"),
        ("Ana@hotmial.co", "ana@hotmail.com"),
        ("ana@gmail.con", "ana@gmail.com"),
        ("ana@yaho.es", "ana@yahoo.es"),
        ("ana@outlok.com", "ana@outlook.com"),
        *((right, "") for right in ("ana@gmail.com", "ana@yahoo.com.co", "ana@hotmail.es")),
        *((other, "") for other in ("ana@ymail.com", "ana@uniandes.edu.co", "ana@gmx.net", "ana")),
    ],
)
def test_an_email_with_a_slip_is_asked_about(pse: Page, typed: str, meant: str) -> None:
    pse.locator("#payer > summary").click()
    email, hint = pse.get_by_label("E-mail"), pse.locator(".meant button")
    email.fill(typed)
    email.blur()
    if not meant:
        expect(hint).to_have_count(0)
        return
    expect(hint).to_have_text(f"Did you mean {meant}?")
    expect(pse.get_by_role("status")).to_have_text(f"Did you mean {meant}?")
    if typed == "andres@gmial.com":
        picture(pse, "email-meant", full_page=False)
        assert not violations(pse)
    hint.click()
    expect(email).to_have_value(meant)
    expect(email).to_be_focused()
    expect(hint).to_have_count(0)


def test_only_one_code_of_a_coin_is_seen_at_a_time(phone: Page, order: Order) -> None:
    phone.goto(f"{order.collect_url}/crypto?lang=en")
    phone.get_by_text("BTC").first.click()
    codes = phone.locator(".code-of-coin img.qr:visible")
    expect(codes).to_have_count(1)
    expect(codes).to_have_attribute("alt", "QR code of the address and the amount")
    phone.get_by_text("My wallet does not read this code").tap()
    expect(codes).to_have_count(1)
    expect(codes).to_have_attribute("alt", "QR code of the address")
    picture(phone, "coin-plain-code")
    assert not violations(phone)
    phone.get_by_text("Back to the code with the amount").tap()
    expect(codes).to_have_attribute("alt", "QR code of the address and the amount")


def test_company_is_asked_for_its_nit(pse: Page) -> None:
    pse.locator("#payer > summary").click()
    kind, number = pse.get_by_label("Document type"), pse.locator("[name=document_number]")
    label = pse.locator("label[for=id_document_number]")
    expect(label).to_have_text("Document number")
    expect(number).to_have_attribute("inputmode", "numeric")
    pse.get_by_text("Company", exact=True).click()
    expect(kind).to_have_value("NIT")
    expect(number).to_have_value("")
    expect(label).to_have_text("NIT with check digit")
    name = pse.get_by_label("Legal name")
    expect(name).to_have_value("")
    pse.get_by_text("Person", exact=True).click()
    expect(kind).to_have_value("CC")
    expect(number).to_have_value("1.020.304.050")
    expect(label).to_have_text("Document number")
    expect(pse.get_by_label("Full name")).to_have_value("María Fernanda Ñáñez")
    kind.select_option("PP")
    expect(number).to_have_attribute("inputmode", "text")


def test_payer_is_taken_to_the_bank_also_if_the_answer_is_late(
    pse: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page hears of the payment while its form still waits for the answer."""
    begun, answered, start_charge = Event(), Event(), charge_creation.start_charge

    def late(**choice: Any) -> Charge:
        charge = start_charge(**choice)
        begun.set()
        answered.wait(60)
        return charge

    monkeypatch.setattr(charge_creation, "start_charge", late)
    pse.get_by_role("combobox", name="Your bank").fill("lulo")
    pse.keyboard.press("Enter")
    pse.get_by_label("Mobile phone").fill("310 555 1234")
    pse.get_by_label("I authorise").check()
    # A click would wait for the answer.
    pse.locator("form.form").evaluate("form => { setTimeout(() => form.requestSubmit(), 100); }")
    assert begun.wait(60)
    for _ in range(2):  # the first may be of before
        with pse.expect_response("**/state"):
            pass
    answered.set()
    pse.wait_for_url("**/simulator/bank/**")


def test_page_that_waits_says_when_it_is_offline(
    open_browser: Callable[..., BrowserContext], order: Order
) -> None:
    # The page may be about to update itself when it loses the network; the browser notes that.
    phone = open_browser(forgive="net::ERR_INTERNET_DISCONNECTED", is_mobile=True).new_page()
    phone.goto(f"{order.collect_url}?lang=en")
    phone.get_by_role("button", name="Bank transfer").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Make the transfer")
    phone.wait_for_load_state()  # the network is there until the page has its script
    offline = phone.get_by_role("main").get_by_text("You are offline.")
    expect(offline).to_be_hidden()
    phone.context.set_offline(True)
    expect(offline).to_be_visible()
    expect(phone.get_by_text("This page updates itself.")).to_be_hidden()
    expect(phone.get_by_role("status")).to_contain_text("You are offline.")
    phone.context.set_offline(False)
    expect(offline).to_be_hidden()


def test_way_back_to_a_refused_form_is_the_page_and_no_question_of_the_browser(
    pse: Page, order: Order
) -> None:
    pse.get_by_role("button", name="Pay $").click()
    expect(pse.locator("#errors")).to_be_visible()
    pse.goto(f"{order.collect_url}?lang=en")
    pse.go_back()
    expect(pse.get_by_role("combobox", name="Your bank")).to_be_visible()
