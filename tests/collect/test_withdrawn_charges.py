"""A rail that refuses what it had promised, before the money was final."""

from datetime import timedelta

import pytest

from merchants.models import Merchant
from payments.collect.models import Dispute, Order
from payments.collect.services.disputes import dispute_decisions
from payments.core import clock
from tests.support.charges import books_are_clean, create, say, start
from tests.support.fixtures import ApiClient
from tests.support.funds import available
from webhooks.models import Event


@pytest.fixture
def promised(api: ApiClient, merchant: Merchant) -> Order:
    """Paid by PSE, and not final yet."""
    merchant.event_kinds = ["payment.disputed", "payment.confirmed"]
    merchant.save()
    order = create(api)
    say(start(order), "SUCCEEDED", 50_025, is_confirmed=False)
    order.refresh_from_db()
    assert (order.status, order.confirmed_at) == ("COMPLETED", None)
    return order


def test_reversed_payment_is_held_and_waits_for_an_operator(
    promised: Order, merchant: Merchant
) -> None:
    charge = promised.charges.get()
    for _ in range(2):  # it may say so again
        say(charge, "FAILED", reason="REVERSED")

    dispute = Dispute.objects.get()
    assert (dispute.charge, dispute.needs_operator, dispute.status) == (charge, True, "OPEN")
    assert (dispute.claimed, available(merchant)) == (50_025, 0)
    assert "REVERSED" in dispute.reason
    promised.refresh_from_db()
    assert (promised.status, promised.confirmed_at) == ("COMPLETED", None)
    kinds = list(Event.objects.order_by("place__id").values_list("kind", flat=True))
    assert kinds == ["payment.completed", "payment.disputed"]
    assert books_are_clean()

    dispute_decisions.record_decision(
        dispute=dispute,
        decision=dispute_decisions.BankDecision(
            outcome="LOST", proof="The rail's statement of the day", reason="It never came"
        ),
        actor="ana",
        now=clock.now(),
    )
    assert books_are_clean()
    assert available(merchant) == 0


def test_refusal_from_before_the_money_is_no_reversal(promised: Order) -> None:
    earlier = clock.now() - timedelta(minutes=10)
    say(promised.charges.get(), "FAILED", occurred_at=earlier)
    assert not Dispute.objects.exists()


def test_final_payment_is_not_reversed(promised: Order) -> None:
    charge = promised.charges.get()
    say(charge, "SUCCEEDED", 50_025)
    say(charge, "FAILED")
    assert not Dispute.objects.exists()
