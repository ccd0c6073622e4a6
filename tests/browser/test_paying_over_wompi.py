"""A payer pays by PSE over Wompi's adapter: waits for the bank's page, approves, comes back."""

from django.test import Client
from playwright.sync_api import Page, expect

from payments.collect.models import Charge, Order
from payments.collect.services.charges import reconciliation
from payments.core import clock, jsontext
from tests.browser.conftest import hurry, picture
from tests.browser.payers import accept_and_pay, approve_at_the_bank, choose_bank_and_pay
from tests.rails.accounts import route, wompi
from tests.rails.event_receiver import EventReceiver
from tests.rails.http_calls import wait_until

# Within these seconds the page that waits has to be seen.
RAIL_SECONDS = 8


def pass_on_the_last(receiver: EventReceiver) -> None:
    """What the rail says to an address outside reaches the service."""
    event = wait_until(lambda: receiver.received and receiver.received[-1])
    body = jsontext.dumps(event.body)
    sent = Client().post("/callbacks/payin/wompi-main", body, content_type="application/json")
    assert sent.status_code == 200


def test_payer_waits_for_the_page_of_the_bank_approves_and_sees_the_receipt(
    phone: Page, order: Order
) -> None:
    with (
        wompi(url_delay_seconds=RAIL_SECONDS, pse_resolution="payer") as fake,
        EventReceiver() as receiver,
    ):
        route("payin", "wompi-main", method="PSE")
        fake.control.set(events_url=receiver.url)
        choose_bank_and_pay(phone, order)
        title = phone.get_by_role("heading", level=1)
        expect(title).to_have_text("Opening your bank's page")
        picture(phone, "wompi-prepares")

        phone.wait_for_url(f"{fake.url}/bank/*")
        assert Charge.objects.get().provider == "wompi-main"
        approve_at_the_bank(phone, order)
        pass_on_the_last(receiver)
        hurry(phone)
        expect(title).to_have_text("Payment received")
        # The event has no CUS: the rail is asked for it.
        reconciliation.reconcile_due(now=clock.now())
        phone.reload()
        expect(phone.get_by_role("main")).to_contain_text("Trace code (CUS)")
        picture(phone, "wompi-receipt")
        assert fake.control.complaints() == []


def test_payer_waits_for_the_code_of_bancolombia_and_sees_the_receipt(
    phone: Page, order: Order
) -> None:
    """The picture of the code is shown under the page's own content security policy."""
    with (
        wompi(url_delay_seconds=RAIL_SECONDS, qr_resolution="payer") as fake,
        EventReceiver() as receiver,
    ):
        route("payin", "wompi-main", method="wompi_bancolombia_qr")
        route("payin", "wompi-main", method="PSE")
        fake.control.set(events_url=receiver.url)
        phone.goto(f"{order.collect_url}/with/wompi_bancolombia_qr?lang=en")
        accept_and_pay(phone)
        title = phone.get_by_role("heading", level=1)
        expect(title).to_have_text("Your code is being prepared")

        expect(title).to_have_text("Pay with the QR code")
        code = phone.get_by_role("img", name="QR code of the payment")
        expect(code).to_be_visible()
        expect(code).to_have_js_property("complete", True)
        expect(code).not_to_have_js_property("naturalWidth", 0)
        expect(phone.get_by_role("link", name="Pay another way")).to_be_visible()
        picture(phone, "wompi-qr")
        with phone.expect_download() as download:
            phone.get_by_role("button", name="Save the code").click()
        assert download.value.path().read_bytes().startswith(b"\x89PNG")

        charge = Charge.objects.get()
        fake.control.call("POST", f"transactions/{charge.pk}", {"status": "APPROVED"})
        pass_on_the_last(receiver)
        hurry(phone)
        expect(title).to_have_text("Payment received")
        assert fake.control.complaints() == []
