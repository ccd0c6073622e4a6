"""Messages of the first account that come while its payout moves to another one.

The first rail has the payout, although it answered that it took no request.
"""

import pytest

from payments.core import clock
from payments.core.request_clock import RequestClock
from payments.outgoing.engine import Engine
from payments.outgoing.errors import UnknownReference
from payments.payout.models import Payout
from payments.payout.services.engine import engine
from payments.providers import ports
from payments.providers.wompi_payouts.payout import WompiPayout
from tests.rails.test_payout_failover import paid, process, rails, refuse_connections, send

# Fixtures are arguments named as the functions above.
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("catalogues")]
__all__ = ["rails"]


def report(payout, state=ports.OutgoingState.COMPLETED):
    return ports.OutgoingUpdate(
        reference=payout.provider_reference,
        provider_id="of-the-first",
        state=state,
        occurred_at=clock.now(),
        amount=payout.amount,
    )


def lie(monkeypatch, before_the_answer):
    """The first rail executes, and something happens before it answers 429."""
    real = WompiPayout.send

    def send_(self, request, timeout):
        answer = real(self, request, timeout)
        if self.code == "first":
            before_the_answer()
            raise ports.ProviderUnreachable("status 429")
        return answer

    monkeypatch.setattr(WompiPayout, "send", send_)


def test_hint_during_the_call_keeps_the_payout_at_its_account(api, rails, monkeypatch):
    (payout,) = send(api)
    hint = ports.Hint(reference=payout.provider_reference)
    lie(monkeypatch, lambda: engine.apply_hint(provider="first", hint=hint, now=clock.now()))
    process()
    payout.refresh_from_db()
    assert (payout.provider, payout.status) == ("first", "COMPLETED")
    assert [len(one) for one in paid(*rails)] == [1, 0]


def test_query_during_the_call_that_found_it_keeps_the_payout_at_its_account(
    api, rails, monkeypatch
):
    rails[0].control.set(settle_seconds=None)
    (payout,) = send(api)
    found = report(payout, ports.OutgoingState.PENDING)
    lie(monkeypatch, lambda: engine.apply_update(provider="first", update=found, now=clock.now()))
    process(1)
    payout.refresh_from_db()
    assert (payout.provider, payout.status) == ("first", "PROCESSING")
    assert paid(*rails) == [[], []]


@pytest.mark.parametrize(
    ("state", "alarm"), [("COMPLETED", True), ("PENDING", True), ("FAILED", False)]
)
def test_query_that_the_move_crosses_calls_an_operator(api, rails, monkeypatch, state, alarm):
    """The payout is asked for at the first account, and moves before the answer is there."""
    (payout,) = send(api)
    committed = engine._commit_intent(payout.pk, RequestClock(clock.now()))
    asked = Payout.objects.get()

    def query(self, known):
        refuse_connections("first")
        engine.call(payment=committed, now=clock.now())
        return report(payout, ports.OutgoingState(state))

    monkeypatch.setattr(WompiPayout, "query", query)
    engine.query(payment=asked, now=clock.now())
    payout.refresh_from_db()
    assert (payout.provider, payout.provider_id != "of-the-first") == ("second", True)
    assert (payout.status, payout.needs_operator) == ("PROCESSING", alarm)


def test_report_that_waited_for_the_move_is_not_that_of_the_new_account(api, rails, monkeypatch):
    (payout,) = send(api)
    process(1)
    real = Engine.lock

    def lock(self, payment_id):
        Payout.objects.filter(pk=payment_id).update(provider="second")
        return real(self, payment_id)

    monkeypatch.setattr(Engine, "lock", lock)
    with pytest.raises(UnknownReference):
        engine.apply_update(provider="first", update=report(payout), now=clock.now())
    hint = ports.Hint(reference=payout.provider_reference)
    with pytest.raises(UnknownReference):
        engine.apply_hint(provider="first", hint=hint, now=clock.now())
    payout.refresh_from_db()
    assert payout.status == "PROCESSING"
