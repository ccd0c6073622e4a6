"""Refunds of PSE payments: the rail returns nothing, so the payer names an account."""

import re

import pytest
from django.test import Client

from payments.collect.models import Charge, Refund
from payments.collect.services.charges import charge_updates
from payments.collect.services.refunds.refund_approvals import approve
from payments.collect.services.refunds.refund_engine import engine
from payments.core import clock, jsontext
from payments.ledger import services as ledger
from payments.providers import registry
from payments.providers.ports import Known
from tests.collect.test_pages.conftest import PERSON, Payer
from tests.ledger.books import total
from tests.rails.accounts import route, wompi, wompi_payouts
from tests.rails.event_receiver import EventReceiver
from tests.rails.http_calls import wait_until
from tests.rails.terms import accepted
from tests.support.charges import create

pytestmark = pytest.mark.django_db
ACCOUNT = "wompi-payouts-main"
DESTINATION = {
    "network": "BANK",
    "account_type": "SAVINGS",
    "account_number": "12345678901",
    "recipient_name": "María Ñáñez",
    "document_type": "CC",
    "document_number": "1.020.304.050",
    "consent": "on",
}


@pytest.fixture
def paid(api):
    """An order that was paid over Wompi, with the fake of its payouts."""
    with wompi(), wompi_payouts(settle_seconds=None) as payouts, EventReceiver() as receiver:
        payouts.control.set(events_url=receiver.url, events_left_out=["payout.updated"])
        payouts.receiver = receiver
        route("payin", "wompi-main")
        route("payout", ACCOUNT)
        order = create(api, amount=50000)
        payer = Payer(order)
        payer.choose("/pse", accepted(payer, "/pse", {**PERSON, "bank": "1"}))
        charge = Charge.objects.get()

        def completed():
            update = registry.PAYIN.get("wompi-main").query(Known(reference=charge.pk))
            charge_updates.apply_charge_update(
                provider="wompi-main", update=update, now=clock.now()
            )
            order.refresh_from_db()
            return order.status == "COMPLETED"

        wait_until(completed)
        yield order, payouts


def ask(api, order, amount=20000):
    answer = api.post(
        f"/collect/{order.pk}/refunds",
        {"amount": amount, "reason": "one cup was broken"},
        headers={"Idempotency-Key": "refund-1"},
    )
    assert answer.status_code == 201, answer.content
    return answer.body["data"]


def path_of(data):
    return re.sub(r"^https?://[^/]+", "", data["destinationUrl"])


def give(order, path, **changes):
    """The payer gives the destination, and confirms the account that is repeated to them."""
    payer = Payer(order)
    page = payer.get(path).content.decode()
    form = {"csrfmiddlewaretoken": payer.cookies["csrftoken"].value, **DESTINATION, **changes}
    if "bank_code" not in form:
        form["bank_code"] = re.search(r'<option value="([0-9a-f-]{36})">BANCOLOMBIA', page).group(1)
    answer = payer.post(path, form)
    if compared := re.search(r'name="compared" value="(\w+)"', answer.content.decode()):
        answer = payer.post(path, {**form, "compared": compared.group(1)})
    return answer


def approve_it():
    approve(refund=Refund.objects.get(), actor="olga", reason="fine", now=clock.now())


def end(payouts, refund, status):
    reference = refund.provider_reference.replace("_", "-")
    payouts.control.call("POST", f"transactions/{reference}", {"status": status})
    event = wait_until(lambda: payouts.receiver.received and payouts.receiver.received[-1])
    answer = Client().post(
        f"/callbacks/payout/{ACCOUNT}",
        jsontext.dumps(event.body),
        content_type="application/json",
    )
    assert answer.status_code == 200
    engine.process_due(now=clock.now())
    refund.refresh_from_db()


def test_payer_names_an_account_and_gets_the_money(api, merchant, paid):
    order, payouts = paid
    data = ask(api, order)
    assert give(order, path_of(data)).status_code == 303
    engine.process_due(now=clock.now())
    assert Refund.objects.get().status == "PENDING"
    approve_it()
    engine.process_due(now=clock.now())
    refund = Refund.objects.get()
    assert (refund.status, refund.provider) == ("PROCESSING", ACCOUNT)
    assert refund.destination["document_number"] == "1020304050"
    end(payouts, refund, "APPROVED")
    assert refund.status == "COMPLETED"
    paid_out = payouts.control.state()["paid_in_cents"]
    assert list(paid_out.values()) == [2_000_000]
    assert ledger.balances(merchant.pk)["COPM"]["available"] == 30000
    took, paid_back = total("clearing:wompi-main:COPM"), total(f"clearing:{ACCOUNT}:COPM")
    assert (took, paid_back) == (-order.amount, 20000), "each account has its own"
    read = api.get(f"/collect/{order.pk}/refunds/{refund.pk}").body["data"]
    assert (read["status"], read["destinationUrl"]) == ("COMPLETED", None)


def test_refund_to_a_closed_account_gives_the_merchant_the_money_back(api, merchant, paid):
    order, payouts = paid
    give(order, path_of(ask(api, order)))
    approve_it()
    engine.process_due(now=clock.now())
    refund = Refund.objects.get()
    end(payouts, refund, "FAILED")
    assert (refund.status, refund.failure_reason) == ("FAILED", "ACCOUNT_CLOSED")
    assert ledger.balances(merchant.pk)["COPM"]["available"] == 50000


def test_account_is_named_once(api, paid):
    order, _ = paid
    path = path_of(ask(api, order))
    give(order, path)
    page = Payer(order).get(path).content.decode()
    assert "<form" not in page
    first = Refund.objects.get().destination
    payer = Payer(order)
    payer.see("")
    Client().post(path, {**DESTINATION, "account_number": "99999999999"})
    assert Refund.objects.get().destination == first


@pytest.mark.parametrize(
    "changes",
    [
        {"account_number": "12"},
        {"account_number": ""},
        {"bank_code": "nothing"},
        {"network": ""},
        {"network": "BREB", "key_type": "PHONE", "key_value": "12"},
        {"network": "BREB", "key_type": "EMAIL", "key_value": ""},
        {"recipient_name": ""},
    ],
)
def test_incomplete_account_is_refused_with_the_form(api, paid, changes):
    order, _ = paid
    answer = give(order, path_of(ask(api, order)), **changes)
    assert answer.status_code == 200
    assert "<form" in answer.content.decode()
    assert Refund.objects.get().needs_destination


def test_link_of_another_refund_or_a_changed_one_is_not_found(api, paid):
    order, _ = paid
    path = path_of(ask(api, order))
    for wrong in (
        path[:-1],
        path + "x",
        path.replace("ref_", "ref_0"),
        f"/pay/{order.token}/refund/x",
    ):
        assert Client().get(wrong).status_code == 404
