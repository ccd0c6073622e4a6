"""The payer's receipt says what of the payment went back, when, and what is under way."""

import re

import pytest

from payments.collect.models import Order, Refund
from payments.collect.services.refunds import refund_approvals
from payments.collect.services.refunds.refund_engine import engine
from payments.core import clock
from tests.collect.test_pages.conftest import Payer
from tests.support.fixtures import ApiClient
from tests.support.refunds import approve, asked, paid, reject

pytestmark = pytest.mark.django_db


def read(order: Order) -> str:
    page = Payer(order).see("?lang=en")
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


@pytest.fixture
def bought(api: ApiClient) -> Order:
    api.post("/sandbox/balance", {"currency": "COPM", "amount": 100_000})
    return paid(api)


def test_approved_refund_is_under_way_until_it_is_paid(api: ApiClient, bought: Order) -> None:
    refund = asked(api, bought, amount=20_000)
    assert "Refund under way" not in read(bought)  # an operator may still reject it

    refund_approvals.approve(refund=refund, actor="ana", reason="seen", now=clock.now())
    page = read(bought)
    assert "Refund under way: $ 20,000 COP" in page
    assert "It was approved. It can arrive in minutes or in business days" in page
    assert "Returned to you" not in page

    engine.send(payment_id=refund.pk, now=clock.now())
    assert Refund.objects.get(pk=refund.pk).status == "COMPLETED"
    page = read(bought)
    assert "Refund under way" not in page
    assert re.search(r"Returned to you \$ 20,000 COP Returned on \w+ \d+", page)


def test_receipt_says_first_what_went_back_and_does_not_leave_by_itself(
    api: ApiClient, bought: Order
) -> None:
    Order.objects.filter(pk=bought.pk).update(callback_url="https://cafe.example/done")
    assert "data-returning" in Payer(bought).see("?lang=en")
    approve(asked(api, bought, amount=20_000))
    page = read(bought)
    assert "Paid, and returned in part" in page
    assert "returned $ 20,000 COP to you; $ 30,025 COP stay paid." in page
    assert "We take you back in" not in page
    approve(asked(api, bought, key="r-2", amount=30_025))
    page = read(bought)
    assert "Your money was returned" in page
    assert "sees your payment already" not in page


def test_rejected_refund_is_not_under_way(api: ApiClient, bought: Order) -> None:
    reject(asked(api, bought, amount=20_000))
    page = read(bought)
    assert "Refund under way" not in page
    assert "Returned on" not in page


def test_receipt_offers_its_public_link_to_share(bought: Order) -> None:
    page = Payer(bought).see("?lang=en")
    (shared,) = re.findall(r'data-share="([^"]+)"[^>]* hidden>', page)
    assert re.fullmatch(r"http://testserver/verify/[0-9A-Z-]{14}", shared)
    assert bought.token not in shared
