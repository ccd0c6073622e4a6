"""Try again: a refused order stays refused; its payer pays a sibling of it, never two."""

import json
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.conf import settings
from django.db import IntegrityError, transaction

from merchants.models import Merchant
from payments.collect.models import Order
from payments.collect.services.endings import cancellation, expiry
from payments.collect.services.errors import OrderNotRetryable
from payments.collect.services.orders import retries
from payments.core import clock
from payments.providers import ports
from payments.simulator import control
from tests.collect.test_pages.conftest import (
    PERSON,
    Payer,
    charge_of,
    magic_document,
    pass_deadline,
)
from tests.support.charges import events_of, say, status_of
from tests.support.concurrency import run_concurrently
from tests.support.fixtures import ApiClient
from webhooks.models import Event

pytestmark = pytest.mark.django_db
BUTTON = "/again"


@pytest.fixture(autouse=True)
def _switched_on(order: Order) -> None:
    Merchant.objects.update(retry_enabled=True)


def refuse(order: Order) -> Payer:
    payer = Payer(order)
    payer.choose("/pse", magic_document("refused"))
    control.decide(charge_of(order).pk, ports.ChargeStatus.SUCCEEDED)
    assert status_of(order) == "FAILED"
    return payer


def sibling_of(order: Order) -> Order:
    return Order.objects.filter(retry_of=order).latest("created_at")


def try_again(order: Order) -> Order:
    return retries.retry_order(order=Order.objects.get(pk=order.pk), now=clock.now())


def test_payer_of_a_refused_order_pays_its_sibling(
    order: Order, api: ApiClient, settings: Any
) -> None:
    payer = refuse(order)
    assert f'action="{payer.url}/again"' in payer.see()
    page = payer.choose(BUTTON)
    sibling = sibling_of(order)
    assert "¿Cómo quieres pagar?" in page
    assert "Tu último intento con <strong>" in page
    assert f"/pay/{sibling.token}/pse" in page
    assert sibling.reference == f"{order.reference}-2"
    for name in (*retries.COPIED, "allowed_methods"):
        assert getattr(sibling, name) == getattr(order, name), name
    assert sibling.expires_at - sibling.created_at == order.expires_at - order.created_at
    Payer(sibling).choose("/pse", PERSON)
    control.decide(charge_of(sibling).pk, ports.ChargeStatus.SUCCEEDED)
    assert (status_of(order), status_of(sibling)) == ("FAILED", "COMPLETED")
    assert "cafeandino.example/gracias" in Payer(sibling).see()


def test_merchant_learns_which_order_was_repeated(order: Order, api: ApiClient) -> None:
    refuse(order).send(BUTTON)
    sibling = sibling_of(order)
    assert api.get(f"/collect/{sibling.pk}").body["data"]["retryOf"] == order.pk
    assert api.get(f"/collect/{order.pk}").body["data"]["retryOf"] is None
    Payer(sibling).choose("/pse", PERSON)
    control.decide(charge_of(sibling).pk, ports.ChargeStatus.SUCCEEDED)
    assert events_of(order) == ["payment.failed"]
    assert events_of(sibling) == ["payment.completed"]
    paid, failed = (
        json.loads(Event.objects.get(subject_id=pk).body) for pk in (sibling.pk, order.pk)
    )
    assert paid["data"]["retryOf"] == order.pk
    assert "retryOf" not in failed["data"]  # as the contract has it


def test_order_of_the_api_has_no_second_try_unless_the_merchant_wants_it(order: Order) -> None:
    Merchant.objects.update(retry_enabled=False)
    payer = refuse(order)
    assert BUTTON not in payer.see()
    assert "pídele otro enlace" in payer.see()
    assert payer.send(BUTTON).headers["Location"] == payer.url
    assert not Order.objects.filter(retry_of=order).exists()


def test_link_of_the_refused_order_leads_to_the_sibling(order: Order) -> None:
    payer = refuse(order)
    payer.send(BUTTON)
    sibling = sibling_of(order)
    assert payer.get(payer.url).headers["Location"] == f"/pay/{sibling.token}"
    Payer(sibling).choose("/pse", PERSON)
    control.decide(charge_of(sibling).pk, ports.ChargeStatus.SUCCEEDED)
    assert "Recibimos tu pago" in payer.see(follow=True)


def test_refused_sibling_may_be_tried_again_and_names_the_first_order(order: Order) -> None:
    refuse(order).send(BUTTON)
    second = sibling_of(order)
    payer = refuse(second)
    page = payer.choose(BUTTON)
    third = sibling_of(order)
    assert f"/pay/{third.token}/pse" in page
    assert (third.reference, third.retry_of_id) == (f"{order.reference}-3", order.pk)
    for refused in (order, second):
        assert Payer(refused).get(f"/pay/{refused.token}").headers["Location"].endswith(third.token)


def test_sibling_that_ran_out_of_time_is_followed_by_another(order: Order) -> None:
    payer = refuse(order)
    payer.send(BUTTON)
    second = sibling_of(order)
    pass_deadline(second)
    expiry.expire_if_due(order_id=second.pk, now=clock.now())
    payer.send(BUTTON)
    assert sibling_of(order).reference == f"{order.reference}-3"


def test_open_order_cannot_be_repeated(order: Order, payer: Payer) -> None:
    payer.choose("/pse", PERSON)
    with pytest.raises(OrderNotRetryable):
        try_again(order)
    control.decide(charge_of(order).pk, ports.ChargeStatus.SUCCEEDED)
    assert status_of(order) == "COMPLETED"
    with pytest.raises(OrderNotRetryable):
        try_again(order)


def test_cancelled_sibling_ends_the_tries(order: Order) -> None:
    refuse(order)
    second = try_again(order)
    cancellation.cancel_order(order=second, now=clock.now(), actor="shop", reason="sold out")
    with pytest.raises(OrderNotRetryable):
        try_again(order)
    assert BUTTON not in Payer(order).see()


def test_money_that_came_after_the_refusal_stops_a_second_payment(order: Order) -> None:
    payer = refuse(order)
    say(charge_of(order), "SUCCEEDED", 50_025)
    assert BUTTON not in payer.see()
    with pytest.raises(OrderNotRetryable):
        try_again(order)


def inactive(order: Order) -> None:
    Merchant.objects.update(is_active=False)


def no_method(order: Order) -> None:
    Merchant.objects.update(methods=[])


def no_currency(order: Order) -> None:
    Merchant.objects.update(currencies=["BTC"])


def long_ago(order: Order) -> None:
    past = clock.now() - timedelta(seconds=settings.COLLECT_RETRY_SECONDS)
    Order.objects.filter(pk=order.pk).update(expires_at=past)


def forgotten(order: Order) -> None:
    Order.objects.filter(pk=order.pk).update(customer_name="-")


@pytest.mark.parametrize("change", [inactive, no_method, no_currency, long_ago, forgotten])
def test_order_that_could_not_be_made_today_is_not_repeated(
    change: Callable[[Order], None], order: Order
) -> None:
    payer = refuse(order)
    change(order)
    assert BUTTON not in payer.see()
    with pytest.raises(OrderNotRetryable):
        try_again(order)


def test_tries_have_a_limit(order: Order, settings: Any) -> None:
    settings.COLLECT_MAX_RETRIES = 1
    refuse(order)
    refuse(try_again(order))
    assert BUTTON not in Payer(order).see()
    with pytest.raises(OrderNotRetryable):
        try_again(order)


def test_reference_of_a_sibling_is_free_and_fits(create: Callable[..., Order]) -> None:
    order = create(reference="R" * 100)
    create(reference="R" * 98 + "-2")
    refuse(order)
    assert try_again(order).reference == "R" * 98 + "-3"


@pytest.mark.django_db(transaction=True)
def test_payer_who_clicks_in_many_tabs_at_once_gets_one_sibling(order: Order) -> None:
    refuse(order)
    found = run_concurrently([lambda: try_again(order) for _tab in range(6)])
    assert len({one.pk for one in found if isinstance(one, Order)}) == 1
    assert all(isinstance(one, Order) for one in found), found
    assert Order.objects.filter(retry_of=order).count() == 1


@pytest.mark.django_db(transaction=True)
def test_family_of_orders_is_paid_once_whichever_tab_is_first(order: Order) -> None:
    """Tabs try again while the sibling is refused, and while its successor is paid."""
    refuse(order)
    second = try_again(order)
    Payer(second).choose("/pse", magic_document("refused"))
    control.decide(charge_of(second).pk, ports.ChargeStatus.SUCCEEDED)
    again: list[Callable[[], object]] = [lambda: try_again(order) for _tab in range(3)]
    run_concurrently([*again, *(lambda: try_again(second) for _tab in range(3))])
    third = sibling_of(order)
    Payer(third).choose("/transfer")
    charge = charge_of(third)
    pay: Callable[[], object] = lambda: control.deposit(charge.pk, Decimal(50_025))  # noqa: E731
    run_concurrently([pay, *again])
    assert status_of(third) == "COMPLETED"
    statuses = Order.objects.filter(retry_of=order).values_list("status", flat=True)
    assert sorted(statuses) == ["COMPLETED", "FAILED"]


def test_database_refuses_a_second_live_sibling(order: Order) -> None:
    refuse(order)
    second = try_again(order)
    twin = Order.objects.get(pk=second.pk)
    twin.pk, twin.token, twin.reference = "col_twin", "twin", "twin"
    with pytest.raises(IntegrityError, match="order_one_live_sibling"), transaction.atomic():
        twin.save(force_insert=True)
