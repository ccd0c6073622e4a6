"""A link is made on a phone, paid without an account, and its receipt is mailed."""

import io
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.conf import settings
from django.core import mail as sent
from django.core.cache import cache
from django.utils import translation
from PIL import Image
from playwright.sync_api import BrowserContext, Page, expect

from merchants import images
from merchants.models import Merchant
from payments.collect.models import Order
from payments.core import money
from payments.links.models import PaymentLink
from payments.mail import sending
from tests.browser.conftest import PHONE, picture
from tests.browser.payers import accept_and_pay
from tests.browser.test_console_desk import LAPTOP, THEME
from tests.links.conftest import new_link, pay
from tests.support import page_checks
from tests.support.merchant_staff import PASSWORD, person_of

WIDE = {"width": 1440, "height": 900}
LOOKS = {"phone": (PHONE, "light"), "laptop": (LAPTOP, "dark"), "wide": (WIDE, "light")}
TITLE = "Café de Nariño, 2 libras"


@pytest.fixture
def shop(merchant: Merchant, settings: Any) -> Merchant:
    """Café Andino, for which Sofía works, mails its receipts."""
    settings.DOORBELL = False
    cache.clear()
    Merchant.objects.filter(pk=merchant.pk).update(receipts_by_mail=True)
    person_of(merchant, "sofia")
    return merchant


@pytest.fixture
def come_in(
    open_browser: Callable[..., BrowserContext], server: str, shop: Merchant
) -> Callable[..., Page]:
    """Sofía types name and password."""

    def come_in(language: str = "en", **options: Any) -> Page:
        context = open_browser(is_payers=False, **options)
        context.add_cookies([{"name": "django_language", "value": language, "url": server}])
        page = context.new_page()
        page.goto(f"{server}/admin/")
        page.locator("[name=username]").fill("sofia")
        page.locator("[name=password]").fill(PASSWORD)
        page.locator("button[type=submit]").first.click()
        page.wait_for_url(f"{server}/admin/")
        return page

    return come_in


def look(page: Page, name: str) -> None:
    picture(page, name)
    assert page_checks.overflow(page) <= 0, name
    found = page_checks.violations(page)
    assert {entry.partition(":")[0] for entry in found} - THEME == set(), found


def test_link_made_on_a_phone_is_paid_without_an_account_and_its_receipt_is_mailed(
    come_in: Callable[..., Page], phone: Page, server: str, shop: Merchant
) -> None:
    desk = come_in(viewport=PHONE, has_touch=True, is_mobile=True)
    desk.goto(f"{server}/admin/links/paymentlink/")
    desk.get_by_role("link", name="New payment link").locator("visible=true").first.click()
    desk.get_by_label("What is paid").fill(TITLE)
    desk.get_by_label("You receive").fill("50.000")
    desk.get_by_text("What the payer is asked", exact=True).click()
    desk.locator("[name=ask_document]").select_option("REQUIRED")
    look(desk, "links-form-phone")
    desk.get_by_role("button", name="Make the link").click()
    desk.wait_for_url("**/change/**")
    expect(desk.get_by_role("heading", name="Share the link")).to_be_visible()
    look(desk, "links-made-phone")
    link = PaymentLink.objects.get()
    assert (link.merchant, link.amount) == (shop, Decimal(50000))

    phone.add_init_script(page_checks.WATCH)
    phone.goto(f"{link.url}?lang=en")
    page_checks.assert_light_and_still(phone, "link")
    look(phone, "links-pay-phone")
    phone.get_by_role("button", name="Continue").click()
    expect(phone.get_by_role("alert")).to_be_focused()
    look(phone, "links-pay-errors-phone")
    phone.get_by_label("Full name").fill("María Gómez")
    phone.get_by_label("E-mail").fill("maria@example.com")
    phone.get_by_label("Document number").fill("1020304050")
    phone.get_by_role("checkbox").check()
    phone.get_by_role("button", name="Continue").click()
    phone.wait_for_url("**/pay/**")
    order = Order.objects.get(link_id=link.pk)
    phone.goto(f"{order.collect_url}/pse?lang=en")
    phone.locator("input[role=combobox]").fill("bancolombia")
    phone.keyboard.press("Enter")
    phone.get_by_label("Mobile phone").fill("310 555 1234")
    accept_and_pay(phone)
    phone.wait_for_url("**/simulator/bank/**")
    phone.locator("button[value=approve]").click()
    phone.wait_for_url(f"{order.collect_url}*")
    expect(phone.get_by_role("heading", name="Payment received")).to_be_visible()
    picture(phone, "links-paid-phone")

    sending.send_due()
    (message,) = sent.outbox
    assert message.to == ["maria@example.com"]
    assert order.reference in message.body
    desk.reload()
    expect(desk.get_by_text("1 of 1", exact=True).first).to_be_visible()


def test_pesos_are_grouped_while_a_payer_types_them(
    open_browser: Callable[..., BrowserContext], server: str, shop: Merchant
) -> None:
    page = open_browser().new_page()
    page.goto(f"{server}{new_link(shop, amount=None).path}?lang=es")
    amount = page.locator("[name=amount]")
    amount.press_sequentially("1234567")
    expect(amount).to_have_value("1.234.567")
    amount.press("Backspace")
    expect(amount).to_have_value("123.456")
    amount.press("Home")
    amount.press_sequentially("98")
    expect(amount).to_have_value("98.123.456")
    # Cents as another country writes them are left to the server, which refuses or reads them.
    amount.fill("")
    amount.press_sequentially("50.00")
    expect(amount).to_have_value("50.00")


def test_total_is_shown_while_an_open_amount_is_typed(
    open_browser: Callable[..., BrowserContext], server: str, shop: Merchant
) -> None:
    page = open_browser(viewport=PHONE).new_page()
    page.goto(f"{server}{new_link(shop, amount=None).path}?lang=en")
    amount, total = page.locator("[name=amount]"), page.locator("output")
    expect(total).to_contain_text("A service fee is added")
    for typed in ("20000", "21000", "30999", "999999999999"):
        amount.fill(typed)
        fee = money.percentage_fee(Decimal(typed), settings.COLLECT_FEE_RATE, "COP")
        sums = f"Service fee: $ {fee:,} COP. You pay $ {Decimal(typed) + fee:,} COP."
        expect(total).to_have_text(sums)
    picture(page, "links-total")
    amount.fill("")
    amount.press_sequentially("75000")  # the digits are grouped between two of them
    expect(total).to_have_text("Service fee: $ 38 COP. You pay $ 75,038 COP.")
    for typed in ("", "mil", "50.00.000"):
        amount.fill(typed)
        expect(total).to_contain_text("A service fee is added")
    page.goto(f"{server}{new_link(shop, amount=None, currency='USDT').path}?lang=en")
    amount.fill("12.345678")
    expect(total).to_have_text("Service fee: 0.006173 USDT. You pay 12.351851 USDT.")


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("look_as", ["phone", "laptop", "wide"])
def test_pages_of_links_fit_every_width_and_pass_axe(
    come_in: Callable[..., Page],
    server: str,
    shop: Merchant,
    look_as: str,
    language: str,
) -> None:
    """Small and light, ordinary and dark, wide and light."""
    viewport, scheme = LOOKS[look_as]
    link = new_link(
        shop,
        description="Tostado medio, de la finca La Esperanza.",
        stock=20,
        ask_phone="OPTIONAL",
        own_fields=[{"label": "¿Molido o en grano?", "required": True}],
    )
    new_link(shop, title="Donación", amount=None, min_amount=Decimal(5000))
    pay(link), pay(link)
    desk = come_in(language, viewport=viewport, color_scheme=scheme)
    paths = {
        "list": "/admin/links/paymentlink/",
        "form": "/admin/links/paymentlink/new_link/",
        "page": f"/admin/links/paymentlink/{link.pk.replace('_', '_5F')}/change/",
        "pay": link.path,
        "a6": f"{link.path}/print/a6",
        "tent": f"{link.path}/print/tent",
    }
    for name, path in paths.items():
        desk.goto(f"{server}{path}")
        if name == "form":
            for part in desk.locator("details.link-part > summary").all():
                part.click()
            desk.locator("[name=title]").fill(TITLE)
            desk.locator("[name=description]").fill("Tostado medio, de la finca La Esperanza.")
            desk.locator("[name=uses][value=SEVERAL]").check()
            desk.locator("[name=amount]").fill("50000")
            total = "$ 50.025 COP" if language == "es" else "$ 50,025 COP"
            expect(desk.locator(".link-total")).to_contain_text(total)
        look(desk, f"links-{name}-{look_as}-{language}")


def test_form_shows_the_total_that_the_server_will_ask_for(
    come_in: Callable[..., Page], server: str, shop: Merchant, settings: Any
) -> None:
    """The fee is rounded half up to a peso: 1,5 pesos are 2, and 0,4995 are none."""
    desk = come_in("es", viewport=LAPTOP)
    desk.goto(f"{server}/admin/links/paymentlink/new_link/")
    total = desk.locator(".link-total output")
    expect(total).to_be_hidden()
    for amount in (999, 1000, 3000, 50_000, 1_234_567, 999_999_999):
        asked = amount + money.percentage_fee(Decimal(amount), settings.COLLECT_FEE_RATE, "COP")
        with translation.override("es"):
            typed, shown = money.grouped(str(amount)), money.shown(asked, "COP")
        desk.locator("[name=amount]").fill(typed)
        expect(total).to_have_text(shown)
        expect(desk.locator(".link-preview-total")).to_have_text(shown)
    desk.locator("[name=amount]").fill("mil")
    expect(total).to_be_hidden()
    desk.locator("[name=kind][value=OPEN]").check()
    expect(desk.locator(".link-preview-total")).to_have_text("Quien paga elige cuánto")


def test_photo_of_a_phone_is_made_smaller_and_its_name_and_size_are_shown(
    come_in: Callable[..., Page], server: str, shop: Merchant
) -> None:
    desk = come_in("es", viewport=LAPTOP)
    desk.goto(f"{server}/admin/links/paymentlink/new_link/")
    desk.locator("details.link-part > summary").first.click()
    noise = Image.effect_noise((2400, 1600), 90).convert("RGB")
    photo = io.BytesIO()
    noise.save(photo, "JPEG", quality=90)
    assert len(photo.getvalue()) > images.MAX_BYTES
    file = {"name": "IMG_2031.jpg", "mimeType": "image/jpeg", "buffer": photo.getvalue()}
    desk.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    expect(desk.locator("[data-file-chosen]")).to_contain_text(
        re.compile(r"^IMG_2031\.jpg · \d+ KB")
    )
    expect(desk.locator("[data-file-zone] canvas")).to_be_visible()
    expect(desk.locator("[data-preview-picture]")).to_be_visible()
    picture(desk, "links-form-image")
    desk.locator("[name=title]").fill(TITLE)
    desk.locator("[name=amount]").fill("50.000")
    desk.get_by_role("button", name="Crear el enlace").click()
    desk.wait_for_url("**/change/")
    assert PaymentLink.objects.get().image is not None
