"""A payout moves to another account only after a first send that certainly did not arrive."""

import hashlib
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation

from payments.core import clock, ids, jsontext
from payments.core.models import AuditEntry
from payments.outgoing.admin.next_steps import of_outgoing
from payments.payout.models import Payout
from payments.payout.services.bank_codes import load_codes
from payments.payout.services.engine import engine
from payments.providers import breaker, ports
from payments.providers.wompi_payouts.payout import WompiPayout
from payments.rails.models import ProviderAccount
from payments.rails.services import health
from payments.rails.services.routing import circuit
from tests.rails.accounts import PAYOUTS_CREDENTIALS, route, wompi_payouts
from tests.rails.event_receiver import EventReceiver
from tests.rails.http_calls import wait_until
from tests.support.factories import payout_body
from tests.support.funds import fund

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("catalogues")]
NOWHERE = "http://127.0.0.1:9"
LATER = timedelta(minutes=5)


@pytest.fixture
def rails(api, merchant):
    """Two rails with a bank list each; `first` is tried first."""
    fund(merchant, 100_000_000)
    with wompi_payouts("first") as first, wompi_payouts("second") as second:
        for priority, account in enumerate(("first", "second"), start=1):
            route("payout", account, priority=priority)
            load_codes(account=account, actor="olga")
        yield first, second


def send(api, count=1):
    for number in range(count):
        answer = api.post("/payout", payout_body(), headers={"Idempotency-Key": f"move-{number}"})
        assert answer.status_code == 201, answer.content
    return list(Payout.objects.order_by("id"))


def refuse_connections(account):
    ProviderAccount.objects.filter(pk=account).update(base_url=NOWHERE)


def sent(fake):
    return fake.control.state()["requests"].get("POST /v1/payouts", 0)


def paid(*fakes):
    """How often each reference was paid, over all rails."""
    return [list(fake.control.state()["paid_in_cents"]) for fake in fakes]


def process(rounds=3):
    for number in range(rounds):
        engine.process_due(now=clock.now() + number * LATER)


def test_account_that_refuses_connections_loses_no_payout(api, rails):
    first, second = rails
    payouts = send(api, 20)
    Payout.objects.update(bank_code="of the first account")
    refuse_connections("first")
    process(1)
    for payout in payouts:
        payout.refresh_from_db()
        assert payout.provider == "second"
        assert payout.bank_code == payout.bank.codes["second"]
        assert payout.status in ("PROCESSING", "COMPLETED")
    process()
    assert not Payout.objects.exclude(status="COMPLETED").exists()
    references = paid(second)[0]
    assert len(references) == len(set(references)) == 20
    assert (sent(first), sent(second)) == (0, 20)


@pytest.mark.parametrize("fault", ["lose_answer", "lose_request"])
def test_account_in_doubt_keeps_the_payout(api, rails, fault):
    first, second = rails
    send(api, 5)
    first.control.fault("POST /v1/payouts", fault, times=None)
    process(1)
    assert set(Payout.objects.values_list("provider", flat=True)) == {"first"}
    # The rail is gone for good now: a repeated send is a doubt however it ends.
    refuse_connections("first")
    process()
    assert sent(second) == 0
    assert {one.provider for one in Payout.objects.all()} == {"first"}


def test_first_rail_that_reports_a_moved_payout_calls_an_operator(api, rails):
    (payout,) = send(api)
    refuse_connections("first")
    process(1)
    payout.refresh_from_db()
    assert payout.provider == "second"
    for _ in range(2):
        assert tell("first", payout.provider_reference).status_code == 200
    assert tell("first", ids.new_id("por")).status_code == 200
    process()
    payout.refresh_from_db()
    assert (payout.status, payout.needs_operator) == ("COMPLETED", True)
    assert AuditEntry.objects.filter(subject_id=payout.pk, actor="first").count() == 1


@pytest.fixture
def lying(api, rails):
    """The first rail pays, and answers that it took no request. Its events lack our reference."""
    first, _second = rails
    with EventReceiver() as receiver:
        first.control.set(events_url=receiver.url, events_left_out=["payout.updated"])
        first.control.fault("POST /v1/payouts", "too_many", executes=True)
        yield first, receiver


def moved_event(api, receiver):
    """The event of the first rail, after the payout has moved and ended."""
    (payout,) = send(api)
    process()
    payout.refresh_from_db()
    assert (payout.status, payout.provider) == ("COMPLETED", "second")
    return payout, wait_until(lambda: receiver.received and receiver.received[-1])


def post(event, account="first"):
    body = jsontext.dumps(event.body)
    return Client().post(f"/callbacks/payout/{account}", body, content_type="application/json")


def elsewhere():
    return health.callbacks(["first"], [health.ELSEWHERE])["first", health.ELSEWHERE]


def test_event_without_our_reference_of_a_moved_payout_calls_an_operator(api, lying):
    _first, receiver = lying
    payout, event = moved_event(api, receiver)
    for _ in range(2):
        assert post(event).status_code == 200
    before = payout
    payout = Payout.objects.get()
    assert (payout.status, payout.provider_id) == ("COMPLETED", before.provider_id)
    assert payout.needs_operator
    assert elsewhere() == 2
    assert AuditEntry.objects.filter(subject_id=payout.pk, actor="first").count() == 1
    with translation.override("en"):
        assert "paid twice" in str(of_outgoing(payout).why)


def test_event_of_a_moved_payout_calls_an_operator_before_the_rail_lists_it(api, lying):
    """The rail's number finds the payout at once, our reference only after a while."""
    first, receiver = lying
    first.control.set(search_lag_seconds=60)
    payout, event = moved_event(api, receiver)
    assert post(event).status_code == 200
    payout.refresh_from_db()
    assert payout.needs_operator
    assert elsewhere() == 1


def test_event_of_a_moved_payout_that_failed_there_is_no_alarm(api, lying):
    first, receiver = lying
    first.control.set(outcome="FAILED")
    payout, event = moved_event(api, receiver)
    assert post(event).status_code == 200
    payout.refresh_from_db()
    assert not payout.needs_operator
    assert elsewhere() == 0


def test_rail_that_cannot_name_the_payout_now_repeats_its_event(api, lying):
    _first, receiver = lying
    payout, event = moved_event(api, receiver)
    address = ProviderAccount.objects.get(pk="first").base_url
    refuse_connections("first")
    assert post(event).status_code == 503
    ProviderAccount.objects.filter(pk="first").update(base_url=address)
    assert post(event).status_code == 200
    payout.refresh_from_db()
    assert payout.needs_operator


def test_event_that_is_none_of_ours_asks_the_rail_once(api, lying):
    """Who repeats a genuine one cannot make us flood the rail. Its payout's id is unsigned."""
    first, receiver = lying
    payout, event = moved_event(api, receiver)
    for strange in ("payout-77", "../accounts", "x" * 65, ""):
        event.body["data"]["transaction"]["payoutId"] = strange
        for _ in range(3):
            assert post(event).status_code == 200
    payout.refresh_from_db()
    assert not payout.needs_operator
    asked = first.control.state()["requests"]
    assert {path: count for path, count in asked.items() if "/payouts/" in path} == {
        "GET /v1/payouts/payout-77": 1,
        "GET /v2/payouts/payout-77": 1,
    }


def test_event_that_comes_before_the_answer_leads_to_its_payout(api, rails):
    """The rail names a payout whose id we do not know yet."""
    first, _second = rails
    with EventReceiver() as receiver:
        first.control.set(events_url=receiver.url, events_left_out=["payout.updated"])
        (payout,) = send(api)
        process(1)
        event = wait_until(lambda: receiver.received and receiver.received[-1])
    Payout.objects.update(provider_id="", next_action_at=None)
    answer = post(event)
    assert jsontext.loads(answer.content)["data"]["reference"] == payout.provider_reference
    process(1)
    payout.refresh_from_db()
    assert (payout.status, payout.needs_operator) == ("COMPLETED", False)


def tell(account, reference):
    """The rail's own event about a batch."""
    data = {"payout": {"reference": reference.replace("_", "-"), "status": "TOTAL_PAYMENT"}}
    signed = f"TOTAL_PAYMENT1{PAYOUTS_CREDENTIALS['events_secret']}"
    checksum = hashlib.sha256(signed.encode()).hexdigest()
    signature = {"properties": ["payout.status"], "checksum": checksum}
    event = {"event": "payout.updated", "data": data, "timestamp": 1, "signature": signature}
    body = jsontext.dumps(event)
    return Client().post(f"/callbacks/payout/{account}", body, content_type="application/json")


def test_repeated_send_that_is_not_reached_stays(api, rails, monkeypatch):
    """The rail forgot nothing: the first call may have arrived after the query."""
    first, second = rails
    (payout,) = send(api)
    first.control.fault("POST /v1/payouts", "lose_request")
    process(1)
    with unreachable_sends(monkeypatch):
        engine.process_due(now=clock.now() + LATER)
    payout.refresh_from_db()
    assert (payout.provider, payout.status) == ("first", "PROCESSING")
    assert payout.last_sent_at != payout.sent_at
    assert sent(second) == 0


@contextmanager
def unreachable_sends(monkeypatch):
    def send(self, request, timeout):
        raise ports.ProviderUnreachable("refused")

    with monkeypatch.context() as patch:
        patch.setattr(WompiPayout, "send", send)
        yield


class Killed(BaseException):
    pass


@pytest.mark.parametrize("when", ["before_the_call", "after_the_call"])
def test_worker_killed_after_the_move_pays_once(api, rails, monkeypatch, when):
    _first, second = rails
    (payout,) = send(api)
    refuse_connections("first")
    real = WompiPayout.send

    def die(self, request, timeout):
        if self.code == "second":
            if when == "after_the_call":
                real(self, request, timeout)
            raise Killed
        return real(self, request, timeout)

    with monkeypatch.context() as patch:
        patch.setattr(WompiPayout, "send", die)
        with pytest.raises(Killed):
            engine.send(payment_id=payout.pk, now=clock.now())
    payout.refresh_from_db()
    assert (payout.provider, payout.status) == ("second", "PROCESSING")
    process()
    payout.refresh_from_db()
    assert (payout.provider, payout.status) == ("second", "COMPLETED")
    assert len(paid(second)[0]) == 1
    assert sent(second) == 1


def test_worker_killed_before_the_move_goes_on_with_the_first(api, rails, monkeypatch):
    first, second = rails
    (payout,) = send(api)

    def die(*_):
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(WompiPayout, "send", die)
        with pytest.raises(Killed):
            engine.send(payment_id=payout.pk, now=clock.now())
    process()
    payout.refresh_from_db()
    assert (payout.provider, payout.status) == ("first", "COMPLETED")
    assert (sent(first), sent(second)) == (1, 0)


def test_query_that_outlives_the_move_sends_nothing(api, rails, monkeypatch):
    """Its answer is about the first account."""
    _first, second = rails
    (payout,) = send(api)
    refuse_connections("first")
    engine._commit_intent(payout.pk, RequestClockAt(clock.now() - LATER))
    before = Payout.objects.get()
    moved = next(engine.product.other_accounts(before))
    engine._move(before, moved, RequestClockAt(clock.now() - LATER))
    assert engine._commit_resend(before, RequestClockAt(clock.now())) is None
    assert sent(second) == 0


class RequestClockAt:
    def __init__(self, moment):
        self.moment = moment

    def now(self):
        return self.moment


def test_payout_whose_only_account_has_an_open_circuit_waits_unsent(api, rails):
    first, second = rails
    (payout,) = send(api)
    open_circuit("first")
    open_circuit("second")
    process(1)
    payout.refresh_from_db()
    assert (payout.status, payout.sent_at) == ("PENDING", None)
    assert (sent(first), sent(second)) == (0, 0)
    for account in ("first", "second"):
        breaker.record(circuit("payout", account), ok=True)
    process()
    payout.refresh_from_db()
    assert payout.status == "COMPLETED"
    assert (sent(first), sent(second)) == (1, 0)


def test_open_circuit_sends_the_payout_to_the_other_account(api, rails):
    first, _second = rails
    (payout,) = send(api)
    open_circuit("first")
    process()
    payout.refresh_from_db()
    assert (payout.provider, payout.status) == ("second", "COMPLETED")
    assert sent(first) == 0


def test_new_payout_is_refused_while_every_circuit_is_open(api, rails):
    """The contract: 503, nothing is held, and the key is free."""
    open_circuit("first")
    open_circuit("second")
    answer = api.post("/payout", payout_body(), headers={"Idempotency-Key": "none"})
    assert (answer.status_code, answer.body["error"]["code"]) == (
        503,
        "PAYOUT_PROVIDER_UNAVAILABLE",
    )
    assert not Payout.objects.exists()


def open_circuit(account):
    for _ in range(settings.PROVIDER_BREAKER_FAILURES):
        breaker.record(circuit("payout", account), ok=False)
