"""Bank accounts, uploads, statements and movements, as an operator sees them."""

import io
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import override_settings

from payments.console.roles import ADMINISTRATOR, FINANCE, VIEWER
from payments.core.models import AuditEntry
from payments.reconciliation import tasks
from payments.reconciliation.models import (
    BankAccount,
    StatementFile,
    StatementLine,
    StatementUpload,
    UploadPart,
)
from payments.reconciliation.services import uploads
from tests.admin.conftest import REASON, Console, person, url
from tests.reconciliation.formats.samples import ASOBANCARIA
from tests.reconciliation.own_csv import NOW, Row, open_account, statement
from tests.support.console_login import acted

pytestmark = pytest.mark.django_db
ADD = "reconciliation_statementupload_add"
ACCOUNT = {
    "slug": "main",
    "label": "Main account",
    "bank_code": "1007",
    "number": "12345678901",
    "account_type": "SAVINGS",
    "holder": "Pasarela SAS",
    "document": "901234567",
}


@pytest.fixture(autouse=True)
def _day_of_the_files() -> Iterator[None]:
    with time_machine.travel(NOW), override_settings(LANGUAGE_CODE="en"):
        yield


@pytest.fixture
def finance(db: None) -> Console:
    return person("fabio", FINANCE)


def upload(browser: Console, content: bytes, name: str = "recaudo.txt", **form: Any) -> Any:
    file = io.BytesIO(content)
    file.name = name
    return browser.submit(ADD, file=file, **form)


def work() -> None:
    tasks.import_uploads()


def shown(browser: Console, name: str, *args: Any, **query: Any) -> str:
    answer = browser.page(name, *args, **query)
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_administrator_adds_a_bank_account_with_a_reason() -> None:
    ana = person("ana", ADMINISTRATOR)
    answer = ana.submit("reconciliation_bankaccount_add", **ACCOUNT)
    assert answer.status_code == 302, answer.content.decode()
    assert BankAccount.objects.get().number == "12345678901"
    row = acted("bank_account.created")
    assert (row.actor, row.details["number"]) == ("ana", "12345678901")
    assert "Main account" in shown(ana, "reconciliation_bankaccount_change", "main")
    again = ana.submit("reconciliation_bankaccount_add", **ACCOUNT | {"slug": "other"})
    assert "has this name already, or this bank and number" in again.content.decode()
    bad = ana.submit("reconciliation_bankaccount_add", **ACCOUNT | {"slug": "Not A Slug"})
    assert bad.status_code == 400
    assert BankAccount.objects.count() == 1


def test_uploaded_file_is_imported_by_the_worker_and_its_page_follows(finance: Console) -> None:
    open_account()
    answer = upload(finance, ASOBANCARIA.encode())
    assert answer.status_code == 302, answer.content.decode()
    page = finance.get(answer.headers["Location"])
    assert page.headers["Refresh"] == "2"
    assert "Waiting" in page.content.decode()
    work()
    page = finance.get(answer.headers["Location"])
    assert "Refresh" not in page.headers
    assert "Imported" in page.content.decode()
    assert StatementLine.objects.count() == 2
    assert StatementFile.objects.get().imported_by == "fabio"
    assert not UploadPart.objects.exists()


def test_refused_file_says_why_and_leaves_only_the_audit_row(finance: Console) -> None:
    answer = upload(finance, b"not a statement")
    work()
    page = finance.get(answer.headers["Location"]).content.decode()
    assert "Refused" in page
    upload_row = StatementUpload.objects.get()
    assert upload_row.reason in page
    row = acted("statement.refused")
    assert (row.actor, row.details["file"]) == ("fabio", "recaudo.txt")
    assert row.reason == upload_row.reason
    assert not StatementFile.objects.exists()


def test_file_that_is_too_large_is_refused_before_it_is_stored(finance: Console) -> None:
    with override_settings(BANK_STATEMENT_UPLOAD_MAX_BYTES=100):
        answer = upload(finance, b"x" * 101)
    assert answer.status_code == 400
    assert "at most 100 can be uploaded" in answer.content.decode()
    with override_settings(BANK_STATEMENT_UPLOAD_MAX_BYTES=100, PAGE_MAX_BODY_BYTES=1000):
        answer = upload(finance, b"x" * 2000)
    assert answer.status_code == 413
    assert not StatementUpload.objects.exists()


def test_upload_of_a_dead_worker_is_taken_by_another_one(finance: Console) -> None:
    open_account()
    upload(finance, ASOBANCARIA.encode())
    later = NOW + timedelta(seconds=60)
    [claimed] = uploads.claim_uploads(now=later)
    assert uploads.claim_uploads(now=later) == []
    with time_machine.travel(later + uploads.LEASE):
        work()
    claimed.refresh_from_db()
    assert (claimed.status, claimed.attempts) == ("DONE", 2)
    assert StatementLine.objects.count() == 2


def test_movements_are_found_by_reference_document_amount_day_and_status(
    finance: Console,
) -> None:
    open_account()
    upload(finance, ASOBANCARIA.encode())
    work()
    lists = "reconciliation_statementline_changelist"
    both = ("987654321098", "5550001")
    for query, found in (
        ({}, both),
        ({"q": "000987654321098"}, both[:1]),
        ({"q": "50.000,00"}, both[:1]),
        ({"q": "1234.50"}, both[1:]),
        ({"q": "nothing"}, ()),
        ({"amount_from": "2000"}, both[:1]),
        ({"booked_on_from": "2026-03-17"}, ()),
        ({"status__exact": "NEW"}, both),
        ({"status__exact": "BOOKED"}, ()),
        ({"account__slug__exact": "main"}, both),
    ):
        page = shown(finance, lists, **query)
        assert tuple(one for one in both if f">{one}<" in page or f" {one}" in page) == found, query


def test_page_of_a_movement_shows_its_files_with_lines(finance: Console) -> None:
    open_account()
    upload(finance, ASOBANCARIA.encode())
    work()
    line = StatementLine.objects.order_by("pk")[0]
    page = shown(finance, "reconciliation_statementline_change", line.pk)
    assert "recaudo.txt" in page
    assert "Files that have it" in page
    file = StatementFile.objects.get()
    assert "recaudo.txt" in shown(finance, "reconciliation_statementfile_change", file.pk)
    lists = "reconciliation_statementline_changelist"
    assert "5550001" in shown(finance, lists, sources__file__id__exact=file.pk)


def test_exported_movements_hold_no_formulas(finance: Console) -> None:
    open_account()
    upload(finance, ASOBANCARIA.encode())
    work()
    StatementLine.objects.update(description="=1+1")
    answer = finance.post(
        url("reconciliation_statementline_export"), {"format": "CSV"}, follow=True
    )
    text = b"".join(answer.streaming_content).decode() if answer.streaming else ""
    assert "'=1+1" in text
    assert "5550001" in text


def test_viewers_see_and_import_nothing() -> None:
    open_account()
    viewer = person("vera", VIEWER)
    for name in ("bankaccount", "statementfile", "statementline", "statementupload"):
        assert viewer.page(f"reconciliation_{name}_changelist").status_code == 200
    assert viewer.page(ADD).status_code == 403
    assert viewer.page("reconciliation_bankaccount_add").status_code == 403
    assert not AuditEntry.objects.filter(action="statement.refused").exists()


def test_refused_file_with_a_gap_is_imported_with_a_reason(finance: Console) -> None:
    open_account()
    upload(finance, statement([Row(day=2, amount="50000")]), "monday.csv")
    upload(finance, statement([Row(day=4, amount="1")], opening="60000"), "wednesday.csv")
    work()
    refused = StatementUpload.objects.get(name="wednesday.csv")
    assert (refused.status, refused.is_gap) == ("REFUSED", True)
    page = finance.submit("reconciliation_statementupload_accept_gap", refused.pk)
    assert page.status_code == 302, page.content.decode()
    work()
    refused.refresh_from_db()
    assert (refused.status, refused.is_gap) == ("DONE", False)
    assert refused.file is not None
    assert (refused.file.gap.amount, refused.file.gap.reason) == (10_000, REASON)
    assert acted("statement.gap_accepted").actor == "fabio"
    assert REASON in shown(finance, "reconciliation_statementfile_change", refused.file.pk)
    again = finance.submit("reconciliation_statementupload_accept_gap", refused.pk)
    assert again.status_code == 400


def test_refused_uploads_are_deleted_after_their_time(finance: Console, settings: Any) -> None:
    upload(finance, b"not a statement")
    work()
    tasks.forget_uploads()
    assert UploadPart.objects.exists()
    with time_machine.travel(NOW + timedelta(days=settings.BANK_STATEMENT_UPLOAD_DAYS, hours=1)):
        tasks.forget_uploads()
    assert not UploadPart.objects.exists()
    assert StatementUpload.objects.get().reason
