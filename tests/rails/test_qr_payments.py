"""A payer scans a code of the rail: on our page, and from a shop by the Direct API."""

import re
from datetime import timedelta

import pytest
import time_machine

from payments.collect.checkout import screen_details
from payments.collect.models import Charge
from payments.collect.services.charges import reconciliation
from payments.core import clock
from payments.providers.qr_images import PREFIX
from tests.collect.test_pages.conftest import Payer
from tests.rails.accounts import route, wompi
from tests.rails.event_receiver import EventReceiver
from tests.rails.http_calls import wait_until
from tests.rails.terms import accepted
from tests.rails.test_payin_accounts import tell_event
from tests.support.charges import create, status_of

pytestmark = pytest.mark.django_db
METHOD = "wompi_bancolombia_qr"
FORM = f"/with/{METHOD}"
PICTURE = re.compile(r'<img class="qr[a-z ]*" src="([^"]*)"')


@pytest.fixture(autouse=True)
def _english(settings):
    settings.LANGUAGE_CODE = "en"


@pytest.fixture
def rail():
    with wompi(qr_resolution="payer") as fake:
        route("payin", "wompi-main")
        yield fake


@pytest.fixture
def order(api):
    return create(api, amount=50000)


def scanning(payer):
    """The page as soon as it has the code."""
    payer.choose(FORM, accepted(payer, FORM, {}))
    return wait_until(lambda: PICTURE.search(page := payer.see("/go", follow=True)) and page)


def test_payer_scans_the_code_and_the_event_completes_the_order(rail, order):
    payer = Payer(order)
    assert "scan it with the app of your bank" in payer.see()
    with EventReceiver() as receiver:
        rail.control.set(events_url=receiver.url)
        page = scanning(payer)
        charge = Charge.objects.get()
        assert (charge.flow, charge.method, charge.status) == ("QR", "BANK_TRANSFER", "PENDING")
        assert status_of(order) == "WAITING_TRANSFER"
        assert PICTURE.search(page)[1] == charge.qr_image
        assert charge.qr_image.startswith(PREFIX)
        assert "Pay with the QR code" in page
        assert "$ 50,025 COP" in page
        assert "Valid " in page
        assert PICTURE.search(payer.choose(FORM, accepted(payer, FORM, {})))[1] == charge.qr_image
        rail.control.call("POST", f"transactions/{charge.pk}", {"status": "APPROVED"})
        assert tell_event(receiver, "wompi-main").status_code == 200
    assert status_of(order) == "COMPLETED"
    assert "Bancolombia QR" in payer.see()
    assert Charge.objects.count() == 1


def test_page_waits_for_a_late_code_and_asks_the_rail_again(rail, order):
    rail.control.set(url_delay_seconds=None)
    payer = Payer(order)
    page = payer.choose(FORM, accepted(payer, FORM, {}))
    assert "Your code is being prepared" in page
    assert "Your code is being prepared" in payer.see()
    assert payer.get(f"{payer.url}/go").headers["Refresh"] == "1"
    # The ways out wait in the browser, unless the payer has waited already.
    assert 'class="slow when-slow"' in page
    Charge.objects.update(created_at=clock.now() - screen_details.SLOW_AFTER)
    assert 'class="slow"' in payer.see("/go")
    assert 'class="slow"' in payer.see()
    charge = Charge.objects.get()
    assert charge.reconcile_at < clock.now() + timedelta(seconds=2)


def test_background_brings_the_code_without_the_payers_page(rail, order):
    payer = Payer(order)
    payer.choose(FORM, accepted(payer, FORM, {}))
    charge = Charge.objects.get()
    wait_until(
        lambda: (
            reconciliation.query_provider(charge=charge, now=clock.now())
            and not Charge.objects.get().is_code_missing
        )
    )
    assert PICTURE.search(payer.see())


@pytest.mark.parametrize("has_code", [True, False])
def test_code_whose_time_is_over_is_not_shown(rail, order, has_code):
    payer = Payer(order)
    scanning(payer)
    changes = {} if has_code else {"qr_image": ""}
    Charge.objects.update(expires_at=clock.now(), **changes)
    page = payer.see()
    assert "The code has expired" in page
    assert not PICTURE.search(page)
    assert f"{payer.url}/methods" in page


def test_code_as_text_is_drawn_by_our_page(rail, order):
    payer = Payer(order)
    scanning(payer)
    Charge.objects.update(qr_image="", qr_text="0002010102122654")
    assert PICTURE.search(payer.see())[1].startswith("data:image/svg+xml;charset")


def test_refused_code_fails_the_order(rail, order):
    payer = Payer(order)
    scanning(payer)
    charge = Charge.objects.get()
    rail.control.call("POST", f"transactions/{charge.pk}", {"status": "DECLINED"})
    assert reconciliation.query_provider(charge=charge, now=clock.now())
    assert status_of(order) == "FAILED"


def test_order_whose_code_was_not_paid_expires(rail, order):
    payer = Payer(order)
    scanning(payer)
    with time_machine.travel(order.expires_at + timedelta(seconds=1)):
        assert not PICTURE.search(payer.see())


def pay(api, order, **changes):
    body = {"method": METHOD, "acceptedTerms": True, **changes}
    return api.post(f"/collect/{order.pk}/pay", body).body["data"]


def test_shop_sends_the_payer_to_our_page_with_the_code(rail, order, api):
    """The contract has no flow for a code, so it is a redirect like others."""
    methods = {one["method"]: one for one in api.get(f"/collect/{order.pk}/methods").body["data"]}
    assert methods[METHOD]["uiType"] == "webview"
    data = pay(api, order)
    assert (data["flow"], data["paymentUrl"]) == ("redirect", order.collect_url)
    assert {"keyValue", "expiresAt"}.isdisjoint(data)
    payer = Payer(order)
    assert wait_until(lambda: PICTURE.search(payer.see("/go", follow=True)))


@pytest.mark.parametrize(("status", "seen"), [("APPROVED", "COMPLETED"), ("DECLINED", "FAILED")])
def test_page_with_the_code_leads_back_to_the_shop(rail, order, api, status, seen):
    pay(api, order, returnUrl="https://tienda.example/gracias?pedido=1")
    charge = Charge.objects.get()
    rail.control.call("POST", f"transactions/{charge.pk}", {"status": status})
    assert reconciliation.query_provider(charge=charge, now=clock.now())
    assert status_of(order) == seen
    assert 'href="https://tienda.example/gracias?pedido=1"' in Payer(order).see()
