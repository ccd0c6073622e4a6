"""payment.confirmed: the rail reached finality, at once or later (contract, Event kinds)."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine

from merchants.models import Merchant
from payments.collect.models import Charge, Order
from payments.collect.services.charges import reconciliation
from payments.core import clock
from payments.providers.ports import ChargeStatus
from payments.simulator import control, magic
from tests.support.charges import create, events_of, say, start
from tests.support.fixtures import ApiClient
from tests.support.refunds import told

pytestmark = pytest.mark.django_db
BY_NAME = {row.name: document for document, row in magic.CHARGES_BY_DOCUMENT.items()}
BOTH = ["payment.completed", "payment.confirmed"]


@pytest.fixture(autouse=True)
def _enabled(merchant: Merchant, settings: Any) -> None:
    settings.DOORBELL = False
    merchant.event_kinds = ["payment.confirmed"]
    merchant.save()


def promised(api: ApiClient) -> tuple[Order, Charge]:
    """Approved at the bank, which has promised and not settled."""
    order = create(api, customerDocNumber=BY_NAME["confirmed-later"])
    charge = start(order)
    assert control.decide(charge.pk, ChargeStatus.SUCCEEDED) == 200
    order.refresh_from_db()
    charge.refresh_from_db()
    assert order.status == "COMPLETED"
    return order, charge


def test_most_rails_are_final_at_once(api: ApiClient) -> None:
    order = create(api)
    charge = start(order)
    say(charge, "SUCCEEDED", charge.amount)

    assert sorted(events_of(order)) == BOTH
    shown = api.get(f"/collect/{order.pk}").body["data"]
    assert shown["confirmedAt"] is not None
    (data,) = [data for kind, data in told(order) if kind == "payment.confirmed"]
    assert (data["id"], data["status"], data["amount"]) == (order.pk, "COMPLETED", 50025)
    charge.refresh_from_db()
    assert charge.reconcile_at is None


def test_confirmation_is_sent_only_where_it_is_enabled(api: ApiClient, merchant: Merchant) -> None:
    merchant.event_kinds = []
    merchant.save()
    order = create(api)
    charge = start(order)
    say(charge, "SUCCEEDED", charge.amount)
    order.refresh_from_db()
    assert events_of(order) == ["payment.completed"]
    assert order.confirmed_at is not None


def test_rail_that_settles_later_is_queried_until_it_has(api: ApiClient) -> None:
    with time_machine.travel(clock.now(), tick=False) as traveller:
        order, charge = promised(api)
        assert events_of(order) == ["payment.completed"]
        assert charge.reconcile_at is not None
        traveller.shift(10)
        reconciliation.reconcile_due(now=clock.now())
        charge.refresh_from_db()
        assert charge.reconcile_at is not None  # it was asked, and said: not yet
        assert events_of(order) == ["payment.completed"]

        for _ in range(3):
            traveller.shift(120)
            reconciliation.reconcile_due(now=clock.now())
        order.refresh_from_db()
        charge.refresh_from_db()
        assert sorted(events_of(order)) == BOTH
        assert order.confirmed_at > order.paid_at
        assert charge.reconcile_at is None


def test_late_news_from_before_the_money_confirms_nothing(api: ApiClient) -> None:
    order, charge = promised(api)
    say(charge, "PENDING", 0)
    order.refresh_from_db()
    assert order.confirmed_at is None
    say(charge, "SUCCEEDED", charge.amount)
    order.refresh_from_db()
    assert order.confirmed_at is not None
    assert sorted(events_of(order)) == BOTH
    say(charge, "SUCCEEDED", charge.amount)
    assert sorted(events_of(order)) == BOTH


def test_another_charge_confirms_nothing(api: ApiClient) -> None:
    """A second success says nothing of the money that paid the order."""
    order = create(api)
    first = start(order)
    second = start(order, personType="JURIDICA")
    say(first, "SUCCEEDED", first.amount, is_confirmed=False)
    say(second, "SUCCEEDED", second.amount)
    order.refresh_from_db()
    assert order.confirmed_at is None
    assert events_of(order) == ["payment.completed"]


def test_more_money_does_not_end_the_queries(api: ApiClient) -> None:
    order = create(api)
    charge = start(order, "BANK_TRANSFER")
    say(charge, "SUCCEEDED", charge.amount, is_confirmed=False)
    say(charge, "SUCCEEDED", charge.amount + 1000, is_confirmed=False)
    charge.refresh_from_db()
    assert charge.reconcile_at is not None
    with time_machine.travel(clock.now() + timedelta(minutes=1)):
        say(charge, "SUCCEEDED", charge.amount + 1000)
    assert sorted(events_of(order)) == BOTH


def test_an_unpaid_order_is_never_confirmed(api: ApiClient) -> None:
    order = create(api)
    charge = start(order)
    say(charge, "FAILED", reason="REFUSED_BY_BANK")
    order.refresh_from_db()
    assert (order.status, order.confirmed_at) == ("FAILED", None)
