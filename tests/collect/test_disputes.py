"""Disputes and chargebacks: what is at stake is held, and the balance never falls below zero.

How operators decide is in test_disputes_by_hand.py, what the rail sends in
test_dispute_callbacks.py.
"""

from datetime import timedelta
from decimal import Decimal

import pytest

from merchants.models import Merchant
from payments.collect.models import Dispute, Order
from payments.collect.services.refunds import refund_requests
from payments.core import clock
from payments.simulator import disputes as rail
from tests.support.charges import books_are_clean
from tests.support.disputes import DUE, kinds, spend, system, tell, update
from tests.support.fixtures import ApiClient
from tests.support.funds import available, balance, fund
from tests.support.invariants import check_invariants
from tests.support.refunds import approve, ask, asked, paid, told

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("every_event")]


def test_dispute_holds_the_money_until_the_bank_decides(merchant: Merchant, order: Order) -> None:
    fund(merchant, 25)
    dispute = tell(order)

    assert (dispute.status, dispute.kind, dispute.held) == ("OPEN", "DISPUTE", 50_025)
    assert balance(merchant) == (0, 50_025)
    (data,) = [data for kind, data in told(order) if kind == "payment.disputed"]
    assert (data["id"], data["disputeId"], data["disputedAmount"]) == (order.pk, dispute.pk, 50025)
    assert data["reason"] == "The payer knows nothing of it"
    assert data["evidenceDueAt"] == clock.iso(DUE)
    assert data["openedAt"] == clock.iso(dispute.opened_at)

    tell(order, "WON")
    dispute.refresh_from_db()
    assert (dispute.status, dispute.shortfall) == ("WON", 0)
    assert dispute.closed_at is not None
    assert balance(merchant) == (50_025, 0)
    assert kinds(order) == ["payment.disputed"]
    assert books_are_clean()


def test_lost_the_money_is_gone_and_the_merchant_is_told(merchant: Merchant, order: Order) -> None:
    fund(merchant, 25)
    tell(order)
    cleared = system("clearing")
    dispute = tell(order, "LOST")

    assert (dispute.status, dispute.shortfall) == ("LOST", 0)
    assert balance(merchant) == (0, 0)
    assert system("clearing") == cleared + 50_025
    assert system("losses") == 0
    assert kinds(order) == ["payment.chargeback", "payment.disputed"]
    assert books_are_clean()


def test_chargeback_is_published_once(order: Order) -> None:
    tell(order, kind="CHARGEBACK")
    tell(order, "LOST", kind="CHARGEBACK")
    assert kinds(order) == ["payment.chargeback"]


def test_a_dispute_becomes_a_chargeback(order: Order) -> None:
    tell(order)
    dispute = tell(order, kind="CHARGEBACK")
    assert dispute.kind == "CHARGEBACK"
    tell(order)  # late news of the question
    tell(order, "LOST")
    dispute.refresh_from_db()
    assert (dispute.kind, dispute.status) == ("CHARGEBACK", "LOST")
    assert kinds(order) == ["payment.chargeback", "payment.disputed"]


def test_a_chargeback_after_the_decision_is_a_contradiction(
    merchant: Merchant, order: Order
) -> None:
    tell(order)
    tell(order, "WON")
    before = balance(merchant)
    dispute = tell(order, kind="CHARGEBACK")
    assert (dispute.status, dispute.kind, dispute.needs_operator) == ("WON", "DISPUTE", True)
    assert balance(merchant) == before
    assert kinds(order) == ["payment.disputed"]


def test_what_was_said_before_a_loss_is_no_contradiction(order: Order) -> None:
    tell(order)
    tell(order, "LOST")
    assert not tell(order, kind="CHARGEBACK").needs_operator
    assert kinds(order) == ["payment.chargeback", "payment.disputed"]


def test_a_later_limit_for_evidence_is_kept(order: Order) -> None:
    tell(order)
    longer = DUE + timedelta(days=5)
    assert tell(order, evidence_due_at=longer).evidence_due_at == longer
    # What the rail said before comes late.
    before = clock.now() - timedelta(hours=1)
    assert tell(order, occurred_at=before).evidence_due_at == longer
    assert tell(order, evidence_due_at=None).evidence_due_at == longer


def test_one_reference_on_two_orders_is_two_disputes(
    api: ApiClient, stranger_api: ApiClient, stranger: Merchant, merchant: Merchant, order: Order
) -> None:
    """The rail must not use it twice, and no claim is lost when it does."""
    theirs = paid(stranger_api)
    first = tell(order)
    assert rail.send_callback(update(theirs)) == 200
    second = Dispute.objects.exclude(pk=first.pk).get()
    assert (second.order, second.held, second.needs_operator) == (theirs, 50_000, True)
    first.refresh_from_db()
    assert not first.needs_operator
    assert rail.send_callback(update(theirs, "LOST")) == 200
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.status, second.status) == ("OPEN", "LOST")
    check_invariants([merchant.pk, stranger.pk])


def test_repeated_dispute_updates_change_nothing(merchant: Merchant, order: Order) -> None:
    for _ in range(3):
        tell(order)
    for _ in range(3):
        tell(order, "LOST")
    tell(order)
    assert Dispute.objects.count() == 1
    assert kinds(order) == ["payment.chargeback", "payment.disputed"]
    assert books_are_clean()


def test_first_update_of_a_dispute_may_be_its_end(merchant: Merchant, order: Order) -> None:
    dispute = tell(order, "LOST", kind="CHARGEBACK")
    assert (dispute.status, dispute.held, dispute.shortfall) == ("LOST", 50_000, 25)
    assert balance(merchant) == (0, 0)
    assert system("losses") == -25
    assert books_are_clean()


@pytest.mark.parametrize(
    ("spent", "comes", "held", "shortfall", "left"),
    [
        (0, 0, 50_000, 25, 0),  # our fee is missing, and nothing comes
        (30_000, 0, 20_000, 30_025, 0),
        (50_000, 0, 0, 50_025, 0),
        (50_000, 10_000, 0, 40_025, 0),
        (30_000, 100_000, 20_000, 0, 69_975),
    ],
)
def test_the_balance_gives_what_it_has_and_the_service_bears_the_rest(
    merchant: Merchant,
    order: Order,
    spent: int,
    comes: int,
    held: int,
    shortfall: int,
    left: int,
) -> None:
    if spent:
        spend(merchant, spent)
    dispute = tell(order)
    assert dispute.held == held
    assert balance(merchant) == (50_000 - spent - held, held)
    if comes:
        fund(merchant, comes)
    dispute = tell(order, "LOST")
    assert dispute.shortfall == shortfall
    assert system("losses") == -shortfall
    assert balance(merchant) == (left, 0)
    assert books_are_clean()


def test_won_with_nothing_held_moves_nothing(merchant: Merchant, order: Order) -> None:
    spend(merchant, 50_000)
    tell(order)
    assert tell(order, "WON").status == "WON"
    assert balance(merchant) == (0, 0)


class TestTogetherWithRefunds:
    @pytest.fixture(autouse=True)
    def _funds(self, merchant: Merchant) -> None:
        fund(merchant, 200_000)

    def test_what_is_contested_is_not_refunded(self, api: ApiClient, order: Order) -> None:
        tell(order, amount=Decimal(30_000))
        answer = ask(api, order, amount=20_026)
        assert answer.body["error"]["details"]["max"] == 20025
        assert ask(api, order, "r-2", amount=20_025).status_code == 201

    def test_a_won_dispute_leaves_all_to_refund(self, api: ApiClient, order: Order) -> None:
        tell(order)
        assert ask(api, order, amount=1).body["error"]["details"]["max"] == 0
        tell(order, "WON")
        assert ask(api, order, "r-2").body["data"]["amount"] == 50025

    def test_lost_dispute_leaves_nothing_to_refund(self, api: ApiClient, order: Order) -> None:
        tell(order)
        tell(order, "LOST")
        assert ask(api, order, amount=1).body["error"]["details"]["max"] == 0

    def test_a_claim_for_more_than_is_left_is_no_debt_of_the_merchant(
        self, api: ApiClient, merchant: Merchant, order: Order
    ) -> None:
        approve(asked(api, order, amount=40_000))
        before, _ = balance(merchant)
        dispute = tell(order)
        assert (dispute.claimed, dispute.amount, dispute.held) == (50_025, 10_025, 10_025)
        assert dispute.needs_operator
        tell(order, "LOST")
        dispute.refresh_from_db()
        assert dispute.shortfall == 40_000
        assert balance(merchant) == (before - 10_025, 0)
        assert refund_requests.refundable(order) == 0
        assert books_are_clean()


def test_available_is_what_can_be_spent(merchant: Merchant, order: Order) -> None:
    tell(order, amount=Decimal(10_000))
    assert available(merchant) == 40_000
