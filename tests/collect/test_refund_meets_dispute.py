"""A dispute that comes after the approval of a refund: the payer gets the money once."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib import admin
from django.utils import translation

from merchants.models import Merchant
from payments.collect.admin.refunds import RefundAdmin
from payments.collect.models import Order, Refund
from payments.collect.services.refunds import refund_approvals
from payments.collect.services.refunds.refund_engine import engine
from payments.core import clock
from payments.simulator import store
from tests.support.charges import books_are_clean
from tests.support.disputes import tell
from tests.support.fixtures import ApiClient
from tests.support.funds import available, fund, held
from tests.support.outgoing_payments import resolve
from tests.support.refunds import asked, paid

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("every_event", "patient_with_the_rail"),
]


@pytest.fixture(autouse=True)
def _funds(merchant: Merchant) -> None:
    fund(merchant, 200_000)


def approved(api: ApiClient, order: Order) -> Refund:
    """Not handed to the rail yet."""
    refund = asked(api, order)
    refund_approvals.approve(refund=refund, actor="ana", reason="seen", now=clock.now())
    return refund


def scan(refund: Refund, minutes: int = 0) -> Refund:
    engine.process_due(now=clock.now() + timedelta(minutes=minutes))
    refund.refresh_from_db()
    return refund


def step(refund: Refund) -> str:
    with translation.override("en"):
        return str(RefundAdmin(Refund, admin.site).next_step(refund).why)


def test_refund_is_not_sent_while_the_payment_is_contested(api: ApiClient, order: Order) -> None:
    refund = approved(api, order)
    tell(order)

    scan(refund)

    assert (refund.status, refund.needs_operator) == ("PENDING", True)
    assert store.executions(refund.pk) == 0
    assert "contested" in step(refund)


def test_won_dispute_lets_the_refund_go_on_by_itself(api: ApiClient, order: Order) -> None:
    refund = approved(api, order)
    tell(order)
    scan(refund)
    tell(order, "WON")

    scan(refund, minutes=5)

    assert (refund.status, refund.needs_operator) == ("COMPLETED", False)
    assert store.executions(refund.pk) == 1
    assert books_are_clean()


def test_lost_dispute_stops_the_refund_for_good(
    api: ApiClient, merchant: Merchant, order: Order
) -> None:
    """The bank took the money. An operator ends the refund, and the merchant pays once."""
    before = available(merchant)
    refund = approved(api, order)
    tell(order)
    scan(refund)
    tell(order, "LOST")

    for minutes in (5, 90):
        scan(refund, minutes)
    assert (refund.status, store.executions(refund.pk)) == ("PENDING", 0)
    assert "from the bank" in step(refund)

    resolve(engine, refund, "FAILED")
    refund.refresh_from_db()
    assert (refund.status, refund.needs_operator) == ("FAILED", False)
    assert (available(merchant), held(merchant)) == (before - Decimal(50_025), 0)
    assert books_are_clean()


def test_refund_that_never_arrived_is_not_repeated_once_the_payment_is_contested(
    api: ApiClient,
) -> None:
    order = paid(api, "answer-lost-before")
    refund = scan(approved(api, order))
    assert (refund.status, store.executions(refund.pk)) == ("PROCESSING", 0)
    tell(order)

    for minutes in (5, 90):
        scan(refund, minutes)

    assert (refund.status, refund.needs_operator) == ("PROCESSING", True)
    assert store.executions(refund.pk) == 0


def test_refund_that_the_rail_has_is_finished_although_the_payment_is_contested(
    api: ApiClient,
) -> None:
    """What was sent cannot be called back: the dispute's claim is larger than what is left."""
    order = paid(api, "answer-lost-after")
    refund = scan(approved(api, order))
    dispute = tell(order)
    scan(refund, minutes=5)
    assert (refund.status, store.executions(refund.pk)) == ("COMPLETED", 1)
    assert dispute.needs_operator
