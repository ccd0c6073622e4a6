"""What an operator has switched off sends nothing: no first call, and no repetition."""

from datetime import timedelta

import pytest

from merchants.models import Merchant
from payments.collect.models import Charge, Refund
from payments.collect.services.charges import charge_initiation, reconciliation
from payments.collect.services.errors import ProviderUnavailable
from payments.collect.services.refunds.refund_engine import engine as refund_engine
from payments.core import clock
from payments.payout.models import Payout, PayoutSwitch
from payments.payout.services.bank_codes import load_codes
from payments.payout.services.engine import engine
from payments.rails.services import accounts
from payments.rails.services.routing import Demand, RouteTable
from tests.rails.accounts import route, two_wompis, wompi, wompi_payouts
from tests.rails.test_payin_accounts import start
from tests.rails.test_refunds_by_payout import ACCOUNT, approve_it, ask, give, paid, path_of
from tests.support.charges import create
from tests.support.factories import payout_body
from tests.support.funds import fund

# Fixtures are arguments named as the functions above.
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("catalogues")]
__all__ = ["paid"]
LATER = timedelta(minutes=5)


def switch(account, *, on):
    act = accounts.switch_on if on else accounts.switch_off
    act(slug=account, actor="olga", reason="test", now=clock.now())


def switch_payouts(*, on):
    PayoutSwitch.objects.update_or_create(id=1, defaults={"is_enabled": on})


def switch_merchant(*, on):
    Merchant.objects.update(payout_enabled=on)


def switch_account(*, on):
    switch(ACCOUNT, on=on)


def sends(fake):
    requests = fake.control.state()["requests"]
    return sum(requests.get(f"POST /{version}/payouts", 0) for version in ("v1", "v2"))


@pytest.fixture
def rail(merchant):
    fund(merchant, 100_000_000)
    with wompi_payouts() as fake:
        route("payout", ACCOUNT)
        load_codes(account=ACCOUNT, actor="olga")
        yield fake


def send(api):
    answer = api.post("/payout", payout_body(), headers={"Idempotency-Key": "off"})
    assert answer.status_code == 201, answer.content
    return Payout.objects.get()


def test_account_that_a_setting_names_serves_only_while_it_is_on(settings):
    """Without routes the setting decides, and not the operator's switch alone."""
    with wompi("wompi-main"):
        settings.PAYIN_PROVIDER = "wompi-main"
        demand = Demand(method="PSE", currency="COP")
        assert RouteTable.load("payin").accounts_for(demand) == ["wompi-main"]
        switch("wompi-main", on=False)
        table = RouteTable.load("payin")
        assert table.accounts_for(demand) == []
        assert [one.obstacle for one in table.explain(demand)] == ["la cuenta está desactivada"]


SWITCHES = pytest.mark.parametrize(
    "switched",
    [switch_payouts, switch_merchant, switch_account],
    ids=["all payouts", "the merchant's", "the account"],
)


@SWITCHES
def test_payout_waits_unsent_until_it_is_on_again(api, rail, switched):
    payout = send(api)
    switched(on=False)
    engine.process_due(now=clock.now())
    payout.refresh_from_db()
    assert (payout.status, payout.sent_at, sends(rail)) == ("PENDING", None, 0)
    switched(on=True)
    engine.process_due(now=clock.now() + LATER)
    payout.refresh_from_db()
    assert (payout.status, sends(rail)) == ("PROCESSING", 1)


@SWITCHES
def test_payout_in_doubt_is_queried_and_not_repeated_while_it_is_off(api, rail, switched):
    rail.control.fault("POST /v1/payouts", "lose_request")
    payout = send(api)
    engine.process_due(now=clock.now())
    switched(on=False)
    engine.process_due(now=clock.now() + LATER)
    payout.refresh_from_db()
    assert payout.status == "PROCESSING"
    assert payout.last_sent_at == payout.sent_at
    assert sends(rail) == 1
    switched(on=True)
    engine.process_due(now=clock.now() + 2 * LATER)
    assert sends(rail) == 2


def test_payout_whose_account_is_off_goes_out_over_another_one(api, rail):
    with wompi_payouts("second") as second:
        route("payout", "second", priority=200)
        load_codes(account="second", actor="olga")
        payout = send(api)
        assert payout.provider == ACCOUNT
        switch(ACCOUNT, on=False)
        engine.process_due(now=clock.now())
        payout.refresh_from_db()
        assert (payout.provider, payout.status) == ("second", "PROCESSING")
        assert (sends(rail), sends(second)) == (0, 1)


def test_account_that_is_switched_off_just_before_the_call_is_not_called(api, rail, monkeypatch):
    payout = send(api)
    real = engine._commit_intent

    def commit(payment_id, request_clock):
        committed = real(payment_id, request_clock)
        switch(ACCOUNT, on=False)
        return committed

    monkeypatch.setattr(engine, "_commit_intent", commit)
    engine.send(payment_id=payout.pk, now=clock.now())
    assert sends(rail) == 0


class TestCharge:
    @pytest.fixture
    def rails(self):
        with two_wompis() as both:
            yield both

    def test_start_in_doubt_is_queried_and_not_repeated_while_it_is_off(self, api, rails):
        first, second = rails
        first.control.fault("POST /v1/transactions", "lose_request")
        order = create(api)
        with pytest.raises(ProviderUnavailable):
            start(order)
        switch("aaa", on=False)
        with pytest.raises(ProviderUnavailable):
            start(order)
        assert (starts(first), starts(second)) == (1, 0)
        # Once the rail has said that it knows nothing, the payer may pay at another account.
        later = clock.now() + LATER
        assert reconciliation.query_provider(charge=Charge.objects.get(), now=later)
        charge = start(order)
        assert (charge.provider, charge.status) == ("bbb", "PENDING")
        assert (starts(first), starts(second)) == (1, 1)

    def test_account_that_is_switched_off_just_before_the_call_is_not_called(
        self, api, rails, monkeypatch
    ):
        first, second = rails
        real = charge_initiation.start_at_provider

        def late(**call):
            switch("aaa", on=False)
            return real(**call)

        monkeypatch.setattr(charge_initiation, "start_at_provider", late)
        assert start(create(api)).provider == "bbb"
        assert (starts(first), starts(second)) == (0, 1)


def starts(fake):
    return fake.control.state()["requests"].get("POST /v1/transactions", 0)


class TestRefundByPayout:
    """It goes over the rails of payouts, and no switch of the merchant is about it."""

    @pytest.fixture
    def approved(self, api, paid):
        order, fake = paid
        give(order, path_of(ask(api, order)))
        approve_it()
        return Refund.objects.get(), fake

    @pytest.mark.parametrize("switched", [switch_payouts, switch_account])
    def test_it_waits_unsent_until_it_is_on_again(self, approved, switched):
        refund, fake = approved
        switched(on=False)
        refund_engine.process_due(now=clock.now())
        refund.refresh_from_db()
        assert (refund.status, refund.sent_at, sends(fake)) == ("PENDING", None, 0)
        switched(on=True)
        refund_engine.process_due(now=clock.now() + LATER)
        refund.refresh_from_db()
        assert (refund.status, sends(fake)) == ("PROCESSING", 1)

    @pytest.mark.parametrize("switched", [switch_payouts, switch_account])
    def test_it_is_not_repeated_while_it_is_off(self, approved, switched):
        refund, fake = approved
        fake.control.fault("POST /v1/payouts", "lose_request")
        refund_engine.process_due(now=clock.now())
        switched(on=False)
        refund_engine.process_due(now=clock.now() + LATER)
        refund.refresh_from_db()
        assert (refund.status, sends(fake)) == ("PROCESSING", 1)

    def test_merchant_without_payouts_by_api_returns_payments_all_the_same(self, approved):
        refund, fake = approved
        switch_merchant(on=False)
        refund_engine.process_due(now=clock.now())
        refund.refresh_from_db()
        assert (refund.status, sends(fake)) == ("PROCESSING", 1)

    def test_account_that_changed_after_the_first_call_is_not_paid(self, approved):
        """The first call is still queried."""
        refund, fake = approved
        fake.control.fault("POST /v1/payouts", "lose_request")
        refund_engine.process_due(now=clock.now())
        refund.refresh_from_db()
        changed = {**refund.destination, "account_number": "99999999999"}
        Refund.objects.update(destination=changed)
        refund_engine.process_due(now=clock.now() + LATER)
        refund.refresh_from_db()
        assert sends(fake) == 1
        assert (refund.status, refund.needs_operator) == ("PROCESSING", True)
        assert refund.next_action_at is not None
