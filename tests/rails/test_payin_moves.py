"""A charge is at one account at a time, whatever calls and messages cross on the way."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client

from payments.collect.models import Charge, UnmatchedFunds
from payments.collect.services.charges import (
    charge_creation,
    charge_initiation,
    reconciliation,
    start_calls,
)
from payments.collect.services.errors import ProviderUnavailable
from payments.core import clock, jsontext
from payments.rails.services import health
from tests.collect.test_unmatched import give_back
from tests.ledger.books import total
from tests.rails.accounts import route, two_wompis, wompi
from tests.rails.event_receiver import EventReceiver
from tests.rails.http_calls import wait_until
from tests.rails.terms import WOMPI_TERMS
from tests.rails.test_payin_accounts import start, tell_event, unreachable
from tests.support.charges import books_are_clean, create, status_of

pytestmark = pytest.mark.django_db
CALLS = "POST /v1/transactions"


@pytest.fixture(autouse=True)
def _short_wait(monkeypatch):
    monkeypatch.setattr(start_calls, "WAIT_SECONDS", 0.0)


@pytest.fixture
def rails():
    with two_wompis() as both:
        yield both


def committed(order, now=None):
    """A charge whose first call is under way."""
    customer = charge_creation.payer_of(order)
    choice = charge_creation.PaymentChoice(
        method="PSE",
        payer=replace(customer, phone="3105551234"),
        fields={"bankCode": "1", "personType": "NATURAL"},
        return_url=order.return_url,
        accepted=WOMPI_TERMS,
    )
    return charge_creation._commit_intent(order.pk, choice, "aaa", now or clock.now())[0]


def test_second_click_does_not_call_while_the_first_call_is_under_way(api, rails):
    order = create(api)
    charge = committed(order)
    with pytest.raises(ProviderUnavailable):
        start(order)
    assert start_calls.move(charge, "bbb", clock.now())
    with pytest.raises(ProviderUnavailable):
        start(order)
    assert CALLS not in rails[0].control.state()["requests"]
    assert CALLS not in rails[1].control.state()["requests"]
    charge = charge_initiation._start_anywhere(
        charge, charge_initiation.RequestClock(clock.now()), is_first=True
    )
    assert (charge.provider, charge.status) == ("bbb", "PENDING")


def test_call_that_another_has_followed_moves_and_ends_nothing(api, rails):
    order = create(api)
    begun = clock.now() - timedelta(minutes=1)
    late = committed(order, begun)
    again = start_calls.claim_repetition(Charge.objects.get(), clock.now())
    assert again.last_started_at > begun
    assert not start_calls.move(late, "bbb", clock.now())
    charge_initiation._record_not_started(late, "ABANDONED", "", clock.now())
    assert Charge.objects.get().status == "STARTING"


def test_answer_of_another_account_than_the_charges_is_not_recorded(api, rails):
    order = create(api)
    late = committed(order, clock.now() - timedelta(minutes=1))
    Charge.objects.update(provider="bbb")
    charge = charge_initiation._start_anywhere(
        late, charge_initiation.RequestClock(clock.now()), is_first=True
    )
    assert CALLS in str(rails[0].control.state()["requests"])
    assert (charge.provider, charge.status, charge.provider_id) == ("bbb", "STARTING", "")
    assert charge.reconcile_at <= clock.now()


def test_click_after_a_doubtful_call_repeats_it_at_the_same_account(api, rails):
    rails[0].control.fault(CALLS, "lose_answer")
    order = create(api)
    with pytest.raises(ProviderUnavailable):
        start(order)
    charge = start(order)
    assert (charge.provider, charge.status) == ("aaa", "PENDING")


def test_money_at_another_account_than_the_charges_waits_for_an_operator(api, rails):
    order = create(api, amount=50000)
    with EventReceiver() as receiver:
        rails[0].control.set(events_url=receiver.url)
        charge = start(order)
        Charge.objects.update(provider="bbb")
        rails[0].control.call("POST", f"transactions/{charge.pk}", {"status": "APPROVED"})
        assert tell_event(receiver, "aaa").status_code == 200
        assert tell_event(receiver, "aaa").status_code == 200
    funds = UnmatchedFunds.objects.get()
    assert (funds.charge, funds.amount, funds.reason) == (charge, charge.amount, "ACCOUNT")
    assert status_of(order) != "COMPLETED"
    counted = health.callbacks(["aaa"], [health.ELSEWHERE])
    assert counted["aaa", health.ELSEWHERE] == 2
    assert total("clearing:aaa:COPM") == -charge.amount
    assert books_are_clean()


def test_first_account_that_lied_about_the_start_brings_unmatched_funds(api, rails):
    """It answers that it took no request, and has the charge: both accounts are paid."""
    first, second = rails
    first.control.fault(CALLS, "too_many", executes=True)
    order = create(api, amount=50000)
    with EventReceiver() as receiver:
        first.control.set(events_url=receiver.url)
        charge = start(order)
        assert (charge.provider, charge.status) == ("bbb", "PENDING")
        first.control.call("POST", f"transactions/{charge.pk}", {"status": "APPROVED"})
        assert tell_event(receiver, "aaa").status_code == 200
    assert status_of(order) != "COMPLETED"
    second.control.call("POST", f"transactions/{charge.pk}", {"status": "APPROVED"})
    reconciliation.query_provider(charge=Charge.objects.get(), now=clock.now())
    assert status_of(order) == "COMPLETED"
    funds = UnmatchedFunds.objects.get()
    assert (funds.charge, funds.amount, funds.reason) == (charge, charge.amount, "ACCOUNT")
    assert total("clearing:aaa:COPM") == total("clearing:bbb:COPM") == -charge.amount
    give_back(funds)
    assert (total("clearing:aaa:COPM"), total("clearing:bbb:COPM")) == (0, -charge.amount)
    assert books_are_clean()


def test_money_at_another_account_is_found_before_the_rail_lists_it(api, rails):
    """The rail repeats no event that we have accepted, so that the money would be lost to sight."""
    first, _second = rails
    first.control.fault(CALLS, "too_many", executes=True)
    first.control.set(search_lag_seconds=60)
    order = create(api, amount=50000)
    with EventReceiver() as receiver:
        first.control.set(events_url=receiver.url)
        charge = start(order)
        assert (charge.provider, charge.status) == ("bbb", "PENDING")
        first.control.call("POST", f"transactions/{charge.pk}", {"status": "APPROVED"})
        assert tell_event(receiver, "aaa").status_code == 200
    funds = UnmatchedFunds.objects.get()
    assert (funds.charge, funds.amount, funds.reason) == (charge, charge.amount, "ACCOUNT")
    assert books_are_clean()


def test_forged_reference_brings_no_unmatched_funds(api, rails):
    """The reference in a genuine event of one account is changed to a charge of the other."""
    first, _second = rails
    with EventReceiver() as receiver:
        first.control.set(events_url=receiver.url)
        mine = start(create(api))
        first.control.call("POST", f"transactions/{mine.pk}", {"status": "APPROVED"})
        event = wait_until(lambda: receiver.received and receiver.received[-1])
    other = start(create(api, reference="OTHER-1"))
    Charge.objects.filter(pk=other.pk).update(provider="bbb")
    event.body["data"]["transaction"]["reference"] = other.pk
    first.control.call("POST", "outage", {"seconds": None})
    assert post(event) == 503  # the rail repeats it until it can be asked
    first.control.call("POST", "outage", {"seconds": 0})
    assert post(event) == 200
    assert not UnmatchedFunds.objects.exists()
    assert Charge.objects.get(pk=other.pk).received == 0
    assert health.callbacks(["aaa"], [health.ELSEWHERE])["aaa", health.ELSEWHERE] == 0


def post(event):
    body = jsontext.dumps(event.body)
    return Client().post("/callbacks/payin/aaa", body, content_type="application/json").status_code


def test_reconciliation_leaves_a_start_that_moved_just_now(api, rails):
    """26 seconds after the click, 15 after the first account was given up."""
    clicked = clock.now()
    charge = committed(create(api), clicked)
    assert start_calls.move(charge, "bbb", clicked + timedelta(seconds=11))
    charge = Charge.objects.get()
    reconciliation.query_provider(charge=charge, now=clicked + timedelta(seconds=26))
    assert Charge.objects.get().status == "STARTING"
    reconciliation.query_provider(charge=charge, now=clicked + timedelta(seconds=37))
    assert Charge.objects.get().status == "ABANDONED"


def test_answer_about_the_account_before_a_move_abandons_nothing(api, rails):
    clicked = clock.now()
    charge = committed(create(api), clicked)
    queried = Charge.objects.get()
    start_calls.move(charge, "bbb", clicked + timedelta(seconds=30))
    reconciliation.query_provider(charge=queried, now=clicked + timedelta(seconds=31))
    assert Charge.objects.get().status == "STARTING"


def test_charge_moves_when_no_other_call_has_begun(api):
    with wompi("bbb"):
        unreachable("aaa")
        route("payin", "aaa", priority=1)
        route("payin", "bbb", priority=2)
        charge = start(create(api))
    assert (charge.provider, charge.status) == ("bbb", "PENDING")


def test_bank_of_one_provider_is_not_sent_to_another(api, settings):
    settings.PAYIN_PROVIDER = "simulator"
    unreachable("aaa")
    route("payin", "aaa", priority=1)
    route("payin", "simulator", priority=2)
    with pytest.raises(ProviderUnavailable):
        start(create(api), account="aaa")
    charge = Charge.objects.get()
    assert (charge.provider, charge.status) == ("aaa", "ABANDONED")
