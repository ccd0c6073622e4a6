"""A rail on which one payment takes two calls: no crash and no crossing call pays it twice."""

import threading
from datetime import timedelta

import pytest
from django.db import connections

from payments.collect.models import Charge
from payments.collect.services.charges import charge_creation, reconciliation, start_calls
from payments.collect.services.charges.charge_initiation import start_at_provider
from payments.collect.services.errors import ProviderUnavailable
from payments.core import clock
from payments.payout.models import Payout
from payments.payout.services.engine import engine
from payments.providers.ports import Rail
from tests.rails.accounts import route
from tests.rails.ferry_accounts import connect
from tests.support.charges import books_are_clean, create, status_of
from tests.support.factories import key_payout_body
from tests.support.funds import fund

pytestmark = pytest.mark.django_db(transaction=True)
LATER = timedelta(minutes=10)


@pytest.fixture(autouse=True)
def _short_wait(monkeypatch):
    monkeypatch.setattr(start_calls, "WAIT_SECONDS", 0.0)


@pytest.fixture
def ferry(monkeypatch, settings, catalogues):
    (server,) = connect(monkeypatch, settings, "ferry-one")
    route("payin", "ferry-one")
    route("payout", "ferry-one")
    return server


def start(order, now=None):
    choice = charge_creation.PaymentChoice(
        method=Rail.BANK_TRANSFER,
        payer=charge_creation.payer_of(order),
        fields={},
        return_url=order.return_url,
    )
    return charge_creation.start_charge(order=order, choice=choice, now=now or clock.now())


def age_call():
    """The call that is under way began long ago."""
    charge = Charge.objects.get()
    Charge.objects.update(last_started_at=charge.last_started_at - LATER)


def in_thread(act):
    """`join` returns what it returned or raised."""
    found = []

    def run():
        try:
            found.append(act())
        except Exception as error:
            found.append(error)
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()

    def join():
        thread.join(60)
        return found[0]

    return join


def test_click_after_a_crash_between_the_calls_uses_the_same_ticket(api, ferry):
    order = create(api)
    with ferry.dying_between_calls():
        start(order)
    charge = Charge.objects.get()
    assert (charge.status, charge.provider_state) == ("STARTING", {"ticket": "ticket-1"})
    with pytest.raises(ProviderUnavailable):
        start(order)  # the call may be under way
    age_call()
    again = start(order)
    assert (again.pk, again.status) == (charge.pk, "PENDING")
    assert (list(ferry.tickets), list(ferry.payments)) == (["ticket-1"], ["ticket-1"])
    assert again.instructions["reference"] == charge.wire_reference


def test_reconciliation_repeats_a_start_whose_answer_was_lost(api, ferry):
    order = create(api)
    with ferry.losing_answers(), pytest.raises(ProviderUnavailable):
        start(order)
    reconciliation.reconcile_due(now=clock.now() + LATER)
    charge = Charge.objects.get()
    assert (charge.status, charge.provider_id) == ("PENDING", "f-1")
    assert (list(ferry.tickets), list(ferry.payments)) == (["ticket-1"], ["ticket-1"])
    ferry.pay(charge.wire_reference)
    reconciliation.query_provider(charge=charge, now=clock.now())
    assert status_of(order) == "COMPLETED"
    assert books_are_clean()


def test_reconciliation_after_a_crash_between_the_calls_leaves_nothing_to_pay_twice(api, ferry):
    order = create(api)
    with ferry.dying_between_calls():
        start(order)
    reconciliation.reconcile_due(now=clock.now() + LATER)
    assert Charge.objects.get().status == "ABANDONED"  # no payment was made of the ticket
    again = start(order)
    assert list(ferry.payments) == ["ticket-2"]
    assert again.status == "PENDING"
    assert again.wire_reference != Charge.objects.get(status="ABANDONED").wire_reference


def test_click_and_reconciliation_at_once_make_one_payment(api, ferry):
    order = create(api)
    with ferry.losing_answers(), pytest.raises(ProviderUnavailable):
        start(order)
    age_call()
    charge = Charge.objects.select_related("order").get()
    with ferry.holding("board") as arrived:
        click = in_thread(lambda: start(order))
        assert arrived.wait(30)
        reconciliation.query_provider(charge=charge, now=clock.now())
        assert Charge.objects.get().status == "STARTING"  # it did not call, too
    assert click().status == "PENDING"
    assert (list(ferry.tickets), list(ferry.payments)) == (["ticket-1"], ["ticket-1"])


def test_call_that_was_overtaken_saves_nothing_and_calls_no_more(api, ferry):
    """It hangs between its ticket and `save`, until another click has paid the fare."""
    order = create(api)
    with ferry.holding("ticket") as arrived:
        late = in_thread(lambda: start(order))
        assert arrived.wait(30)
        age_call()
        assert start(order).status == "PENDING"
    assert isinstance(late(), ProviderUnavailable)
    charge = Charge.objects.get()
    assert charge.provider_state == {"ticket": "ticket-2"}
    assert ferry.asked == ["ticket-2"]


def test_overtaken_call_that_has_saved_makes_the_same_payment(api, ferry):
    order = create(api)
    with ferry.holding("board") as arrived:
        late = in_thread(lambda: start(order))
        assert arrived.wait(30)
        age_call()
        assert start(order).status == "PENDING"
    assert late().pk == Charge.objects.get().pk
    assert ferry.asked == ["ticket-1", "ticket-1"]
    assert list(ferry.payments) == ["ticket-1"]


def test_call_whose_charge_moved_saves_nothing(api, ferry, monkeypatch, settings):
    (other,) = connect(monkeypatch, settings, "ferry-two")
    order = create(api)
    with ferry.dying_between_calls():
        start(order)
    late, moving = (Charge.objects.select_related("order").get() for _ in range(2))
    late.provider_state = {}  # as when its call began
    assert start_calls.move(moving, "ferry-two", clock.now())
    with pytest.raises(ProviderUnavailable):
        repeat_first_call(late)
    charge = Charge.objects.get()
    assert (charge.provider, charge.provider_state) == ("ferry-two", {})
    assert not ferry.payments
    assert not other.tickets


def repeat_first_call(charge):
    """The first call of the charge, from before the move."""
    return start_at_provider(charge=charge, now=clock.now(), is_first=True)


def test_payout_goes_on_with_the_same_ticket_after_a_crash(api, merchant, ferry):
    payout = new_payout(api, merchant)
    with ferry.dying_between_calls():
        engine.process_due(now=clock.now())
    payout.refresh_from_db()
    assert (payout.status, payout.provider_state) == ("PROCESSING", {"ticket": "ticket-1"})
    engine.process_due(now=clock.now() + LATER)
    assert list(ferry.payments) == ["ticket-1"]
    assert ferry.made_for(payout.wire_reference) == 1
    ferry.complete("payout", payout.wire_reference)
    engine.process_due(now=clock.now() + 2 * LATER)
    payout.refresh_from_db()
    assert (payout.status, list(ferry.tickets)) == ("COMPLETED", ["ticket-1"])
    assert books_are_clean()


def test_payout_that_was_overtaken_saves_nothing_and_calls_no_more(api, merchant, ferry):
    payout = new_payout(api, merchant)
    with ferry.holding("ticket") as arrived:
        late = in_thread(lambda: engine.process_due(now=clock.now()))
        assert arrived.wait(30)
        engine.process_due(now=clock.now() + LATER)
        assert list(ferry.payments) == ["ticket-2"]
    assert not isinstance(late(), Exception)
    payout.refresh_from_db()
    assert (payout.status, payout.provider_state) == ("PROCESSING", {"ticket": "ticket-2"})
    assert ferry.asked == ["ticket-2"]


def new_payout(api, merchant):
    fund(merchant, 100_000_000)
    answer = api.post("/payout", key_payout_body(), headers={"Idempotency-Key": "one"})
    assert answer.status_code == 201, answer.content
    return Payout.objects.get()
