"""A foreigner reads what PSE takes before choosing a bank; a refund is named one way at a time."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from payments.collect.models import Order, Refund
from payments.simulator import control
from tests.browser.conftest import DESKTOP, PHONE, hurry, picture
from tests.rails.accounts import route, wompi
from tests.support import payment_screens
from tests.support.page_checks import AXE, overflow, violations

Contexts = Callable[..., BrowserContext]
Create = Callable[..., Order]
RECEIPT = "Payment received"
FOREIGNER = {"customerDocType": "CE", "customerDocNumber": "E123456"}


@pytest.fixture
def page(open_browser: Contexts) -> Page:
    page = open_browser(bypass_csp=True).new_page()
    page.add_init_script(path=AXE)
    return page


def check(page: Page, name: str) -> None:
    for window, where in ((DESKTOP, "desktop"), (PHONE, "phone")):
        page.set_viewport_size(window)
        assert violations(page) == [], name
        assert overflow(page) == 0, name
        picture(page, f"{where}-{name}")


def test_foreigner_reads_what_pse_takes_before_choosing_a_bank(page: Page, create: Create) -> None:
    order = create(**FOREIGNER)
    with wompi():
        route("payin", "wompi-main")
        page.goto(f"{order.collect_url}?lang=es")
        expect(page.locator("a[href$=pse]")).to_contain_text("Solo con cédula de ciudadanía (CC)")
        check(page, "documents-methods")
        page.locator("a[href$=pse]").click()
        hint = page.locator("#id_document_type_helptext")
        expect(hint).to_contain_text("Aquí PSE solo recibe CC o NIT. Con CE, paga de otra forma.")
        check(page, "documents-pse")
        page.locator("form.form .button").click()
        wrong = page.locator("#id_document_type_error")
        expect(wrong).to_contain_text("Elige el tipo de tu documento.")
        expect(hint).to_be_visible()
        check(page, "documents-pse-errors")


def test_each_way_of_a_refund_is_accessible(page: Page, create: Create) -> None:
    page.goto(f"{payment_screens.refund(create)}?lang=es")
    for way, label in (("bank", "Cuenta bancaria"), ("key", "Llave Bre-B")):
        page.get_by_role("radio", name=label).check()
        check(page, f"refund-{way}")
        with page.expect_navigation():  # the page of before may have errors, too
            page.locator("form.form .button").click()
        expect(page.locator("#errors")).to_be_visible()
        check(page, f"refund-{way}-errors")


@pytest.mark.parametrize("scripts", [True, False], ids=["with-scripts", "without"])
def test_errors_of_a_refund_belong_to_the_chosen_way(
    open_browser: Contexts, create: Create, scripts: bool
) -> None:
    page = open_browser(java_script_enabled=scripts).new_page()
    page.goto(f"{payment_screens.refund(create)}?lang=en")
    summary = page.get_by_role("region", name="What you get back")
    expect(summary.locator(".total")).to_have_text("$ 20,000 COP")
    page.get_by_role("radio", name="Bank account").check()
    page.get_by_role("button", name="Continue").click()
    errors = page.get_by_role("alert")
    expect(errors).to_contain_text("Authorisation")
    expect(page.locator(".errorlist").last).to_contain_text("we cannot pay the refund.")
    expect(errors.get_by_role("listitem").first).to_have_text("Your bank")

    page.get_by_role("radio", name="Bre-B key").check()
    if scripts:  # what was wrong with one way says nothing of the other
        expect(errors).to_have_count(0)
        expect(page.locator(".wrong")).to_have_count(0)
    else:
        expect(errors.get_by_role("listitem").first).to_have_text("Document type")
        expect(errors.get_by_text("Your bank")).to_be_hidden()
    expect(page.get_by_text("For example 310 555 1234")).to_be_visible()
    expect(page.get_by_text("maria@example.com")).to_be_hidden()
    page.get_by_label("Kind of key").select_option("EMAIL")
    expect(page.get_by_text("For example maria@example.com")).to_be_visible()
    expect(page.get_by_text("310 555 1234")).to_be_hidden()
    if not scripts:
        page.get_by_role("radio", name="Bank account").check()
        expect(errors.get_by_text("Your bank")).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False], ids=["with-scripts", "without"])
def test_payer_fills_in_only_the_chosen_way_of_a_refund(
    open_browser: Contexts, create: Create, scripts: bool
) -> None:
    page = open_browser(java_script_enabled=scripts).new_page()
    page.goto(f"{payment_screens.refund(create)}?lang=en")
    account, key = page.get_by_label("Account number"), page.get_by_label("Your Bre-B key")
    expect(account).to_be_hidden()
    expect(key).to_be_hidden()
    expect(page.get_by_label("Full name")).to_be_hidden()
    page.get_by_role("radio", name="Bank account").check()
    expect(page.get_by_label("Full name")).to_be_visible()
    expect(key).to_be_hidden()
    account.fill("12")
    page.get_by_role("radio", name="Bre-B key").check()
    expect(account).to_be_hidden()
    key.fill("310 555 1234")
    page.get_by_label("Full name").fill("María Ñáñez")
    page.get_by_label("Document type").select_option("CC")
    page.get_by_label("Document number").fill("1.020.304.050")
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Continue").click()
    expect(page.locator("h1")).to_have_text("Check your details")
    if scripts:
        check(page, "refund-compared")
    page.get_by_role("button", name="Change something").click()
    expect(key).to_have_value("310 555 1234")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Yes, send my details").click()
    expect(page.locator("h1")).to_have_text("Your refund is under way")
    assert Refund.objects.get().destination["key_value"] == "3105551234"


def test_page_of_already_paid_stays_while_the_payment_only_moves(
    page: Page, create: Create
) -> None:
    order = create()
    charge = payment_screens.start(order, "BANK_TRANSFER")
    page.goto(f"{order.collect_url}/paid?lang=en")
    control.deposit(charge.pk, Decimal(20_000))
    hurry(page)
    expect(page.locator("#found")).to_contain_text("20,000")
    expect(page.get_by_role("button", name="Look for my payment")).to_be_visible()
    assert page.url.endswith("/paid?lang=en")
    control.deposit(charge.pk, charge.amount - 20_000)
    hurry(page)
    expect(page.get_by_role("heading", level=1)).to_have_text(RECEIPT)


def test_payer_who_stays_on_the_receipt_is_not_sent_to_the_shop_after_mailing_it(
    page: Page, create: Create
) -> None:
    order = create()
    control.deposit(payment_screens.start(order, "BANK_TRANSFER").pk, order.amount)
    page.goto(f"{order.collect_url}?lang=en")
    expect(page.locator("[data-return]")).to_be_visible()
    page.get_by_role("button", name="Stay on this page").click()
    with page.expect_navigation():
        page.get_by_role("button", name="Send the receipt to").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(RECEIPT)
    expect(page.locator("[data-return]")).to_have_count(0)
    expect(page.locator(".returning")).to_have_count(0)
