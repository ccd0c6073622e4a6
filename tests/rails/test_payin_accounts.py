"""Orders that are paid over provider accounts: routes, the late page of the bank, failover."""

import re
from dataclasses import replace

import pytest
from django.test import Client

from payments.collect.models import Charge, Order
from payments.collect.services.charges import charge_creation, reconciliation
from payments.collect.services.errors import MethodNotAvailable, ProviderUnavailable
from payments.core import clock, jsontext
from payments.ledger import services as ledger
from payments.rails.models import ProviderAccount
from payments.rails.services import accounts
from tests.collect.test_pages.conftest import PERSON, Payer
from tests.rails.accounts import WOMPI_CREDENTIALS, enter, route, wompi
from tests.rails.event_receiver import EventReceiver
from tests.rails.http_calls import wait_until
from tests.rails.terms import WOMPI_TERMS, accepted
from tests.support.charges import create

pytestmark = pytest.mark.django_db
ADULT = {**PERSON, "bank": "1"}


@pytest.fixture(autouse=True)
def _language(settings):
    settings.LANGUAGE_CODE = "es"


def start(order, method="PSE", bank="1", account=""):
    customer = charge_creation.payer_of(order)
    return charge_creation.start_charge(
        order=order,
        choice=charge_creation.PaymentChoice(
            method=method,
            payer=replace(customer, phone="3105551234"),
            fields={"bankCode": bank, "personType": "NATURAL"},
            return_url=order.return_url,
            accepted=WOMPI_TERMS,
            account=account,
        ),
        now=clock.now(),
    )


def unreachable(slug):
    """An account whose rail refuses connections."""
    return enter(slug, "wompi", "http://127.0.0.1:9/v1", WOMPI_CREDENTIALS)


def tell_event(receiver, slug):
    event = wait_until(lambda: receiver.received and receiver.received[-1])
    return Client().post(
        f"/callbacks/payin/{slug}",
        jsontext.dumps(event.body),
        content_type="application/json",
    )


def test_payer_waits_for_the_page_of_the_bank_and_pays(api, merchant):
    order = create(api, amount=50000)
    with wompi(url_delay_seconds=None) as fake, EventReceiver() as receiver:
        route("payin", "wompi-main")
        fake.control.set(events_url=receiver.url)
        payer = Payer(order)
        page = payer.choose("/pse", accepted(payer, "/pse", ADULT))
        assert "Abriendo la página de tu banco" in page
        assert payer.get(f"{payer.url}/go").headers["Refresh"] == "1"
        fake.control.set(url_delay_seconds=0)
        charge = Charge.objects.get()
        assert charge.provider == "wompi-main"
        assert charge.redirect_url == ""
        fake.control.call("POST", f"transactions/{charge.pk}", {"status": "APPROVED"})
        assert tell_event(receiver, "wompi-main").status_code == 200
    assert api.get(f"/collect/{order.pk}").body["data"]["status"] == "COMPLETED"
    assert ledger.balances(merchant.pk)["COPM"]["available"] == 50000


def test_page_of_the_bank_is_shown_as_soon_as_the_rail_has_it(api):
    order = create(api)
    with wompi(pse_resolution="payer"):
        route("payin", "wompi-main")
        payer = Payer(order)
        payer.choose("/pse", accepted(payer, "/pse", ADULT))
        page = wait_until(
            lambda: (found := Payer(order).see("/go")) and "0;url=" in found and found
        )
    assert re.search(r'content="0;url=http://127\.0\.0\.1:\d+/', page)


def test_background_finds_the_end_when_no_event_comes(api):
    order = create(api)
    with wompi():
        route("payin", "wompi-main")
        charge = start(order)
        wait_until(
            lambda: reconciliation.query_provider(charge=charge, now=clock.now()) and paid(order)
        )


def paid(order):
    return Order.objects.get(pk=order.pk).status == "COMPLETED"


def test_account_that_refuses_connections_loses_no_sale(api):
    with wompi("wompi-second"):
        unreachable("wompi-first")
        route("payin", "wompi-first", priority=1)
        route("payin", "wompi-second", priority=2)
        charge = start(create(api))
    assert (charge.provider, charge.status) == ("wompi-second", "PENDING")


def test_account_that_is_in_doubt_keeps_the_charge(api):
    """The other account must not take it as well: it could be paid twice."""
    with wompi("wompi-first") as first, wompi("wompi-second") as second:
        route("payin", "wompi-first", priority=1)
        route("payin", "wompi-second", priority=2)
        first.control.fault("POST /v1/transactions", "lose_answer")
        with pytest.raises(ProviderUnavailable):
            start(create(api))
        charge = Charge.objects.get()
        assert (charge.provider, charge.status) == ("wompi-first", "STARTING")
        assert "POST /v1/transactions" not in second.control.state()["requests"]
        assert reconciliation.query_provider(charge=charge, now=clock.now())
        charge.refresh_from_db()
        assert charge.status != "STARTING"


def test_method_that_no_account_carries_is_not_offered(api):
    order = create(api)
    with wompi():
        route("payin", "wompi-main")
        with pytest.raises(MethodNotAvailable):
            start(order, "BANK_TRANSFER")
        page = Payer(order).see()
        assert "/transfer" not in page
        assert "/crypto" not in page


def test_account_that_is_off_takes_no_new_payment_and_keeps_its_old_ones(api):
    with wompi():
        route("payin", "wompi-main")
        charge = start(create(api))
        accounts.switch_off(slug="wompi-main", actor="olga", reason="test", now=clock.now())
        with pytest.raises(MethodNotAvailable):
            start(create(api))
        assert reconciliation.query_provider(charge=charge, now=clock.now())


def test_live_account_serves_in_no_sandbox(api):
    live = {
        "public_key": "pub_prod_1",
        "private_key": "prv_prod_1",
        "integrity_secret": "prod_integrity_1",
        "events_secret": "prod_events_1",
    }
    accounts.create_account(
        new=accounts.NewAccount(
            slug="wompi-live", provider="wompi", label="Live", mode="LIVE", credentials=live
        ),
        actor="olga",
        reason="test",
        now=clock.now(),
    )
    ProviderAccount.objects.update(status="ON", requested_by="olga", approved_by="pedro")
    route("payin", "wompi-live")
    with pytest.raises(MethodNotAvailable):
        start(create(api))
    assert charge_creation.get_open_charge(Order.objects.get()) is None


def test_genuine_event_of_another_payment_pays_only_its_own(api):
    """The rail does not sign our reference, so a thief of one event can change it."""
    with wompi(url_delay_seconds=None) as fake, EventReceiver() as receiver:
        route("payin", "wompi-main")
        fake.control.set(events_url=receiver.url)
        mine, other = start(create(api)), start(create(api, reference="OTHER-1"))
        fake.control.call("POST", f"transactions/{mine.pk}", {"status": "APPROVED"})
        event = wait_until(lambda: receiver.received and receiver.received[-1])
        body = jsontext.dumps(event.body).replace(mine.pk, other.pk)
        answer = Client().post("/callbacks/payin/wompi-main", body, content_type="application/json")
        assert answer.status_code == 200
        other.refresh_from_db()
        assert (other.status, other.received) == ("PENDING", 0)
        assert not paid(other.order)
        assert tell_event(receiver, "wompi-main").status_code == 200
        assert paid(mine.order)
