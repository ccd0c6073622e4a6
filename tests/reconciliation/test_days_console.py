"""What operators do with settlement files in the console."""

# ruff: noqa: F811

from datetime import date
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from payments.core import clock
from payments.core.models import AuditEntry
from payments.rails.models import ProviderAccount
from payments.reconciliation.models import Disbursement, ProviderTariff, SettlementFile
from tests.admin.conftest import Console, ana, console, person, url  # noqa: F401
from tests.reconciliation.wompi_files import Sale, data, sale


@pytest.fixture(autouse=True)
def _english(settings: Any) -> None:
    settings.LANGUAGE_CODE = "en"


@pytest.fixture(autouse=True)
def _account(db: None) -> None:
    ProviderAccount.objects.create(
        slug="wompi-main",
        provider="wompi",
        label="Wompi",
        mode="SANDBOX",
        credentials="{}",
        created_at=clock.now(),
    )


def upload(browser: Console, *sales: Sale, name: str = "desembolso.csv") -> Any:
    file = SimpleUploadedFile(name, data(*sales), content_type="text/csv")
    page = "reconciliation_settlementfile_add"
    return browser.submit(page, account="wompi-main", file=file, day="")


def test_an_uploaded_file_leads_to_its_disbursements(console):
    answer = upload(console, sale(1), sale(2))
    file = SettlementFile.objects.get()
    assert answer.url == url("reconciliation_settlementfile_change", file.pk)
    page = console.get(answer.url).content.decode()
    assert "2 new payments" in page
    assert Disbursement.objects.get().pk in page


def test_a_refused_file_shows_line_and_reason_and_changes_nothing(console):
    answer = upload(console, sale(1), sale(2, changes={"net": sale(2).net + 1}))
    assert answer.status_code == 400
    [error] = answer.context["form"].non_field_errors()
    assert "line 3" in error
    assert "47376.75" in error
    assert not SettlementFile.objects.exists()


def test_the_same_file_twice_says_so(console):
    upload(console, sale(1))
    answer = upload(console, sale(1))
    assert "Nothing was changed" in console.get(answer.url).content.decode()


def test_the_page_of_a_disbursement_shows_payments_and_what_the_tariff_does_not_expect(console):
    form = {"rate": "0.02", "fixed": "400", "vat_rate": "0.19", "income_tax_rate": "0.015"}
    console.submit(
        "reconciliation_providertariff_add",
        account="wompi-main",
        method="",
        first_day=date(2026, 1, 1),
        ica_rate="0",
        **form,
    )
    assert ProviderTariff.objects.get().created_by == "ana"
    assert AuditEntry.objects.filter(action="provider_tariff.added").exists()
    upload(console, sale(1))
    shown = console.page("reconciliation_disbursement_change", Disbursement.objects.get().pk)
    text = shown.content.decode()
    for part in ("47,375.75 COP", "1292-1602113477-10985", "not one of ours", "1,400 COP"):
        assert part in text, part


@pytest.mark.parametrize(
    "name", ["settlementfile", "disbursement", "providertariff"], ids=lambda name: name
)
def test_the_lists_are_shown(console, name: str):
    upload(console, sale(1))
    assert console.page(f"reconciliation_{name}_changelist").status_code == 200


def test_only_finance_imports(db):
    assert person("fina", "Finance").page("reconciliation_settlementfile_add").status_code == 200
    viewer = person("vera", "Viewer")
    assert viewer.page("reconciliation_settlementfile_changelist").status_code == 200
    assert viewer.page("reconciliation_settlementfile_add").status_code == 403
