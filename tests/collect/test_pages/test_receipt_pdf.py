"""The receipt as a file: one sheet with what the page shows."""

from decimal import Decimal

import pytest
from django.utils import translation

from payments.collect.checkout import receipt_pdf
from payments.collect.models import Order
from payments.collect.services.orders import lookup, receipts
from payments.providers import ports
from payments.simulator import control
from tests.collect.test_pages.conftest import PERSON, Payer, charge_of
from tests.collect.test_pages.test_verify import pay
from tests.support import payment_screens

pytestmark = pytest.mark.django_db


def test_payer_downloads_the_receipt(order: Order) -> None:
    code = pay(order)
    payer = Payer(order)
    assert f'href="{payer.url}/receipt.pdf"' in payer.see()
    file = payer.get(f"{payer.url}/receipt.pdf")
    assert file.headers["Content-Type"] == "application/pdf"
    assert file.headers["Content-Disposition"].endswith(f'-{code}.pdf"')
    assert file.headers["Cache-Control"] == "no-store"
    assert file.content.startswith(b"%PDF-")
    assert file.content.count(b"/Type /Page\n") == 1
    assert len(file.content) < 100_000


def test_receipt_names_bank_fee_and_trace_code(order: Order, payer: Payer) -> None:
    payer.choose("/pse", PERSON)
    control.decide(charge_of(order).pk, ports.ChargeStatus.SUCCEEDED)
    charge = lookup.settling_charge(order=Order.objects.get(pk=order.pk))
    order.refresh_from_db()
    with translation.override("en"):
        rows = dict(receipt_pdf.rows_of(order, charge, receipts.paid_of(order)))
    assert rows["Amount"] == "$ 50,000 COP"
    assert rows["Service fee"] == "$ 25 COP"
    assert rows["Total paid"] == "$ 50,025 COP"
    assert rows["Bank"] == "Bancolombia"
    assert rows["Trace code (CUS)"] == charge_of(order).trace_code
    assert rows["Payer"] == order.customer_name  # it is the payer's own
    page = payer.see("?lang=en")
    for label, value in rows.items():
        assert value in page, label


def test_receipt_file_has_the_surplus_and_all_that_was_paid(order: Order, payer: Payer) -> None:
    payer.choose("/transfer")
    control.deposit(charge_of(order).pk, Decimal(60_000))
    order.refresh_from_db()
    with translation.override("en"):
        paid = receipts.paid_of(order)
        rows = dict(receipt_pdf.rows_of(order, lookup.settling_charge(order=order), paid))
    assert rows["Order total"] == "$ 50,025 COP"
    assert rows["Surplus, to be settled"] == "$ 9,975 COP"
    assert rows["Total paid"] == "$ 60,000 COP"


def test_order_without_a_payment_has_no_receipt_file(order: Order, payer: Payer) -> None:
    payer.choose("/pse", PERSON)
    answer = payer.get(f"{payer.url}/receipt.pdf")
    assert (answer.status_code, answer.headers["Location"]) == (303, payer.url)


def test_file_has_the_logo_of_the_shop(order: Order) -> None:
    pay(order)
    plain = Payer(order).get(f"/pay/{order.token}/receipt.pdf").content
    payment_screens.wear(order.merchant, "#7a3b12")
    worn = Payer(order).get(f"/pay/{order.token}/receipt.pdf").content
    assert b"/Subtype /Image" not in plain
    assert b"/Subtype /Image" in worn


def test_odd_texts_do_not_spoil_the_file(order: Order) -> None:
    pay(order)
    Order.objects.filter(pk=order.pk).update(
        reference="R" * 100, description="😀 ñ " * 100, customer_name="Ω" * 200
    )
    file = Payer(order).get(f"/pay/{order.token}/receipt.pdf")
    assert file.content.startswith(b"%PDF-")
