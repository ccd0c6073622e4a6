"""A link never makes more orders than it has uses, and an order that ends unpaid gives its back."""

from datetime import timedelta
from decimal import Decimal

import pytest

from merchants.models import Merchant
from payments.collect.models import Order
from payments.collect.services.endings import cancellation, expiry
from payments.collect.services.errors import OrderNotRetryable, ReferenceTaken
from payments.collect.services.orders import order_creation, retries
from payments.collect.services.orders.order_creation import NewOrder
from payments.core import clock
from payments.core.errors import ValidationFailed
from payments.links.models import PaymentLink
from payments.links.services import links, payments
from payments.links.services.availability import figures
from payments.links.services.errors import LinkNotPayable
from tests.links.conftest import MakeLink, new_link, pay
from tests.support.concurrency import run_concurrently
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.django_db


def refusal(link: PaymentLink, **answers: object) -> str:
    with pytest.raises(LinkNotPayable) as caught:
        pay(link, **answers)
    return caught.value.availability


def test_order_has_what_the_payer_filled_in_and_the_id_of_its_link(make_link: MakeLink) -> None:
    link = make_link(own_fields=[{"label": "Mesa", "required": True}])
    order = pay(
        link,
        phone="3001234567",
        document_type="CC",
        document_number="1020304050",
        answers=(("Mesa", "7"),),
    )
    order.refresh_from_db()
    assert (order.link_id, order.reference) == (link.pk, f"{link.code}-1")
    assert (order.base_amount, order.fee_amount, order.amount) == (50000, 25, 50025)
    assert (order.customer_name, order.customer_phone) == ("María Gómez", "3001234567")
    assert order.description == link.title
    assert order.metadata == '{"Mesa":"7"}'
    assert order.status == Order.Status.PENDING


def test_references_of_a_link_count_up(make_link: MakeLink) -> None:
    link = make_link()
    assert [pay(link).reference for _each in range(3)] == [f"{link.code}-{n}" for n in (1, 2, 3)]


def take(link: PaymentLink, *numbers: int) -> None:
    """The merchant's API has orders with these references."""
    for number in numbers:
        order_creation.create_order(
            merchant=link.merchant, new_order=own_order(f"{link.code}-{number}"), now=clock.now()
        )


def own_order(reference: str) -> NewOrder:
    return NewOrder(
        reference=reference,
        amount=Decimal(70000),
        currency="COP",
        description="Own",
        customer_name="Ana",
        customer_email="ana@example.com",
        customer_doc_type="CC",
        customer_doc_number="1",
        expiration_minutes=60,
        callback_url=None,
        allowed_methods=None,
        metadata="",
    )


def test_references_that_the_api_has_used_stop_no_payment_of_the_link(make_link: MakeLink) -> None:
    link = make_link(max_uses=3)
    take(link, 1, 2, 4)
    made = [pay(link) for _each in range(3)]
    assert [order.reference for order in made] == [f"{link.code}-{n}" for n in (3, 5, 6)]
    assert {order.base_amount for order in made} == {50000}
    assert refusal(link) == "BUSY"


def test_long_run_of_used_references_stops_no_payment_of_the_link(
    make_link: MakeLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(payments, "_LOOK_AHEAD", 2)
    link = make_link()
    take(link, 1, 2, 3, 4, 5)
    number = int(pay(link).reference.rpartition("-")[2])
    assert number > 5
    assert pay(link).reference == f"{link.code}-{number + 1}"


@pytest.mark.django_db(transaction=True)
def test_api_and_payers_who_want_the_same_references_at_once_all_get_their_order(
    merchant: Merchant,
) -> None:
    link = new_link(merchant)
    api = [lambda n=number: take(link, n) for number in range(1, 5)]
    results = run_concurrently([*api, *(lambda: pay(link) for _each in range(4))])
    paid = [result for result in results[4:] if isinstance(result, Order)]
    assert len(paid) == 4, results
    assert len({order.reference for order in paid}) == 4
    refused = [result for result in results[:4] if result is not None]
    assert all(isinstance(one, ReferenceTaken) for one in refused), refused
    assert figures(link).orders == 4


def test_same_form_sent_twice_makes_one_order(make_link: MakeLink) -> None:
    link = make_link(max_uses=1)
    assert pay(link, form_key="once") == pay(link, form_key="once")
    assert figures(link).orders == 1


def test_form_sent_again_with_other_values_is_another_form(make_link: MakeLink) -> None:
    link = make_link()
    pay(link, form_key="once")
    with pytest.raises(payments.FormChanged):
        pay(link, form_key="once", name="Otra Persona")


def test_link_of_one_use_is_busy_while_one_payer_pays_and_used_up_after(
    make_link: MakeLink, api: ApiClient
) -> None:
    link = make_link(max_uses=1)
    order = pay(link)
    assert refusal(link) == "BUSY"
    api.post(f"/sandbox/collect/{order.pk}", {"status": "COMPLETED"})
    assert refusal(link) == "USED_UP"
    assert figures(link).collected == 50000


def test_stock_that_is_paid_for_is_sold_out(make_link: MakeLink, api: ApiClient) -> None:
    link = make_link(stock=2)
    for order in (pay(link), pay(link)):
        api.post(f"/sandbox/collect/{order.pk}", {"status": "COMPLETED"})
    assert refusal(link) == "SOLD_OUT"
    links.update_link(link=link, actor="sofia", now=clock.now(), stock=3)
    assert pay(link).link_id == link.pk


@pytest.mark.parametrize("end", ["FAILED", "EXPIRED"])
def test_order_that_fails_or_expires_gives_its_use_back(
    make_link: MakeLink, api: ApiClient, end: str
) -> None:
    link = make_link(max_uses=1)
    order = pay(link)
    api.post(f"/sandbox/collect/{order.pk}", {"status": end})
    assert figures(link).taken == 0
    assert pay(link).pk != order.pk


def test_order_past_its_time_gives_its_use_back(make_link: MakeLink) -> None:
    link = make_link(max_uses=1)
    order = pay(link)
    later = order.expires_at + timedelta(seconds=1)
    expiry.expire_if_due(order_id=order.pk, now=later)
    assert pay(link, now=later).pk != order.pk


def test_cancelled_order_gives_its_use_back(make_link: MakeLink) -> None:
    link = make_link(stock=1)
    order = pay(link)
    cancellation.cancel_order(order=order, now=clock.now(), actor="ana", reason="Wrong size")
    assert pay(link).pk != order.pk


def test_payer_who_begins_again_does_not_wait_for_their_own_use(make_link: MakeLink) -> None:
    link = make_link(max_uses=1)
    first = pay(link)
    payments.abandon(order=first, now=clock.now())
    second = pay(link)
    first.refresh_from_db()
    assert first.cancelled_at is not None
    assert second.status == Order.Status.PENDING


def test_another_try_after_a_refusal_takes_a_use_of_the_link(
    make_link: MakeLink, api: ApiClient
) -> None:
    link = make_link(max_uses=1)
    first = pay(link, phone="3001234567")
    api.post(f"/sandbox/collect/{first.pk}", {"status": "FAILED"})
    first.refresh_from_db()
    again = retries.retry_order(order=first, now=clock.now())
    assert (again.link_id, again.customer_phone) == (link.pk, "3001234567")
    assert refusal(link) == "BUSY"


def test_refused_order_is_not_tried_again_when_another_payer_took_its_use(
    make_link: MakeLink, api: ApiClient
) -> None:
    link = make_link(max_uses=1)
    first = pay(link)
    api.post(f"/sandbox/collect/{first.pk}", {"status": "FAILED"})
    pay(link)
    first.refresh_from_db()
    assert not retries.may_try_again(order=first, now=clock.now())
    with pytest.raises(OrderNotRetryable):
        retries.retry_order(order=first, now=clock.now())


def test_open_amount_has_its_minimum_and_maximum(make_link: MakeLink) -> None:
    link = make_link(amount=None, min_amount=Decimal(5000), max_amount=Decimal(90000))
    assert pay(link, amount=Decimal(5000)).base_amount == 5000
    for wrong in (Decimal(4999), Decimal(90001), None):
        with pytest.raises(ValidationFailed):
            pay(link, amount=wrong)


def test_fixed_amount_is_not_the_payers_choice(make_link: MakeLink) -> None:
    assert pay(make_link(), amount=Decimal(1000)).base_amount == 50000


def test_paused_ended_and_expired_links_take_no_payment(make_link: MakeLink) -> None:
    now = clock.now()
    link = make_link(expires_at=now + timedelta(hours=1))
    links.pause_link(link=link, actor="sofia", now=now)
    assert refusal(link) == "PAUSED"
    links.resume_link(link=link, actor="sofia", now=now)
    assert pay(link)
    with pytest.raises(LinkNotPayable) as caught:
        pay(link, now=now + timedelta(hours=1))
    assert caught.value.availability == "EXPIRED"
    links.end_link(link=link, actor="sofia", now=now)
    assert refusal(link) == "ENDED"


def test_link_of_a_merchant_who_is_not_active_takes_no_payment(
    make_link: MakeLink, merchant: Merchant
) -> None:
    link = make_link()
    Merchant.objects.filter(pk=merchant.pk).update(is_active=False)
    assert refusal(link) == "MERCHANT_NOT_ACTIVE"


def test_open_orders_of_a_link_have_a_limit(make_link: MakeLink, settings: object) -> None:
    settings.LINK_MAX_OPEN_ORDERS = 2  # type: ignore[attr-defined]
    link = make_link()
    pay(link), pay(link)
    assert refusal(link) == "BUSY"


@pytest.mark.django_db(transaction=True)
def test_ten_payers_at_once_get_no_more_orders_than_there_are_uses(merchant: Merchant) -> None:
    link = new_link(merchant, max_uses=3)
    results = run_concurrently([lambda: pay(link) for _each in range(10)])
    made = [result for result in results if isinstance(result, Order)]
    refused = [result for result in results if isinstance(result, LinkNotPayable)]
    assert (len(made), len(refused)) == (3, 7)
    assert len({order.reference for order in made}) == 3


@pytest.mark.django_db(transaction=True)
def test_uses_that_come_back_while_others_pay_are_given_once(merchant: Merchant) -> None:
    link = new_link(merchant, max_uses=4)
    old = [pay(link) for _each in range(4)]
    later = old[0].expires_at + timedelta(seconds=1)
    acts = [lambda o=order: expiry.expire_if_due(order_id=o.pk, now=later) for order in old]
    results = run_concurrently([*acts, *(lambda: pay(link, now=later) for _each in range(8))])
    assert not [
        r for r in results if isinstance(r, Exception) and not isinstance(r, LinkNotPayable)
    ]
    refill = [pay(link, now=later) for _each in range(4 - figures(link).taken)]
    made = [r for r in results if isinstance(r, Order)] + refill
    assert len(made) == 4
    assert refusal(link) == "BUSY"


@pytest.mark.django_db(transaction=True)
def test_one_form_sent_by_five_clicks_makes_one_order(merchant: Merchant) -> None:
    link = new_link(merchant)
    results = run_concurrently([lambda: pay(link, form_key="five") for _each in range(5)])
    assert len({order.pk for order in results if isinstance(order, Order)}) == 1
    assert figures(link).orders == 1
