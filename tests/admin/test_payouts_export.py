"""The list of payouts as CSV: all rows of the filter, and nothing a spreadsheet would run."""

import csv
import io
from typing import Any

import pytest
from django.test import Client

from merchants.models import Merchant
from payments.core.models import AuditEntry
from payments.outgoing.admin import export
from payments.payout.models import Payout
from tests.admin.conftest import Console, send, url
from tests.factories import key_payout_body, payout_body
from tests.fixtures import ApiClient

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("funds")]
HEADERS = [
    *("payoutId", "createdAt", "merchantId", "merchant", "idempotencyKey", "status"),
    *("amount", "feeAmount", "currency", "debit", "network", "recipientName"),
    *("recipientDocument", "destination", "description", "needsApproval", "provider"),
    *("providerReference", "providerPayoutId", "authorization", "failureReason"),
    *("needsOperator", "completedAt"),
]


def exported(console: Console, **query: str) -> list[dict[str, str]]:
    """The rows of the file."""
    response = console.page("payout_payout_export", **query)
    assert response.status_code == 200
    assert response.streaming
    text = b"".join(response.streaming_content).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_it_works(console: Console, api: ApiClient, merchant: Merchant) -> None:
    payout = send(api, key="my-key")
    response = console.page("payout_payout_export")
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert response.headers["Content-Disposition"].startswith('attachment; filename="payouts-')
    assert "no-store" in response.headers["Cache-Control"]
    (row,) = exported(console)
    assert list(row) == HEADERS
    assert row["payoutId"] == payout.pk
    assert (row["merchantId"], row["merchant"]) == (merchant.pk, "Café Andino")
    assert (row["amount"], row["feeAmount"], row["debit"]) == ("100000", "2500", "102500")
    assert (row["status"], row["network"], row["currency"]) == ("PENDING", "BANK", "COPM")
    assert row["idempotencyKey"] == "my-key"
    assert row["recipientDocument"] == "CC ···3456"
    assert row["destination"] == "Bancolombia ···8901"
    assert row["completedAt"] == ""


def test_every_row_is_there_and_once(
    console: Console, api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "CHUNK_SIZE", 7)
    ids = [send(api, key_payout_body(amount=1000)).pk for _ in range(60)]  # a page has 50
    assert [row["payoutId"] for row in exported(console)] == ids[::-1]
    assert len(exported(console, p="2")) == 60


def test_the_filters_and_the_search_hold(console: Console, api: ApiClient) -> None:
    bank, breb = send(api), send(api, key_payout_body())
    for query, expected in (
        ({"network__exact": "BREB"}, [breb.pk]),
        ({"status__exact": "FAILED"}, []),
        ({"exceptions": "all"}, []),
        ({"q": bank.provider_reference}, [bank.pk]),
        ({"created_at_to": "2020-01-01"}, []),
    ):
        assert [row["payoutId"] for row in exported(console, **query)] == expected, query
        page = console.page("payout_payout_changelist", **query)
        (button,) = page.context_data["actions_list"]
        assert button["path"].startswith(url("payout_payout_export") + "?")
        listed = console.get(button["path"])
        assert len(b"".join(listed.streaming_content).splitlines()) == len(expected) + 1
    assert console.page("payout_payout_export", nonsense="1").status_code == 302


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t", "\r", "\n", "＝"])
def test_nothing_is_run_by_a_spreadsheet(console: Console, api: ApiClient, first: str) -> None:
    evil = f'{first}HYPERLINK("http://x","a"),1'
    payout = send(api)
    Merchant.objects.update(name=evil)
    Payout.objects.filter(pk=payout.pk).update(
        recipient_name=evil,
        description=evil[:40],
        failure_reason=evil,
        provider_id=evil,
        idempotency_key=evil,
        recipient_doc_type=first,
    )
    (row,) = exported(console)
    for name in ("merchant", "recipientName", "description", "failureReason", "providerPayoutId"):
        assert row[name] == f"'{evil}", name
    assert not [cell for cell in row.values() if cell.startswith(first)]


def test_an_export_leaves_an_audit_row(console: Console, ana: Any) -> None:
    exported(console, status__exact="FAILED")
    row = AuditEntry.objects.get(action="payouts.exported")
    assert (row.actor, row.subject_id) == ("ana", str(ana.pk))
    assert row.details == {"filters": {"status__exact": "FAILED"}}


def test_it_is_for_those_who_may_look(
    clerk: Console, visitor: Console, console: Console, db: None
) -> None:
    from django.contrib.auth.models import User

    address = url("payout_payout_export")
    assert clerk.get(address).status_code == 200
    assert visitor.get(address).status_code == 302
    assert Client().get(address).status_code == 302
    nobody = Client()
    nobody.force_login(User.objects.create_user("dora", password="x", is_staff=True))
    assert nobody.get(address).status_code == 403
    assert console.post(address).status_code == 405


def test_the_queries_follow_the_chunks_not_the_rows(
    console: Console, api: ApiClient, django_assert_max_num_queries: Any
) -> None:
    for number in range(12):
        send(api, key_payout_body() if number % 2 else payout_body())
    with django_assert_max_num_queries(10):
        assert len(exported(console)) == 12
