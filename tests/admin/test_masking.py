"""Personal data: masked wherever it is looked at, whole on one page that leaves a trace."""

from typing import Any

import pytest

from payments.collect.models import Charge, Order
from payments.console.masking import search
from payments.core import masking
from payments.core.models import AuditEntry
from payments.payout.models import Payout
from tests.admin.conftest import Console, send, url
from tests.support.factories import key_payout_body
from tests.support.fixtures import ApiClient
from tests.support.outgoing_console import SCENES
from tests.support.refunds import paid

pytestmark = pytest.mark.django_db
REVEALED = "personal_data.revealed"


@pytest.mark.parametrize(
    ("whole", "shown"),
    [
        ("1023456789", "···6789"),
        ("1.023.456.789", "···6789"),
        ("123456", "···456"),
        ("12", "···2"),
        ("1", "···"),
        ("", ""),
    ],
)
def test_documents_keep_four_and_never_more_than_half(whole: str, shown: str) -> None:
    assert masking.tail(whole) == shown


@pytest.mark.parametrize(
    ("whole", "shown"),
    [
        ("ana@example.com", "a***@example.com"),
        ("@alias12", "···s12"),
        ("3001234567", "···4567"),
    ],
)
def test_keys_are_masked_by_what_they_are(whole: str, shown: str) -> None:
    assert masking.contact(whole) == shown


@pytest.mark.parametrize(
    ("term", "shown"),
    [
        ("col_01m7ykts2jfqpv3wb1hwbcn08b", "col_01m7ykts2jfqpv3wb1hwbcn08b"),
        ("1.023.456.789", "···6789"),
        ("ana_lopez@example.com", "a***@example.com"),
        ("CC_1023456789", "···6789"),
    ],
)
def test_the_log_of_searches_has_ids_and_no_documents(term: str, shown: str) -> None:
    assert search(term) == shown


def _charge(order: Order) -> Charge:
    return Charge.objects.create(
        order=order,
        method="PSE",
        provider="simulator",
        currency="COP",
        amount=order.amount,
        covers=order.amount,
        created_at=order.created_at,
        payer={
            "name": "Luz Mora",
            "email": "luz@example.com",
            "phone": "3019876543",
            "document_type": "CC",
            "document_number": "79555111",
        },
        fields={"phone": "3019876543"},
    )


def _check(console: Console, clerk: Console, pages: str, row: Any, secrets: list[str]) -> None:
    """Masked on list and record for both; whole for one of them, on its page, with a trace."""
    for browser in (console, clerk):
        for page, args in (("changelist", ()), ("change", (row.pk,))):
            text = browser.page(f"{pages}_{page}", *args).content.decode()
            assert row.pk in text or page == "changelist"
            for secret in secrets:
                assert secret not in text, (pages, page)
    address = url(f"{pages}_reveal", row.pk)
    assert address in console.page(f"{pages}_change", row.pk).content.decode()
    assert address not in clerk.page(f"{pages}_change", row.pk).content.decode()
    assert clerk.get(address).status_code == 403
    assert not AuditEntry.objects.filter(action=REVEALED, subject_id=row.pk).exists()
    revealed = console.get(address)
    assert revealed.status_code == 200
    assert "no-store" in revealed.headers["Cache-Control"]
    for secret in secrets:
        assert secret in revealed.content.decode()
    entry = AuditEntry.objects.get(action=REVEALED, subject_id=row.pk)
    assert entry.actor == "ana"
    assert not [secret for secret in secrets if secret in str(entry.details)]
    assert console.post(address).status_code == 405


def test_orders_mask_document_email_and_phone(
    console: Console, clerk: Console, order: Order
) -> None:
    _check(
        console,
        clerk,
        "collect_order",
        order,
        [order.customer_doc_number, order.customer_email],
    )
    text = clerk.page("collect_order_change", order.pk).content.decode()
    assert order.customer_name in text
    assert masking.email(order.customer_email) in text


def test_charges_mask_data_of_the_payer(console: Console, clerk: Console, order: Order) -> None:
    charge = _charge(order)
    _check(
        console,
        clerk,
        "collect_charge",
        charge,
        ["79555111", "luz@example.com", "3019876543"],
    )
    text = clerk.page("collect_charge_change", charge.pk).content.decode()
    assert "Luz Mora" in text
    assert "···5111 · l***@example.com · ···6543" in text


@pytest.mark.usefixtures("funds")
def test_payouts_mask_data_of_the_recipient(
    console: Console, clerk: Console, api: ApiClient
) -> None:
    bank, key = send(api), send(api, key_payout_body())
    _check(
        console,
        clerk,
        "payout_payout",
        bank,
        [bank.recipient_doc_number, bank.account_number],
    )
    _check(console, clerk, "payout_payout", key, [key.recipient_doc_number, key.key_value])


@pytest.mark.usefixtures("funds", "operators")
@pytest.mark.parametrize(("name", "field"), [("topup", "phone"), ("bill", "bill_reference")])
def test_topups_and_bills_mask_phone_and_key(
    console: Console, clerk: Console, api: ApiClient, name: str, field: str
) -> None:
    payment = SCENES[name].make(api)
    assert payment.status == "COMPLETED"  # with the ticket in its story
    _check(console, clerk, SCENES[name].pages, payment, [getattr(payment, field)])


@pytest.mark.usefixtures("funds")
def test_search_takes_whole_documents(clerk: Console, api: ApiClient, order: Order) -> None:
    payout = send(api)
    for pages, document, pk in (
        ("collect_order", order.customer_doc_number, order.reference),
        ("payout_payout", payout.recipient_doc_number, payout.pk),
    ):
        assert pk in clerk.page(f"{pages}_changelist", q=document).content.decode()


@pytest.mark.usefixtures("funds")
def test_no_address_guesses_it_letter_by_letter(
    console: Console, api: ApiClient, order: Order
) -> None:
    send(api)
    for pages, lookup in (
        ("collect_order", "customer_document__startswith"),
        ("collect_order", "customer_email__startswith"),
        ("payout_payout", "account_number"),
        ("payout_payout", "key_value__regex"),
        ("topup_topup", "phone__startswith"),
        ("bills_billpayment", "bill_reference__startswith"),
        ("collect_charge", "payer__phone__startswith"),
    ):
        assert console.page(f"{pages}_changelist", **{lookup: "1"}).status_code == 400, lookup


def test_what_is_not_there_is_not_revealed(console: Console, db: None) -> None:
    assert console.page("payout_payout_reveal", "po_nothing").status_code == 404
    assert not AuditEntry.objects.filter(action=REVEALED).exists()
    assert not Payout.objects.exists()


def test_order_of_a_link_has_the_document_of_the_one_who_paid(
    console: Console, api: ApiClient
) -> None:
    order = paid(api)
    Order.objects.filter(pk=order.pk).update(
        customer_doc_type="", customer_doc_number="", customer_document=""
    )
    whole, end = "900104050", "CC ···4050"
    Charge.objects.filter(pk=order.settled_by_id).update(
        payer={"document_type": "CC", "document_number": whole}
    )
    record = console.page("collect_order_change", order.pk).content.decode()
    assert end in record
    assert whole not in record
    shown = console.get(url("collect_order_reveal", order.pk))
    assert f"CC {whole}" in [text for _label, text in shown.context["values"]]
    Charge.objects.filter(pk=order.settled_by_id).update(payer={})
    shown = console.get(url("collect_order_reveal", order.pk))
    assert all(text.strip() for _label, text in shown.context["values"])
