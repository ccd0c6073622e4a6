"""The receipt of an order goes to its customer, once, if the merchant or the payer wants it."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail as sent
from django.test import Client

from merchants.legal.models import LegalData
from merchants.models import Merchant
from payments.collect.models import Order, Receipt
from payments.collect.services.orders import receipt_mail, receipts
from payments.collect.services.refunds.refund_engine import engine
from payments.console import roles
from payments.core import clock
from payments.mail import sending
from payments.mail.models import Mail
from payments.simulator import control
from tests.support.charges import create
from tests.support.fixtures import ApiClient
from tests.support.merchant_staff import browser_of, person_of, said
from tests.support.refunds import approve, asked, paid

pytestmark = pytest.mark.django_db


@pytest.fixture
def mailing(merchant: Merchant) -> Merchant:
    """Café Andino mails receipts, and has legal data."""
    Merchant.objects.filter(pk=merchant.pk).update(receipts_by_mail=True)
    LegalData.objects.create(
        merchant=merchant,
        legal_name="Café Andino S.A.S.",
        nit="890903938",
        contact_email="hola@cafe.example",
    )
    return merchant


def refund(api: ApiClient, order: Order, amount: int) -> None:
    """Asked for, approved, and paid by the rail."""
    approve(asked(api, order, amount=amount))
    with time_machine.travel(clock.now() + timedelta(seconds=4000), tick=True):
        engine.process_due(now=clock.now())
    order.refresh_from_db()
    assert order.refunded_amount == amount


def test_a_paid_order_mails_its_receipt(api: ApiClient, mailing: Merchant) -> None:
    order = paid(api)
    sending.send_due()
    (message,) = sent.outbox
    assert message.to == [order.customer_email]
    assert message.reply_to == ["hola@cafe.example"]
    code = Receipt.objects.get(order=order).code
    html = message.alternatives[0].content
    for body in (message.body, html):
        plain = body.replace("\xa0", " ")
        for shown in (
            *(order.merchant.name, "Café Andino S.A.S.", "890.903.938-8", order.reference),
            *("50.025 COP", "50.000 COP", "25 COP", "PSE", order.settled_by.trace_code),
        ):
            assert shown in plain, shown
        assert f"/verify/{code[:4]}" in plain.lower()
    assert "http://testserver/verify/" in html
    assert order.customer_doc_number not in html + message.body


def test_a_receipt_is_mailed_once(api: ApiClient, mailing: Merchant) -> None:
    order = paid(api)
    page = Client().post(f"/pay/{order.token}/receipt")
    assert page.status_code == 303
    receipt_mail.send(order=order, language="en")
    assert Mail.objects.count() == 1


def test_no_mail_without_the_merchants_switch_or_before_the_payment(api: ApiClient) -> None:
    order = create(api)
    Client().post(f"/pay/{order.token}/receipt")
    paid(api, reference="ANOTHER-1")
    assert not Mail.objects.exists()


def test_a_payer_has_the_receipt_sent_from_its_page(api: ApiClient) -> None:
    order = paid(api)
    browser = Client(headers={"accept-language": "en"})
    path = f"/pay/{order.token}"
    assert f'action="{path}/receipt"' in browser.get(f"{path}?lang=en").content.decode()
    assert browser.post(f"{path}/receipt", follow=True).status_code == 200
    (row,) = Mail.objects.all()
    assert (row.to, row.language, row.template) == (order.customer_email, "en", "receipt")
    page = browser.get(path).content.decode()
    assert f'action="{path}/receipt"' not in page
    assert order.customer_email not in page


def test_an_order_is_paid_when_its_mail_is_impossible(
    api: ApiClient, mailing: Merchant, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any) -> Any:
        raise RuntimeError("no template")

    monkeypatch.setattr("payments.mail.rendering.render", fail)
    assert paid(api).status == "COMPLETED"
    assert not Mail.objects.exists()


def test_an_administrator_of_the_merchant_switches_it(merchant: Merchant) -> None:
    boss = browser_of(person_of(merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR))
    done = boss.submit("merchants_merchant_set_receipt_mail", merchant.pk, receipts_by_mail="on")
    assert done.status_code == 302
    merchant.refresh_from_db()
    assert merchant.receipts_by_mail is True
    staff = browser_of(person_of(merchant, "lucia"))
    assert staff.page("merchants_merchant_set_receipt_mail", merchant.pk).status_code == 403


def test_a_paid_refund_is_mailed_and_the_receipt_asked_for_later_has_it(
    api: ApiClient, mailing: Merchant
) -> None:
    order = paid(api)
    Mail.objects.all().delete()
    refund(api, order, amount=20_000)
    sending.send_due()
    (message,) = sent.outbox
    html = message.alternatives[0].content
    for body in (message.body, html):
        plain = body.replace("\xa0", " ")
        for shown in ("20.000 COP", "50.025 COP", "30.025 COP", order.reference, order.collect_url):
            assert shown in plain, shown
    assert "20.000" in message.subject
    receipt_mail.send(order=order, language="es")
    receipt = Mail.objects.get(template="receipt")
    for body in (receipt.text, receipt.html):
        assert said("Returned to you") in body
        assert order.customer_name in body
        assert order.collect_url in body


def test_refund_that_comes_back_is_told_once_more(api: ApiClient, mailing: Merchant) -> None:
    api.post("/sandbox/balance", {"currency": "COPM", "amount": 100_000})
    order = paid(api, magic="returned-later")
    approve(asked(api, order))
    with time_machine.travel(clock.now() + timedelta(seconds=5)):
        control.wake()
    order.refresh_from_db()
    assert order.refunded_amount == 0
    first, second = Mail.objects.filter(template="refund").order_by("created_at", "pk")
    assert said("Your money was returned") in first.html
    for text in (second.html, second.text):
        assert (
            said("Your bank sent it back to us. The shop has the money: ask it how you get it.")
            in text
        )


def test_no_mail_tells_of_a_refund_without_the_merchants_switch(api: ApiClient) -> None:
    refund(api, paid(api), amount=20_000)
    assert not Mail.objects.exists()


def test_mails_of_a_simulated_payment_are_marked_also_after_the_service_went_live(
    api: ApiClient, mailing: Merchant, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = paid(api)
    settings.SANDBOX = False
    real = receipts.uses_play_money
    monkeypatch.setattr(
        receipts, "uses_play_money", lambda charge=None: bool(charge) and real(charge)
    )
    refund(api, order, amount=20_000)
    told = Mail.objects.get(template="refund")
    assert said("This is the receipt of a test: no money moved.") in told.html


def test_refund_is_told_in_the_language_of_the_receipt(api: ApiClient) -> None:
    order = paid(api)
    receipt_mail.send(order=order, language="en")
    Merchant.objects.update(receipts_by_mail=True)
    refund(api, order, amount=20_000)
    told = Mail.objects.get(template="refund")
    assert (told.language, "returned $ 20,000 COP" in told.subject.replace("\xa0", " ")) == (
        "en",
        True,
    )
