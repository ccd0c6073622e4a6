"""A merchant cancels an unpaid order; a payer who is paying is never cut off."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine

from merchants.models import Merchant
from payments.collect.models import UnmatchedFunds
from payments.collect.services.endings import cancellation, expiry
from payments.collect.services.errors import OrderNotCancellable
from payments.core import clock
from payments.core.models import AuditEntry, Transition
from payments.simulator import control
from tests.support.charges import books_are_clean, create, events_of, say, start
from tests.support.fixtures import ApiClient
from tests.support.funds import available
from tests.support.refunds import paid, told

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _enabled(merchant: Merchant, settings: Any) -> None:
    settings.DOORBELL = False
    merchant.event_kinds = ["payment.cancelled", "payment.expired"]
    merchant.save()


def cancel(api: ApiClient, order: Any) -> Any:
    return api.post(f"/collect/{order.pk}/cancel")


def test_merchant_cancels_an_unpaid_order_and_gets_one_event(
    api: ApiClient, merchant: Merchant
) -> None:
    order = create(api)
    answer = cancel(api, order)

    assert answer.status_code == 200
    assert (answer.body["data"]["status"], answer.body["data"]["id"]) == ("EXPIRED", order.pk)
    assert answer.body["data"]["cancelledAt"] is not None
    ((kind, data),) = told(order)
    assert kind == "payment.cancelled"
    assert (data["status"], data["paidAt"], data["amount"]) == ("EXPIRED", None, 50025)
    assert Transition.objects.get(subject_id=order.pk).actor == merchant.pk
    assert AuditEntry.objects.filter(action="order.cancelled", subject_id=order.pk).exists()


def test_cancelling_again_returns_the_same_order(api: ApiClient) -> None:
    order = create(api)
    assert cancel(api, order).content == cancel(api, order).content
    assert events_of(order) == ["payment.cancelled"]


def test_the_clock_does_not_expire_it_again(api: ApiClient) -> None:
    order = create(api)
    cancel(api, order)
    with time_machine.travel(clock.now() + timedelta(hours=2)):
        expiry.expire_due(now=clock.now())
    assert events_of(order) == ["payment.cancelled"]


@pytest.mark.parametrize("end", ["COMPLETED", "FAILED", "EXPIRED"])
def test_what_has_ended_otherwise_cannot_be_cancelled(api: ApiClient, end: str) -> None:
    order = create(api)
    assert api.post(f"/sandbox/collect/{order.pk}", {"status": end}).status_code == 200
    answer = cancel(api, order)
    assert (answer.status_code, answer.body["error"]["code"]) == (400, "ORDER_NOT_CANCELLABLE")
    assert "payment.cancelled" not in events_of(order)


def test_a_payer_at_the_bank_is_not_cut_off(api: ApiClient) -> None:
    order = create(api)
    charge = start(order)
    assert cancel(api, order).body["error"]["code"] == "ORDER_NOT_CANCELLABLE"
    # Once the rail reports that the attempt failed, no payer is there any more.
    control.resolve(charge.pk, control.ChargeStatus.ABANDONED)
    assert cancel(api, order).body["data"]["status"] == "EXPIRED"


def test_rail_is_queried_before_a_cancellation_and_has_the_money(
    api: ApiClient, monkeypatch: Any
) -> None:
    """The payer approved, and we had not heard: the order is paid, not cancelled."""
    order = create(api)
    charge = start(order)
    with monkeypatch.context() as deaf:
        deaf.setattr(control.callbacks, "send", lambda *_: 500)
        control.resolve(charge.pk, control.ChargeStatus.SUCCEEDED)
    assert cancel(api, order).body["error"]["code"] == "ORDER_NOT_CANCELLABLE"
    order.refresh_from_db()
    assert order.status == "COMPLETED"


def test_a_coin_on_its_way_holds_the_order(api: ApiClient) -> None:
    order = create(api)
    charge = start(order, "CRYPTO", coin="USDT")
    control.deposit(charge.pk, charge.amount, confirmed=False)
    assert cancel(api, order).body["error"]["code"] == "ORDER_NOT_CANCELLABLE"


def test_late_money_waits_for_an_operator(api: ApiClient, merchant: Merchant) -> None:
    order = create(api)
    charge = start(order, "BANK_TRANSFER")
    assert cancel(api, order).body["data"]["status"] == "EXPIRED"
    charge.refresh_from_db()
    assert charge.reconcile_at is not None  # the rail is asked on: a lost callback loses no money
    say(charge, "SUCCEEDED", charge.amount)

    funds = UnmatchedFunds.objects.get(order=order)
    assert (funds.amount, funds.reason) == (50025, "LATE")
    assert available(merchant) == 0
    assert books_are_clean()


def test_a_part_that_came_waits_for_an_operator(api: ApiClient, merchant: Merchant) -> None:
    order = create(api)
    charge = start(order, "BANK_TRANSFER")
    say(charge, "RECEIVED", 20_000)
    assert cancel(api, order).body["data"]["status"] == "EXPIRED"
    assert UnmatchedFunds.objects.get(order=order).reason == "PARTIAL_EXPIRED"
    assert books_are_clean()


def test_an_operator_cancels_with_a_reason(api: ApiClient) -> None:
    order = create(api)
    cancellation.cancel_order(order=order, now=clock.now(), actor="ana", reason="by phone")
    assert Transition.objects.get(subject_id=order.pk).reason == "by phone"
    with pytest.raises(OrderNotCancellable):
        cancellation.cancel_order(order=paid(api), now=clock.now(), actor="ana", reason="by phone")
