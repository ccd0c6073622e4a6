"""Lists as files: what is in them, who gets them, and that a spreadsheet runs nothing of it."""

import csv
import io
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from openpyxl import load_workbook

from merchants.models import Merchant
from payments.console import tasks
from payments.console.exports import builder, changelist
from payments.console.models import Export, ExportPart
from payments.core.models import AuditEntry
from payments.payout.models import Payout
from tests.admin.conftest import Console, send, url
from tests.support.factories import key_payout_body
from tests.support.fixtures import ApiClient
from tests.support.outgoing_console import SCENES

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("funds")]
PAYOUTS = "payout_payout"
HEADERS = [
    *("payoutId", "createdAt", "merchantId", "merchant", "idempotencyKey", "status"),
    *("amount", "feeAmount", "currency", "debit", "recipientName", "recipientDocType"),
    *("recipientDocNumber", "network", "bankCanonicalId", "accountType", "accountNumber"),
    *("keyType", "keyValue", "rate", "description", "needsApproval", "reference"),
    *("needsTeamApproval", "providerPayoutId", "authorization", "completedAt"),
    *("requestedBy", "provider", "providerReference", "failureReason", "needsOperator"),
    "providerFee",
]
EVIL = 'HYPERLINK("http://x","a"),1'


def ask(
    console: Console, pages: str = PAYOUTS, query: str = "", kind: str = "CSV", **form: Any
) -> Any:
    """The answer to the form."""
    return console.post(f"{url(f'{pages}_export')}?{query}", {"format": kind, **form})


def content(response: Any) -> bytes:
    """Of a file."""
    assert response.status_code == 200, response
    assert response.streaming
    assert "no-store" in response.headers["Cache-Control"]
    return b"".join(response.streaming_content)


def rows(response: Any) -> list[dict[str, str]]:
    """Of a CSV file."""
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    text = content(response).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def names_of(response: Any) -> list[str]:
    """The columns of a CSV file, which may have no row."""
    text = content(response).decode("utf-8-sig")
    return next(csv.reader(io.StringIO(text, newline="")))


def sheet(response: Any) -> Any:
    """Of an Excel file."""
    return load_workbook(io.BytesIO(content(response))).active


@pytest.fixture
def in_background(monkeypatch: pytest.MonkeyPatch) -> None:
    """No list is short, and pieces are small."""
    monkeypatch.setattr(changelist, "AT_ONCE", -1)
    monkeypatch.setattr(builder, "CHUNK_ROWS", 2)


@pytest.fixture
def bea(db: None) -> User:
    """May look and export, and no more."""
    user = User.objects.create_user("bea", password="Nevado-del-Huila-5364", is_staff=True)
    codes = ["view_payout", "export_rows"]
    user.user_permissions.set(Permission.objects.filter(codename__in=codes))
    return user


@pytest.fixture
def exporter(bea: User) -> Console:
    browser = Console()
    browser.force_login(bea)
    return browser


def test_export_has_the_rows_and_columns_of_the_list(
    console: Console, api: ApiClient, merchant: Merchant
) -> None:
    payout = send(api, key="my-key")
    page = console.page(f"{PAYOUTS}_export")
    assert page.status_code == 200
    asked = page.content.decode()
    assert 'Número de documento <code class="desk-small">recipientDocNumber</code>' in asked
    assert 'Comercio (id) <code class="desk-small">merchantId</code>' in asked
    response = ask(console)
    assert response.headers["Content-Disposition"].startswith('attachment; filename="payout-')
    (row,) = rows(response)
    assert list(row) == HEADERS
    assert row["payoutId"] == payout.pk
    assert (row["merchantId"], row["merchant"]) == (merchant.pk, "Café Andino")
    assert (row["amount"], row["feeAmount"], row["debit"]) == ("100000", "2500", "102500")
    assert (row["status"], row["network"], row["currency"]) == ("PENDING", "BANK", "COPM")
    assert (row["idempotencyKey"], row["needsApproval"]) == ("my-key", "false")
    assert (row["recipientDocNumber"], row["accountNumber"]) == ("···3456", "···8901")
    assert (row["bankCanonicalId"], row["completedAt"]) == ("bancolombia", "")
    assert row["createdAt"].endswith("Z")


def test_excel_has_numbers_text_and_a_frozen_header(console: Console, api: ApiClient) -> None:
    payout = send(api)
    Payout.objects.filter(pk=payout.pk).update(recipient_name="=1+1", description="a\x0b<&>")
    page = sheet(ask(console, kind="XLSX"))
    assert page.freeze_panes == "A2"
    assert len(page[1]) == len(HEADERS)
    cells = dict(zip(HEADERS, page[2], strict=True))
    assert (cells["amount"].value, cells["amount"].data_type) == (100000, "n")
    assert cells["amount"].number_format == "#,##0"
    assert (cells["recipientName"].value, cells["recipientName"].data_type) == ("=1+1", "s")
    assert (cells["payoutId"].value, cells["payoutId"].number_format) == (payout.pk, "@")
    assert cells["description"].value == "a<&>"
    assert cells["needsApproval"].value is False
    assert page.max_row == 2


@pytest.mark.parametrize(
    ("language", "created", "state", "balance"),
    [("es", "Creado", "Pendiente", "COP"), ("en", "Created at", "Pending", "COP")],
)
def test_excel_is_in_the_words_and_the_time_of_its_reader(
    console: Console, api: ApiClient, language: str, created: str, state: str, balance: str
) -> None:
    at = datetime(2026, 11, 30, 4, 59, 58, tzinfo=UTC)
    payout = send(api)
    Payout.objects.filter(pk=payout.pk).update(created_at=at)
    console.cookies["django_language"] = language
    page = sheet(ask(console, kind="XLSX"))
    names = [cell.value for cell in page[1]]
    assert names[:2] == ["Id", created]
    cells = dict(zip(HEADERS, page[2], strict=True))
    # In Colombia it is the evening before.
    assert cells["createdAt"].value == datetime.fromisoformat("2026-11-29 23:59:58")
    assert cells["createdAt"].is_date
    assert (cells["status"].value, cells["currency"].value) == (state, balance)
    assert "BANK" not in [cell.value for cell in page[2]]
    (row,) = rows(ask(console))
    assert (row["status"], row["createdAt"]) == ("PENDING", "2026-11-30T04:59:58.000Z")


@pytest.mark.usefixtures("in_background")
def test_excel_of_a_worker_is_in_the_language_of_who_asked(
    console: Console, api: ApiClient
) -> None:
    send(api)
    console.cookies["django_language"] = "en"
    ask(console, kind="XLSX")
    tasks.run_exports()
    page = sheet(console.page("console_export_download", Export.objects.get().pk))
    assert page["B1"].value == "Created at"
    assert "Pending" in [cell.value for cell in page[2]]


def test_personal_data_is_whole_for_those_who_may_and_say_so(
    console: Console, exporter: Console, api: ApiClient
) -> None:
    payout = send(api)
    (row,) = rows(ask(console, whole="1"))
    assert row["recipientDocNumber"] == payout.recipient_doc_number
    assert row["accountNumber"] == payout.account_number
    (masked,) = rows(ask(exporter, whole="1"))
    assert masked["accountNumber"] == "···8901"
    assert payout.account_number not in str(masked)
    assert b'name="whole"' not in exporter.page(f"{PAYOUTS}_export").content
    first, second = AuditEntry.objects.filter(action="export.downloaded").order_by("id")
    assert first.details["whole_personal_data"] is True
    assert second.details["whole_personal_data"] is False


@pytest.mark.usefixtures("in_background")
def test_every_row_is_there_and_once(console: Console, api: ApiClient) -> None:
    ids = [send(api, key_payout_body(amount=1000)).pk for _ in range(7)]
    for kind in ("CSV", "XLSX"):
        shown = ask(console, kind=kind)
        export = Export.objects.get(status="WAITING")
        assert shown.headers["Location"] == url("console_export_change", export.pk)
        tasks.run_exports()
        export.refresh_from_db()
        assert (export.status, export.rows_done, export.rows_total) == ("READY", 7, 7)
        assert ExportPart.objects.filter(export=export).count() == 4
        file = console.page("console_export_download", export.pk)
        found = (
            [row["payoutId"] for row in rows(file)]
            if kind == "CSV"
            else [cell.value for cell in sheet(file)["A"][1:]]
        )
        assert found == ids[::-1]


def test_the_filters_and_the_search_hold(console: Console, api: ApiClient) -> None:
    bank, breb = send(api), send(api, key_payout_body())
    for query, expected in (
        ("network__exact=BREB", [breb.pk]),
        ("status__exact=FAILED", []),
        ("exceptions=all", []),
        (f"q={bank.provider_reference}", [bank.pk]),
        (f"q={bank.recipient_doc_number}&network__exact=BANK", [bank.pk]),
        ("created_at_to=2020-01-01", []),
        ("p=2", [breb.pk, bank.pk]),
    ):
        assert [row["payoutId"] for row in rows(ask(console, query=query))] == expected, query
    page = console.page(f"{PAYOUTS}_changelist", network__exact="BREB", p="1")
    button = page.context_data["actions_list"][-1]
    assert button["path"] == f"{url(f'{PAYOUTS}_export')}?network__exact=BREB"
    assert ask(console, query="nonsense=1").status_code == 302
    assert ask(console, query="account_number__startswith=1").status_code == 302
    assert ask(console, kind="PDF").status_code == 400


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t", "\r", "\n", "＝"])
def test_nothing_is_run_by_a_spreadsheet(console: Console, api: ApiClient, first: str) -> None:
    evil = first + EVIL
    payout = send(api)
    Merchant.objects.update(name=evil)
    texts = {"failure_reason": evil, "provider_id": evil, "idempotency_key": evil}
    Payout.objects.filter(pk=payout.pk).update(
        recipient_name=evil, recipient_doc_type=first, **texts
    )
    (row,) = rows(ask(console))
    for name in ("merchant", "recipientName", "failureReason", "providerPayoutId"):
        assert row[name] == f"'{evil}", name
    assert not [cell for cell in row.values() if cell.startswith(first)]
    kinds = {cell.data_type for cell in sheet(ask(console, kind="XLSX"))[2]}
    assert kinds <= {"s", "n", "b", "d"}


@pytest.mark.usefixtures("operators")
def test_every_money_list_has_its_file(console: Console, api: ApiClient, order: Any) -> None:
    for scene in SCENES.values():
        scene.make(api)
    for pages, header, at_least in (
        ("collect_order", "customerDocNumber", 1),
        ("collect_charge", "payerDocNumber", 0),
        ("collect_refund", "refundId", 0),
        ("collect_dispute", "disputeId", 0),
        ("collect_unmatchedfunds", "traceCode", 0),
        ("payout_payout", "payoutId", 0),
        ("topup_topup", "phone", 1),
        ("bills_billpayment", "billReference", 1),
        ("webhooks_delivery", "eventId", 0),
        ("settlement_settlement", "closingBalance", 0),
        ("ledger_entry", "digest", 3),
        ("ledger_posting", "balance", 6),
        ("core_auditentry", "details", 1),
    ):
        page = sheet(ask(console, pages, kind="XLSX"))
        headers = [cell.value for cell in page[1]]
        names = names_of(ask(console, pages))
        assert header in names, pages
        assert len(set(headers)) == len(headers) == len(names), pages
        assert page.max_row - 1 >= at_least, pages
    (row,) = rows(ask(console, "collect_order"))
    assert row["customerDocNumber"] == f"···{order.customer_document[-4:]}"
    assert row["customerEmail"].startswith(f"{order.customer_email[0]}***@")


def test_asking_and_taking_leave_audit_rows(console: Console, api: ApiClient) -> None:
    payout = send(api)
    ask(console, query=f"q={payout.recipient_doc_number}&status__exact=PENDING")
    asked, taken = AuditEntry.objects.filter(subject_type="export").order_by("id")
    assert (asked.action, taken.action) == ("export.asked", "export.downloaded")
    assert (asked.actor, taken.details["rows"]) == ("ana", 1)
    # What was searched for may be a document, and more people read the audit log.
    shown = f"···{payout.recipient_document[-4:]}"
    for entry in (asked, taken):
        assert entry.details["filters"] == {"q": shown, "status__exact": "PENDING"}
        assert entry.details["list"] == "payout.payout"
    rows_before = AuditEntry.objects.count()
    ask(console, query=f"q={payout.pk}")
    assert AuditEntry.objects.count() == rows_before + 2
    assert AuditEntry.objects.latest("id").details["filters"] == {"q": payout.pk}


def test_only_an_exporter_downloads_a_list(
    clerk: Console, visitor: Console, exporter: Console, db: None
) -> None:
    address = url(f"{PAYOUTS}_export")
    assert exporter.get(address).status_code == 200
    assert exporter.get(url("ledger_entry_export")).status_code == 403
    assert clerk.get(address).status_code == 403  # looks at all, exports nothing
    assert clerk.post(address, {"format": "CSV"}).status_code == 403
    assert clerk.page("console_export_changelist").status_code == 403
    assert b"export/" not in clerk.page(f"{PAYOUTS}_changelist").content
    assert visitor.get(address).status_code == 302
    assert Client().get(address).status_code == 302
    assert exporter.put(address).status_code == 405
    assert Export.objects.count() == 0


def test_short_queries_for_any_number_of_rows(
    console: Console, api: ApiClient, django_assert_max_num_queries: Any
) -> None:
    for number in range(12):
        send(api, key_payout_body() if number % 2 else None)
    ask(console)  # what only the first request asks
    with django_assert_max_num_queries(60) as small:
        assert len(rows(ask(console))) == 12
    making_rows = [query for query in small if "payout_payout" in query["sql"]]
    assert len(making_rows) <= 10
