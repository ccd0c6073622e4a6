"""A receipt on a sheet of paper: the page as a browser prints it, and the file to download."""

import io
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from payments.collect.models import Order
from payments.core import receipt_codes
from payments.providers.ports import ChargeStatus
from payments.simulator import control
from tests.browser.conftest import SCREENSHOTS, picture
from tests.support import payment_screens
from tests.support.legal_data import give_legal_data
from tests.support.page_checks import overflow

Contexts = Callable[..., BrowserContext]
BROKEN = """() => [...document.querySelectorAll(".receipt .amount, .paper .code")]
  .filter((one) => one.offsetHeight > 1.5 * parseFloat(getComputedStyle(one).lineHeight))
  .map((one) => one.textContent)"""
COLOURS = """() => [...document.querySelectorAll("body, .task, .receipt dd")]
  .map((one) => getComputedStyle(one)).map((style) => style.color + style.backgroundColor)"""
PAPER = {"width": 794, "height": 1123}  # A4 at 96 points an inch


@pytest.fixture
def paid(order: Order) -> Order:
    """By PSE, at a shop with legal data."""
    give_legal_data(order.merchant)
    charge = payment_screens.start(order, "PSE")
    control.resolve(charge.pk, ChargeStatus.SUCCEEDED)
    order.refresh_from_db()
    return order


@pytest.mark.parametrize("language", ["es", "en"])
def test_printed_receipt_is_one_sheet_with_whole_amounts_and_address(
    language: str, open_browser: Contexts, paid: Order
) -> None:
    page = open_browser(viewport=PAPER).new_page()
    page.goto(f"{paid.collect_url}?lang={language}")
    page.emulate_media(media="print")
    expect(page.locator(".paper img")).to_be_visible()
    expect(page.locator(".actions")).to_be_hidden()
    assert overflow(page) == 0
    picture(page, f"receipt-printed-{language}")

    main = page.locator(".receipt")
    expect(main.get_by_text("NIT", exact=True)).to_have_count(1)
    expect(page.locator(".foot")).to_contain_text("hola@cafe.example")
    expect(page.locator(".foot")).not_to_contain_text("NIT")
    title = "Comprobante de pago" if language == "es" else "Payment receipt"
    expect(page.get_by_text(title, exact=True)).to_be_visible()
    expect(main.get_by_text("Calle 18 # 25-40, Pasto")).to_be_visible()
    expect(page.locator(".summary")).to_be_hidden()
    assert page.evaluate(BROKEN) == []
    sheets = page.pdf(prefer_css_page_size=True)
    assert sheets.count(b"/Type /Page\n") == 1

    white = page.evaluate(COLOURS)
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(COLOURS) == white


# How many left edges the labels have, and the values.
EDGES = """() => ["dt", "dd"].map((name) => {
  const all = [...document.querySelectorAll(`.receipt ${name}`)];
  const shown = all.filter((one) => one.offsetParent);
  return new Set(shown.map((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    const boxes = [...range.getClientRects()].filter((box) => box.width > 1);
    return Math.round(Math.min(...boxes.map((box) => box.left)));
  })).size;
})"""


def test_receipt_on_the_paper_of_a_till_is_one_column_on_one_sheet(
    open_browser: Contexts, paid: Order
) -> None:
    page = open_browser(viewport={"width": 302, "height": 831}).new_page()  # 80 x 220 mm
    page.goto(f"{paid.collect_url}?lang=es")
    page.emulate_media(media="print")
    picture(page, "receipt-printed-narrow")
    assert overflow(page) == 0
    assert page.evaluate(EDGES) == [1, 1]
    expect(page.locator(".paper img")).to_be_visible()
    sheets = page.pdf(width="80mm", height="220mm")
    assert sheets.count(b"/Type /Page\n") == 1


def test_file_of_the_receipt_has_its_address_whole(open_browser: Contexts, paid: Order) -> None:
    pypdfium2 = pytest.importorskip("pypdfium2", reason="the PDF was NOT looked at: no pypdfium2")
    page = open_browser().new_page()
    page.goto(f"{paid.collect_url}?lang=es")
    with page.expect_download() as download:
        page.get_by_role("link", name="PDF").click()
    file = pypdfium2.PdfDocument(io.BytesIO(download.value.path().read_bytes()))
    assert len(file) == 1
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    file[0].render(scale=1.5).to_pil().save(SCREENSHOTS / "receipt-pdf.jpg")
    code = receipt_codes.written(paid.receipt.code)
    text = file[0].get_textpage().get_text_range()
    assert f"/verify/{code}" in text
    assert "NIT" in text
    assert "Comprobante de pago" in text
    assert "Calle 18 # 25-40, Pasto" in text
    assert paid.settled_by.trace_code in text
