"""A merchant's own bank account, and a withdrawal to it, on a phone and on a laptop."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from playwright.sync_api import BrowserContext, Page, expect

from merchants.legal.models import LegalData
from merchants.models import Merchant
from payments.console import roles
from payments.core import clock
from payments.withdrawals.models import BankAccount
from payments.withdrawals.services import bank_accounts
from tests.admin.conftest import url
from tests.browser.conftest import PHONE
from tests.browser.test_console_desk import LAPTOP
from tests.browser.test_console_hand_payouts import look
from tests.support import page_checks
from tests.support.document_files import PDF
from tests.support.funds import fund
from tests.support.merchant_staff import PASSWORD, person_of

pytestmark = pytest.mark.slow
# As long as banks call them, and without a space at which a line could end.
FILE = "certificacion_bancaria_cuenta_de_ahorros_cafe_andino_sas_20261128.pdf"


@pytest.fixture
def gabriel(
    open_browser: Callable[..., BrowserContext], server: str, merchant: Merchant, settings: Any
) -> Callable[..., Page]:
    settings.DOORBELL = False
    cache.clear()
    fund(merchant, 5_000_000)
    LegalData.objects.create(merchant=merchant, legal_name="Café Andino S.A.S.", nit="890903938")
    person_of(merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR)

    def come_in(**options: object) -> Page:
        page = open_browser(is_payers=False, **options).new_page()
        page.goto(f"{server}/admin/")
        page.locator("[name=username]").fill("gabriel")
        page.locator("[name=password]").fill(PASSWORD)
        page.locator("button[type=submit]").first.click()
        page.wait_for_url(f"{server}/admin/")
        return page

    return come_in


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "light"), (LAPTOP, "dark")])
def test_account_is_entered_and_the_balance_withdrawn(
    gabriel: Callable[..., Page],
    server: str,
    merchant: Merchant,
    size: dict[str, int],
    scheme: str,
) -> None:
    page, name = gabriel(viewport=size, color_scheme=scheme), f"{size['width']}-{scheme}"
    page.goto(server + url("withdrawals_bankaccount_enter"))
    look(page, f"withdrawal-account-form-{name}")
    page.get_by_role("combobox", name=re.compile("^Banco")).press_sequentially("colombia")
    page.get_by_role("option", name="Bancolombia").click()
    page.locator("[name=account_type]").select_option("SAVINGS")
    page.locator("[name=account_number]").fill("123-456789-01")
    page.locator("[name=account_number_again]").fill("123-456789-01")
    certificate = {"name": FILE, "mimeType": "application/pdf", "buffer": PDF}
    page.locator("[name=certificate]").set_input_files(certificate)
    page.locator("[name=reason]").fill("Cuenta de la empresa")
    page.locator("form button[type=submit]").last.click()
    certified = page.locator(".desk-step").get_by_role("link", name=FILE)
    with page.expect_download() as download:
        certified.click()
    assert download.value.path().read_bytes() == PDF
    look(page, f"withdrawal-account-waits-{name}")
    assert page_checks.overflow(page) <= 0

    account = BankAccount.objects.get(merchant=merchant)
    bank_accounts.verify(account=account, actor="olga", reason="Certificado", now=clock.now())
    page.goto(server + url("withdrawals_bankaccount_change", account.pk))
    look(page, f"withdrawal-account-{name}")
    page.goto(server + url("withdrawals_bankaccount_withdraw", account.pk))
    expect(page.locator("[name=amount]")).to_be_hidden()
    look(page, f"withdrawal-form-{name}")
    assert page_checks.overflow(page) <= 0
    page.locator("[name=how_much][value=part]").check()
    page.locator("[name=amount]").fill("1.000.000")
    page.locator("[name=reason]").fill("Retiro de noviembre")
    page.locator("form button[type=submit]").last.click()
    expect(page.locator(".hand-sum")).to_contain_text("1.000.000 COP")
    look(page, f"withdrawal-check-{name}")
    assert page_checks.overflow(page) <= 0
    page.locator(".hand-facts ~ form button[type=submit]").first.click()
    expect(page.locator(".shell-head")).to_be_visible()
    look(page, f"withdrawal-asked-{name}")
    page.goto(server + url("withdrawals_bankaccount_changelist"))
    expect(page.locator(".desk-tile")).to_be_visible()
    look(page, f"withdrawal-accounts-{name}")
    assert page_checks.overflow(page) <= 0
