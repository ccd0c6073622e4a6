"""A payout by hand, the whole way: asked for, approved by a second person, arrived."""

import re
from base64 import b64decode
from collections.abc import Callable
from typing import Any

import pytest
import segno
from django.core.cache import cache
from playwright.sync_api import BrowserContext, Page, expect

from merchants.models import Merchant
from payments.core import clock
from payments.payout.models import Payout
from payments.payout.services.engine import engine
from tests.admin.conftest import url
from tests.browser.conftest import PHONE, picture
from tests.browser.test_console_desk import LAPTOP, THEME
from tests.providers.breb_qr.samples import OF_A_SHOP
from tests.support import page_checks
from tests.support.fixtures import ApiClient
from tests.support.funds import fund
from tests.support.hand_payouts import approver, preparer
from tests.support.merchant_staff import PASSWORD

WIDE = {"width": 1440, "height": 900}


@pytest.fixture
def team(merchant: Merchant, settings: Any) -> Merchant:
    settings.DOORBELL = False
    cache.clear()
    fund(merchant, 5_000_000)
    preparer(merchant)
    approver(merchant)
    return merchant


@pytest.fixture
def come_in(open_browser: Callable[..., BrowserContext], server: str) -> Callable[..., Page]:
    def come_in(name: str, language: str = "es", **options: object) -> Page:
        # A form that lacks something is answered with 400.
        context = open_browser(forgive="400", is_payers=False, **options)
        context.add_cookies([{"name": "django_language", "value": language, "url": server}])
        page = context.new_page()
        page.goto(f"{server}/admin/")
        page.locator("[name=username]").fill(name)
        page.locator("[name=password]").fill(PASSWORD)
        page.locator("button[type=submit]").first.click()
        page.wait_for_url(f"{server}/admin/")
        return page

    return come_in


def look(page: Page, name: str) -> None:
    """A picture, and axe: nothing but what is the theme's own."""
    picture(page, name)
    found = page_checks.violations(page)
    assert {entry.partition(":")[0] for entry in found} - THEME - {"target-size"} == set(), found


# The same amount, as people write it.
SPANISH, ENGLISH = "1.250.000,50", "1,250,000.50"


def fill(page: Page, server: str, amount: str = SPANISH) -> None:
    page.goto(server + url("payout_payout_pay"))
    page.locator("[name=how][value=bank]").check()
    bank = page.get_by_role("combobox", name=re.compile("^(Banco|Bank)"))
    bank.press_sequentially("colombia")
    page.get_by_role("option", name="Bancolombia").click()
    page.locator("[name=account_type]").select_option("SAVINGS")
    page.locator("[name=account_number]").fill("123-456789-01")
    page.locator("[name=name]").fill("María Fernanda Ñáñez")
    page.locator("[name=doc_type]").select_option("CC")
    page.locator("[name=doc_number]").fill("79.123.456")
    if page.locator("html").get_attribute("lang") == "en" and amount == SPANISH:
        amount = ENGLISH
    page.locator("[name=amount]").fill(amount)
    page.locator("[name=description]").fill("Nómina de noviembre")
    page.locator("[name=reference]").fill("NOM-2026-11")


def test_payout_is_asked_for_approved_by_a_second_person_and_arrives(
    come_in: Callable[..., Page], server: str, team: Merchant
) -> None:
    desk = come_in("pilar", viewport=LAPTOP)
    desk.goto(f"{server}/admin/payout/payout/")
    desk.locator(f'a[href$="{url("payout_payout_pay")}"]').first.click()
    desk.wait_for_url(f"**{url('payout_payout_pay')}")
    fill(desk, server)
    expect(desk.locator("[name=key_value]")).to_be_hidden()
    look(desk, "hand-form")
    desk.get_by_role("button", name=re.compile("Continuar|Continue")).click()
    expect(desk.locator(".hand-amount")).to_contain_text("1.250.000,50")
    look(desk, "hand-dry-run")
    desk.locator("button[name=step][value=ask]").dblclick()
    expect(desk).to_have_url(re.compile("/change/"))
    expect(desk.get_by_role("heading", level=1)).to_be_visible()
    look(desk, "hand-waits")
    payout = Payout.objects.get()
    assert payout.needs_team_approval

    second = come_in("andres", viewport=WIDE)
    look(second, "hand-queue")
    second.locator(f'.desk-tasks a[href*="{payout.pk[3:]}"]').click()
    second.wait_for_url("**/change/**")
    address = url("payout_payout_approve_team", payout.pk)
    second.locator(f'a[href$="{address}"]').first.click()
    second.wait_for_url(f"**{address}")
    look(second, "hand-approve")
    second.locator("[name=reason]").fill("Comparada con la factura 118")
    second.locator("form button[type=submit]").last.click()
    second.wait_for_url("**/change/**")

    engine.process_due(now=clock.now())
    done = ApiClient(team).post(f"/sandbox/payout/{payout.pk}", {"status": "COMPLETED"})
    assert done.status_code == 200
    second.reload()
    look(second, "hand-completed")
    payout.refresh_from_db()
    assert payout.status == "COMPLETED"
    desk.goto(f"{server}/admin/payout/beneficiary/")
    look(desk, "hand-beneficiaries")
    desk.get_by_role("link", name="María Fernanda Ñáñez").click()
    desk.wait_for_url("**/change/**")
    look(desk, "hand-beneficiary")


@pytest.mark.parametrize(
    ("size", "language", "scheme"),
    [
        (PHONE, "es", "light"),
        (PHONE, "en", "dark"),
        (LAPTOP, "en", "dark"),
        (WIDE, "en", "light"),
    ],
)
def test_pages_of_a_payout_by_hand_fit_every_screen(
    come_in: Callable[..., Page],
    server: str,
    team: Merchant,
    size: dict[str, int],
    language: str,
    scheme: str,
) -> None:
    desk = come_in("pilar", language, viewport=size, color_scheme=scheme)
    name = f"{size['width']}-{language}-{scheme}"
    fill(desk, server, amount="")
    with desk.expect_navigation():  # the same form again, with its errors
        desk.get_by_role("button", name=re.compile("Continuar|Continue")).click()
    look(desk, f"hand-form-{name}")
    desk.locator("[name=amount]").fill("850000")
    desk.get_by_role("button", name=re.compile("Continuar|Continue")).click()
    expect(desk.locator(".hand-amount")).to_contain_text("850")
    look(desk, f"hand-dry-run-{name}")
    assert desk.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_form_heals_while_it_is_mended(
    come_in: Callable[..., Page], server: str, team: Merchant
) -> None:
    desk = come_in("pilar", "en", viewport=LAPTOP)
    desk.goto(server + url("payout_payout_pay"))
    desk.get_by_role("button", name="Continue").click()
    summary = desk.locator("#errors")
    expect(summary).to_be_focused()
    expect(summary.get_by_role("link", name="Bank", exact=True)).to_be_visible()
    look(desk, "hand-form-wrong")
    summary.get_by_role("link", name="Bank", exact=True).click()
    bank = desk.get_by_role("combobox", name="Bank", exact=True)
    expect(bank).to_be_focused()
    expect(desk.get_by_role("option").first).to_have_text("Bancolombia")
    bank.press_sequentially("popul")
    bank.press("Enter")
    expect(bank).to_have_value("Banco Popular")
    expect(summary.get_by_role("link", name="Bank", exact=True)).to_have_count(0)
    expect(desk.get_by_text("Choose the bank.")).to_have_count(0)
    desk.locator("[name=account_type]").select_option("SAVINGS")
    desk.locator("[name=account_number]").fill("123-456789-01")
    desk.locator("[name=name]").fill("Ana")
    desk.locator("[name=doc_type]").select_option("CC")
    desk.locator("[name=doc_number]").fill("79123456")
    expect(summary).to_be_visible()
    desk.locator("[name=amount]").fill("850000")
    expect(summary).to_have_count(0)
    expect(desk.locator(".field-wrong")).to_have_count(0)


# A browser that reads codes, as Chrome on Android. It finds one in every picture that is wide.
READER = """window.BarcodeDetector = class {
  static async getSupportedFormats() { return ["qr_code"]; }
  async detect(picture) { return picture.width > 100 ? [{ rawValue: "CODE" }] : []; }
};""".replace("CODE", OF_A_SHOP)


def test_code_is_read_from_a_picture_where_the_browser_can(
    come_in: Callable[..., Page], server: str, team: Merchant
) -> None:
    phone = come_in("pilar", "en", viewport=PHONE, has_touch=True, is_mobile=True)
    phone.add_init_script(READER)
    phone.goto(server + url("payout_payout_pay"))
    phone.locator("[name=how][value=qr]").check()
    camera = phone.locator("[data-qr-file]")
    small, photo = (segno.make(OF_A_SHOP).png_data_uri(scale=scale) for scale in (1, 5))
    for source, expected in ((small, ""), (photo, OF_A_SHOP)):
        content = b64decode(source.partition(",")[2])
        camera.set_input_files({"name": "qr.png", "mimeType": "image/png", "buffer": content})
        if not expected:
            expect(phone.locator("[data-qr-said]")).to_contain_text("No QR code")
        expect(phone.locator("[name=qr]")).to_have_value(expected)
    # The page again, with what the code says: the name is not asked for once more.
    expect(phone.get_by_text("TIENDA EJEMPLO", exact=True)).to_be_visible()
    expect(phone.locator("[name=name]")).to_be_hidden()
    expect(phone.locator("[name=qr]")).to_be_hidden()
    expect(phone.locator("[name=doc_number]")).to_be_visible()
    look(phone, "hand-camera")


def test_code_is_pasted_where_the_browser_cannot_read_pictures(
    come_in: Callable[..., Page], server: str, team: Merchant
) -> None:
    desk = come_in("pilar", viewport=LAPTOP)
    desk.goto(server + url("payout_payout_pay"))
    desk.locator("[name=how][value=qr]").check()
    expect(desk.locator("[data-qr-said]")).to_contain_text("Chrome")
    expect(desk.locator("[data-qr-photo]")).to_be_hidden()
    expect(desk.locator("[name=qr]")).to_be_editable()
