"""A file of 200 payouts with 12 wrong lines: mended and paid by two persons."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from openpyxl import load_workbook
from playwright.sync_api import BrowserContext, Page, expect

from merchants.models import Merchant
from payments.console import roles
from payments.payout.models import Payout
from payments.payout_batches.models import PayoutBatch
from tests.browser.conftest import picture
from tests.browser.test_console_desk import LAPTOP, POCKET, THEME
from tests.payout_batches import flow
from tests.support import page_checks
from tests.support.funds import fund
from tests.support.merchant_staff import PASSWORD, person_of
from tests.support.page_checks import AXE, overflow

LINES, DESKTOP = 200, {"width": 1440, "height": 900}
# Line of the file -> the wrong value.
WRONG: dict[int, dict[str, str]] = {
    3: {"amount": "1.25.000"},
    17: {"amount": ""},
    30: {"document": "5,21E+07"},
    44: {"bank": "Bancolonbia"},
    58: {"account": "12"},
    71: {"account_type": "Nómina"},
    90: {"doc_type": "RUT"},
    113: {"bank": "Nequi", "account": "6013334455"},
    127: {**flow.TO_KEY, "key": "3,00123E+09"},
    140: {"name": ""},
    166: {"amount": "=B2*2"},
    199: {"reference": "N-1"},
}


@pytest.fixture
def team(merchant: Merchant, settings: Any) -> Merchant:
    settings.DOORBELL = False
    cache.clear()
    fund(merchant, 20_000_000)
    person_of(merchant, flow.PREPARER, roles.MERCHANT_PREPARER)
    person_of(merchant, flow.APPROVER, roles.MERCHANT_APPROVER)
    return merchant


@pytest.fixture
def come_in(open_browser: Callable[..., BrowserContext], server: str) -> Callable[..., Page]:
    """Types name and password, as a person does."""

    def come_in(name: str, language: str = "es", **options: object) -> Page:
        context = open_browser(is_payers=False, **options)
        context.add_cookies([{"name": "django_language", "value": language, "url": server}])
        page = context.new_page()
        page.add_init_script(path=AXE)
        page.goto(f"{server}/admin/")
        page.locator("[name=username]").fill(name)
        page.locator("[name=password]").fill(PASSWORD)
        page.locator("button[type=submit]").first.click()
        page.wait_for_url(f"{server}/admin/")
        return page

    return come_in


def look(page: Page, name: str) -> None:
    """Pictures of three widths, and axe: nothing but what is the theme's own."""
    for suffix, size in (("", LAPTOP), ("-wide", DESKTOP), ("-phone", POCKET)):
        page.set_viewport_size(size)
        assert overflow(page) == 0, (name, suffix)
        picture(page, f"payout-batch-{name}{suffix}")
    page.set_viewport_size(LAPTOP)
    found = page_checks.violations(page)
    assert {entry.partition(":")[0] for entry in found} - THEME - {"target-size"} == set(), found


def upload(page: Page, content: bytes, path: Path) -> None:
    path.write_bytes(content)
    page.locator("[name=file]").set_input_files(path)
    page.locator("form button[type=submit]").last.click()
    page.wait_for_url("**/change/")


def worked(page: Page) -> None:
    """The page again after a worker has ended. Until then it would load itself again."""
    address = page.url
    page.goto("about:blank")
    flow.work()
    page.goto(address)


def test_two_persons_mend_and_pay_a_file_of_200_payouts(
    come_in: Callable[..., Page], server: str, team: Merchant, tmp_path: Path
) -> None:
    paula = come_in(flow.PREPARER, viewport=LAPTOP)
    paula.goto(f"{server}/admin/payout_batches/payoutbatch/")
    paula.locator('a[href$="/upload/"]').first.click()
    paula.wait_for_url("**/upload/")
    look(paula, "upload")
    rows = [flow.row(number, **WRONG.get(number, {})) for number in range(1, LINES + 1)]
    upload(paula, flow.csv(*rows), tmp_path / "nomina-noviembre.csv")
    worked(paula)
    batch = PayoutBatch.objects.get()
    assert (batch.line_count, batch.wrong_count) == (188, 12)
    expect(paula.get_by_text("1.25.000", exact=True)).to_be_visible()
    look(paula, "wrong")
    # The wrong lines with their errors, as a workbook.
    with paula.expect_download() as download:
        paula.locator('.desk-step a[href$="/errors_xlsx/"]').click()
    download.value.save_as(tmp_path / "errors.xlsx")
    sheet = load_workbook(tmp_path / "errors.xlsx").active
    assert sheet.max_row == 13
    # Mended, and uploaded in place of the first.
    paula.locator('.desk-step a[href$="/mend/"]').click()
    paula.wait_for_url("**/upload/**")
    upload(paula, flow.many(LINES), tmp_path / "nomina-corregida.csv")
    worked(paula)
    mended = PayoutBatch.objects.latest("id")
    assert (mended.line_count, mended.wrong_count) == (LINES, 0)
    look(paula, "right")
    paula.locator('.desk-step a[href$="/send/"]').click()
    paula.wait_for_url("**/send/")
    look(paula, "send")
    paula.locator("form button[type=submit]").last.click()
    paula.wait_for_url("**/change/")
    expect(paula.locator('a[href$="/approve/"]')).to_have_count(0)
    andres = come_in(flow.APPROVER, language="en", viewport=LAPTOP, color_scheme="dark")
    page = f"{server}/admin/payout_batches/payoutbatch/{mended.pk}/"
    andres.goto(f"{page}change/")
    look(andres, "waiting-dark-en")
    andres.locator('.desk-step a[href$="/approve/"]').click()
    andres.wait_for_url("**/approve/")
    look(andres, "approve-dark-en")
    andres.locator("form button[type=submit]").last.click()
    andres.wait_for_url("**/change/")
    worked(andres)
    look(andres, "done-dark-en")
    mended.refresh_from_db()
    assert (mended.status, mended.approved_by) == ("DONE", flow.APPROVER)
    assert Payout.objects.filter(merchant=team).count() == LINES
    with andres.expect_download() as download:
        andres.locator(".shell-actions summary", has_text="Downloads").click()
        andres.locator('.shell-actions a[href$="/result_xlsx/"]').click()
    download.value.save_as(tmp_path / "result.xlsx")
    result = load_workbook(tmp_path / "result.xlsx").active
    assert result.max_row == LINES + 1
    paula.goto(f"{server}/admin/payout_batches/payoutbatch/")
    look(paula, "list")
    paula.goto(f"{server}/admin/payout_batches/batchline/?file={mended.pk}")
    look(paula, "lines")
