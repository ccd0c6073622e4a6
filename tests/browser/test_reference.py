"""The API reference in a browser: on a phone, at a desk, and with scripts switched off."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from merchants.models import Merchant
from payments.collect.models import Order
from tests.browser.conftest import DESKTOP, PHONE, picture
from tests.support import page_checks
from tests.support.factories import issue_key

WINDOWS = {"phone": PHONE, "desktop": DESKTOP, "wide": {"width": 1440, "height": 900}}
TITLES = {"es-CO": "Crea una orden de cobro", "en-US": "Create a collection order"}


@pytest.fixture
def open_reference(open_browser: Callable[..., BrowserContext], server: str) -> Callable[..., Page]:
    def open_reference(**options: Any) -> Page:
        context = open_browser(**{"locale": "en-US", **options})
        if options.get("java_script_enabled", True):
            context.add_init_script(page_checks.WATCH)
            context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = context.new_page()
        page.goto(f"{server}/docs")
        return page

    return open_reference


@pytest.mark.parametrize(
    ("name", "locale", "scheme"),
    [
        ("phone", "es-CO", "dark"),
        ("desktop", "es-CO", "light"),
        ("wide", "en-US", "dark"),
    ],
)
def test_reference_is_accessible_at_every_width(
    open_reference: Callable[..., Page], name: str, locale: str, scheme: str
) -> None:
    page = open_reference(viewport=WINDOWS[name], locale=locale, color_scheme=scheme)
    expect(page.get_by_role("heading", name=TITLES[locale])).to_be_visible()
    page_checks.assert_light_and_still(page, name)
    # The whole page is as high as a house.
    picture(page, f"reference-{name}-{locale}-{scheme}-top", full_page=False)
    page.locator("#createCollection").scroll_into_view_if_needed()
    page.locator("#createCollection .try summary").click()
    page.get_by_role("combobox").fill("COPM")
    expect(page.get_by_role("option").first).to_be_visible()
    assert page_checks.violations(page) == []
    assert page_checks.overflow(page) == 0
    page.keyboard.press("Escape")
    page.get_by_role("combobox").fill("")
    page.evaluate("document.getElementById('createCollection').scrollIntoView()")
    picture(page, f"reference-{name}-{locale}-{scheme}", full_page=False)


def test_what_is_copied_is_what_is_shown(open_reference: Callable[..., Page]) -> None:
    page = open_reference(viewport=DESKTOP)
    figure = page.locator("#createPayout figure.curl")
    figure.get_by_role("button", name="Copy").click()
    expect(figure.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == figure.locator("code").text_content()
    assert copied.startswith("PAYROLL=")
    assert "\ncurl " in copied


def test_a_language_is_chosen_once(open_reference: Callable[..., Page]) -> None:
    page = open_reference(viewport=DESKTOP)
    create = page.locator("#createCollection")
    expect(create.locator("figure.curl")).to_be_visible()
    create.get_by_text("Node.js", exact=True).first.click()
    expect(create.locator("figure.node")).to_be_visible()
    expect(create.locator("figure.curl")).to_be_hidden()
    expect(page.locator("#createPayout figure.node")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(create.locator("figure.python")).to_be_visible()
    page.reload()
    expect(page.locator("#createPayout figure.python")).to_be_visible()


def test_on_a_phone_the_contents_open_and_close(open_reference: Callable[..., Page]) -> None:
    page = open_reference(viewport=PHONE)
    contents = page.get_by_role("navigation", name="Contents")
    expect(contents).to_be_hidden()
    page.locator(".menu summary").click()
    contents.get_by_role("link", name="Pay a bill").click()
    expect(contents).to_be_hidden()
    expect(page.get_by_role("heading", name="Pay a bill")).to_be_in_viewport()
    page.locator(".menu summary").click()
    expect(contents.get_by_role("link", name="Pay a bill")).to_be_in_viewport()


def test_contents_mark_where_the_reader_is(open_reference: Callable[..., Page]) -> None:
    page = open_reference(viewport=DESKTOP)
    current = page.locator(".contents [aria-current]")
    page.evaluate("location.hash = 'createPayout'")
    expect(current).to_have_attribute("href", "#createPayout")
    expect(current).to_be_in_viewport()
    page.evaluate("location.hash = 'idempotency'")
    expect(current).to_have_attribute("href", "#idempotency")


def test_search_finds_operations_errors_and_guides(open_reference: Callable[..., Page]) -> None:
    page = open_reference(viewport=DESKTOP, locale="es-CO")
    box = page.get_by_role("combobox", name="Busca operaciones")
    page.keyboard.press("/")
    expect(box).to_be_focused()
    for words, title, target in (
        ("orden cobro", "Crea una orden de cobro", "createCollection"),
        ("callbackurl", "Crea una orden de cobro", "createCollection"),
        ("reused", "IDEMPOTENCY_KEY_REUSED", "IDEMPOTENCY_KEY_REUSED"),
        ("dispersion llave", "Envía dinero a una cuenta bancaria o a una llave", "createPayout"),
        ("limites", "Límites de solicitudes", "limits"),
    ):
        box.fill(words)
        option = page.get_by_role("option", name=title).first
        expect(option).to_be_visible()
        option.click()
        expect(page).to_have_url(re.compile(f"#{target}$"))
        expect(page.get_by_role("listbox")).to_be_hidden()
    box.fill("no hay tal cosa")
    expect(page.get_by_text("No se encontró nada.")).to_be_visible()


def test_a_request_is_sent_from_its_operation_and_repeated_without_a_second_order(
    open_reference: Callable[..., Page], merchant: Merchant
) -> None:
    """And the next operation has the id of the order already."""
    key, secret = issue_key(merchant)
    page = open_reference(viewport=DESKTOP, forgive="401")
    create = page.locator("#createCollection")
    create.get_by_text("Try it").click()
    create.get_by_label("X-Api-Key").fill(key.public_key)
    create.get_by_label("X-Api-Secret").fill(secret)
    idempotency = create.get_by_label("Idempotency-Key").input_value()
    status, answer = create.get_by_role("status"), create.locator(".outcome code")
    create.get_by_role("button", name="Send").click()
    expect(status).to_contain_text("201")
    order = Order.objects.get()
    expect(answer).to_contain_text(str(order.pk))
    expect(create.locator("dl")).to_contain_text("X-Request-Id")
    create.get_by_role("button", name="Send").click()
    expect(status).to_contain_text("earlier request with this key")
    assert create.get_by_label("Idempotency-Key").input_value() == idempotency
    assert Order.objects.count() == 1
    picture(page, "reference-try", full_page=False)

    read = page.locator("#getCollection")
    read.get_by_text("Try it").click()
    expect(read.get_by_label("id", exact=True)).to_have_value(str(order.pk))
    read.get_by_role("button", name="Send").click()
    expect(read.get_by_role("status")).to_contain_text("200")
    expect(read.locator(".outcome code")).to_contain_text(order.reference)

    create.get_by_role("button", name="New request").click()
    expect(create.get_by_label("Idempotency-Key")).not_to_have_value(idempotency)
    create.get_by_role("button", name="Send").click()
    expect(answer).not_to_contain_text(str(order.pk))
    expect(status).to_contain_text("201")
    assert Order.objects.count() == 2
    create.get_by_label("X-Api-Secret").fill("sk_wrong")
    create.get_by_role("button", name="Send").click()
    expect(status).to_contain_text("401")
    expect(answer).to_contain_text("INVALID_CREDENTIALS")


def test_a_request_without_its_id_is_not_sent(
    open_reference: Callable[..., Page], merchant: Merchant
) -> None:
    page = open_reference(viewport=DESKTOP)
    pay = page.locator("#createBillPayment")
    pay.get_by_text("Try it").click()
    pay.get_by_label("X-Api-Key").fill("pk_1")
    pay.get_by_label("X-Api-Secret").fill("sk_1")
    pay.get_by_role("button", name="Send").click()
    body = pay.get_by_label("Body", exact=True)
    expect(body).to_have_js_property("validationMessage", "Replace BILL_REFERENCE first.")
    expect(pay.get_by_role("status")).to_be_empty()


def test_reference_is_readable_without_scripts(open_reference: Callable[..., Page]) -> None:
    page = open_reference(viewport=PHONE, java_script_enabled=False)
    page.locator(".menu summary").click()
    page.get_by_role("link", name="Verification").click()
    receivers = page.locator("#webhooks")
    receivers.get_by_text("PHP", exact=True).first.click()
    expect(receivers.locator("figure.php")).to_be_visible()
    create = page.locator("#createCollection")
    create.get_by_text("Python", exact=True).first.click()
    expect(create.locator("figure.python")).to_be_visible()
    expect(page.get_by_role("button")).to_have_count(0)
