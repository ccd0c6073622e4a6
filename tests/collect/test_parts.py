"""An order that was paid in parts: each goes back by the try that it came by, and to its payer."""

from collections import Counter
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
import time_machine

from merchants.models import Merchant
from payments.collect.models import Charge, Dispute, Order, Refund
from payments.collect.services.disputes import dispute_decisions
from payments.collect.services.orders.lookup import settling_charge
from payments.collect.services.refunds import refund_approvals, refund_requests
from payments.collect.services.refunds.refund_engine import PRODUCT
from payments.core import audit, clock
from payments.core.errors import NotAllowed
from payments.providers.ports import DisputeKind, DisputeState, DisputeUpdate
from payments.simulator import disputes as rail
from tests.collect.test_unmatched import apply_to, entry, late
from tests.support.charges import create, say, start
from tests.support.fixtures import ApiClient
from tests.support.funds import fund
from tests.support.invariants import check_invariants
from tests.support.refunds import AFTER, approve, ask, asked, paid, told

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _every_event(merchant: Merchant, settings: Any) -> None:
    settings.DOORBELL = False
    merchant.event_kinds = list(AFTER)
    merchant.save()
    fund(merchant, 100_000)


@pytest.fixture
def in_parts(api: ApiClient) -> Order:
    """20,000 by bank transfer, and 30,025 by PSE, which completes it."""
    order = create(api)
    say(start(order, "BANK_TRANSFER"), "RECEIVED", 20_000)
    rest = start(order)
    assert rest.amount == 30_025
    say(rest, "SUCCEEDED", rest.amount)
    order.refresh_from_db()
    assert order.status == "COMPLETED"
    return order


@pytest.fixture
def by_letter(in_parts: Order) -> Dispute:
    """It does not say which of the two tries it is about."""
    dispute = dispute_decisions.open_by_operator(
        order=in_parts,
        claim=dispute_decisions.NewDispute(
            kind="DISPUTE", amount=Decimal(10_000), reason="a letter of the bank"
        ),
        actor="ana",
        now=clock.now(),
    )
    assert dispute.charge is None
    return dispute


def contest(charge: Charge, amount: int, state: str = "OPEN") -> None:
    update = DisputeUpdate(
        reference="case-1",
        charge_reference=charge.pk,
        kind=DisputeKind.CHARGEBACK,
        state=DisputeState(state),
        amount=Decimal(amount),
        currency="COP",
        occurred_at=clock.now(),
    )
    assert rail.send_callback(update) == 200


def test_refund_is_never_more_than_its_charge_brought(
    api: ApiClient, merchant: Merchant, in_parts: Order
) -> None:
    for body in ({}, {"amount": 30_026}, {"amount": 50_025}):
        error = ask(api, in_parts, **body).body["error"]
        assert (error["code"], error["details"]["max"]) == ("AMOUNT_ABOVE_LIMIT", 30_025)
    assert error["message"] == (
        "The payment came in parts. No more than 30,025 COP can be returned at once."
    )
    first = approve(asked(api, in_parts, amount=30_025))
    assert (first.status, first.charge.method) == ("COMPLETED", "PSE")
    second = approve(asked(api, in_parts, "r-2"))  # what remains
    assert (second.amount, second.charge.method) == (20_000, "BANK_TRANSFER")
    assert PRODUCT.request(second).charge_reference == second.charge.pk
    in_parts.refresh_from_db()
    assert in_parts.refunded_amount == 50_025
    assert ask(api, in_parts, "r-3", amount=1).body["error"]["details"]["max"] == 0
    check_invariants([merchant.pk])


def test_small_refunds_go_by_a_charge_that_has_enough(api: ApiClient, in_parts: Order) -> None:
    back: Counter[str] = Counter()
    for number in range(4):
        refund = asked(api, in_parts, f"r-{number}", amount=10_000)
        back[refund.charge.method] += int(refund.amount)
    assert back == {"PSE": 30_000, "BANK_TRANSFER": 10_000}
    assert ask(api, in_parts, "r-9").body["error"]["details"]["max"] == 10_000
    assert asked(api, in_parts, "r-9", amount=10_000).charge.method == "BANK_TRANSFER"
    assert asked(api, in_parts, "r-10").amount == 25


def test_claim_against_one_charge_leaves_the_other_refundable(
    api: ApiClient, merchant: Merchant, in_parts: Order
) -> None:
    transfer = in_parts.charges.get(method="BANK_TRANSFER")
    contest(transfer, 20_000, "LOST")
    refund = approve(asked(api, in_parts))
    assert (refund.amount, refund.charge.method) == (30_025, "PSE")
    check_invariants([merchant.pk])


def test_money_refunded_and_then_claimed_is_left_of_no_charge(
    api: ApiClient, merchant: Merchant, in_parts: Order
) -> None:
    """The payer has 60,050 of 50,025 by then: nothing more goes back, by whichever try."""
    assert approve(asked(api, in_parts, amount=30_025)).charge.method == "PSE"
    contest(in_parts.charges.get(method="PSE"), 30_025, "LOST")
    assert refund_requests.refundable(in_parts) == 0
    assert ask(api, in_parts, "r-2").body["error"]["details"]["max"] == 0
    check_invariants([merchant.pk])


def test_claim_is_never_more_than_its_charge_brought(
    api: ApiClient, merchant: Merchant, in_parts: Order
) -> None:
    contest(in_parts.charges.get(method="BANK_TRANSFER"), 50_025)
    dispute = in_parts.disputes.get()
    assert (dispute.amount, dispute.needs_operator) == (20_000, True)
    assert refund_requests.refundable(in_parts) == 30_025


def test_refund_waits_while_a_letter_contests_some_charge(
    api: ApiClient, merchant: Merchant, in_parts: Order, by_letter: Dispute
) -> None:
    """There is enough for both, but the bank may be about to return that very money."""
    refund = asked(api, in_parts, amount=10_000)
    with pytest.raises(NotAllowed, match="contested"):
        approve(refund)
    dispute_decisions.record_decision(
        dispute=by_letter,
        decision=dispute_decisions.BankDecision(
            outcome="WON", proof="letter 12", reason="as written"
        ),
        actor="beto",
        now=clock.now(),
    )
    assert approve(refund).status == "COMPLETED"
    check_invariants([merchant.pk])


class TestTheTryThatSettled:
    @pytest.fixture
    def mixed(self, api: ApiClient) -> Order:
        """20,000 of another payer were applied after this payer's attempt had begun."""
        funds = late(api, 20_000, customerName="Other Payer", customerDocNumber="99887766")
        order = create(api)
        try_ = start(order, "BANK_TRANSFER")
        with time_machine.travel(clock.now() + timedelta(seconds=5)):
            apply_to(funds, order)
        with time_machine.travel(clock.now() + timedelta(seconds=9)):
            say(try_, "SUCCEEDED", 30_025)
        order.refresh_from_db()
        assert order.status == "COMPLETED"
        return order

    def test_order_remembers_the_charge_that_settled_it(self, mixed: Order) -> None:
        settled = settling_charge(order=mixed)
        assert settled is not None
        assert (settled.origin, settled.received) == (None, 30_025)

    def test_finality_of_the_settling_charge_confirms_the_payment(self, mixed: Order) -> None:
        assert mixed.confirmed_at is not None
        assert [kind for kind, _ in told(mixed)].count("payment.confirmed") == 1

    def test_a_refund_is_addressed_to_its_payer(self, api: ApiClient, mixed: Order) -> None:
        request = PRODUCT.request(asked(api, mixed, amount=30_025))
        assert request.payer.document_number == mixed.customer_document
        other = PRODUCT.request(asked(api, mixed, "r-2"))
        assert (other.payer.document_number, other.amount) == ("99887766", 20_000)

    def test_order_of_an_earlier_release_names_no_settling_charge(self, api: ApiClient) -> None:
        order = paid(api)
        Order.objects.filter(pk=order.pk).update(settled_by=None)
        assert settling_charge(order=Order.objects.get(pk=order.pk)) == order.charges.get()


class TestCoinsForPesos:
    """An account of coins has no pesos."""

    @pytest.fixture
    def by_coin(self, api: ApiClient) -> Order:
        order = create(api)
        charge = start(order, "CRYPTO", coin="USDT")
        say(charge, "SUCCEEDED", charge.amount)
        order.refresh_from_db()
        return order

    def test_refund_of_coins_for_pesos_leaves_the_account_that_pays_it(
        self, api: ApiClient, merchant: Merchant, by_coin: Any
    ) -> None:
        assert approve(asked(api, by_coin)).status == "COMPLETED"
        lines = entry("refund_completed")
        assert lines["clearing:simulator:COPM"] == 50_025

    def test_chargeback_of_coins_for_pesos_leaves_by_bank(self, by_coin: Order) -> None:
        contest(by_coin.charges.get(), 50_025, "LOST")
        assert entry("dispute_lost")["clearing:BANK_TRANSFER:COPM"] == 50_025


def test_operator_who_issued_the_requesting_key_cannot_approve(api: ApiClient) -> None:
    refund = asked(api, paid(api), amount=1000)
    key = refund.merchant.api_keys.get(pk=refund.requested_by)
    audit.record(actor="ana", action="api_key.issued", subject=key)
    with pytest.raises(NotAllowed):
        approve(refund, "ana")
    refund_approvals.reject(refund=refund, actor="ana", reason="a mistake", now=clock.now())
    again = asked(api, refund.order, "r-2", amount=1000)
    assert approve(again, "beto").status == "COMPLETED"
    assert Refund.objects.count() == 2
