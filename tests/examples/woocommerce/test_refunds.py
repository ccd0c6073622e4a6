"""A refund of a WooCommerce shop waits for the operator, and is finished or taken back."""

import pytest

from payments.collect.models import Order, Refund
from tests.examples.woocommerce.conftest import Shop

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def ask(shop: Shop, order: int, amount: int) -> str:
    said = shop.do("refund", order=order, amount=amount, reason="Agotado")
    assert isinstance(said, str)
    return said


def decide(shop: Shop, status: str) -> None:
    """The newest refund, in the sandbox."""
    refund = Refund.objects.latest("created_at")
    done = shop.api.post(f"/sandbox/refund/{refund.pk}", {"status": status})
    assert done.status_code == 200, done.content


def test_a_partial_refund_waits_and_is_done(shop: Shop, paid: int) -> None:
    assert ask(shop, paid, 20000) == "booked"
    refund = Refund.objects.get()
    assert (refund.amount, refund.reason, refund.status) == (20000, "Agotado", "PENDING")
    seen = shop.see(paid)
    assert (seen["status"], seen["refunds"]) == ("processing", [["20000", "PENDING"]])
    assert any("An operator decides" in note for note in seen["notes"])
    assert shop.do("mails", order=paid) is False
    decide(shop, "APPROVED")
    shop.receive()
    assert any("was approved" in note for note in shop.see(paid)["notes"])
    decide(shop, "COMPLETED")
    shop.receive()
    seen = shop.see(paid)
    assert (seen["status"], seen["refunds"]) == ("processing", [["20000", "COMPLETED"]])
    assert seen["told"] == [f"Your refund of $20.000 COP has been paid ({refund.pk})."]
    assert shop.do("mails", order=paid) is True


def test_a_rejected_refund_is_taken_back(shop: Shop, paid: int) -> None:
    ask(shop, paid, 20000)
    decide(shop, "REJECTED")
    shop.receive()
    seen = shop.see(paid)
    assert (seen["status"], seen["refunds"], seen["told"]) == ("processing", [], [])
    assert any("NOT made: an operator rejected it" in note for note in seen["notes"])
    assert ask(shop, paid, 120000) == "booked"


def test_the_order_is_refunded_when_the_money_has_gone_back(shop: Shop, paid: int) -> None:
    """The shop's total is baseAmount: the buyer's fee is not part of it."""
    ask(shop, paid, 120000)
    assert shop.see(paid)["status"] == "processing"
    decide(shop, "COMPLETED")
    shop.receive()
    assert shop.see(paid)["status"] == "refunded"
    assert (Order.objects.get().amount, Refund.objects.get().amount) == (120060, 120000)


def test_the_shop_may_return_the_fee_with_the_last_part(shop: Shop, paid: int) -> None:
    shop.set_option(refund_fee="yes")
    shop.api.post("/sandbox/balance", {"currency": "COPM", "amount": 500000})
    ask(shop, paid, 50000)
    ask(shop, paid, 70000)
    amounts = Refund.objects.order_by("created_at").values_list("amount", flat=True)
    assert list(amounts) == [50000, 70060]


def test_a_refund_that_the_service_refuses_is_not_booked(shop: Shop, paid: int) -> None:
    attempt = shop.attempt(paid)
    opened = shop.api.post(f"/sandbox/collect/{attempt['id']}/dispute", {})
    assert opened.status_code == 201, opened.content
    said = ask(shop, paid, 20000)
    assert said.startswith("Pasarela refused the refund: ")
    assert shop.see(paid)["refunds"] == []
    assert not Refund.objects.exists()


def test_an_unknown_answer_books_the_refund_and_cron_asks_with_the_same_key(
    shop: Shop, paid: int
) -> None:
    shop.do("world", set={"network": ["lost"] * 3})
    assert ask(shop, paid, 20000) == "booked"
    assert shop.see(paid)["refunds"] == [["20000", "SENDING"]]
    assert any("did not answer" in note for note in shop.see(paid)["notes"])
    shop.do("cron")
    assert shop.see(paid)["refunds"] == [["20000", "PENDING"]]
    assert Refund.objects.count() == 1


def test_an_unknown_answer_that_was_a_refusal_is_taken_back(shop: Shop, paid: int) -> None:
    attempt = shop.attempt(paid)
    shop.api.post(f"/sandbox/collect/{attempt['id']}/dispute", {})
    shop.do("world", set={"network": ["cut"] * 3})
    assert ask(shop, paid, 20000) == "booked"
    shop.do("cron")
    seen = shop.see(paid)
    assert seen["refunds"] == []
    assert any("NOT made" in note for note in seen["notes"])


def test_a_refusal_by_the_bank_has_no_event_and_cron_finds_it(shop: Shop) -> None:
    order = shop.order()
    shop.pay(order, pasarela_doc_number="9999002014")  # the refund stays with the rail
    shop.answer(shop.attempt(order), "COMPLETED")
    shop.receive()
    ask(shop, order, 20000)
    decide(shop, "FAILED")
    assert shop.see(order)["refunds"] != []
    shop.do("cron")
    assert shop.see(order)["refunds"] == []


def test_a_refund_of_the_console_is_booked_once(shop: Shop, paid: int) -> None:
    attempt = shop.attempt(paid)
    headers = {"Idempotency-Key": "console-1"}
    body = {"amount": 30000, "reason": "A call"}
    path = f"/collect/{attempt['id']}/refunds"
    assert shop.api.post(path, body, headers=headers).status_code == 201
    decide(shop, "COMPLETED")
    shop.receive()
    shop.do("cron")
    assert shop.see(paid)["refunds"] == [["30000", "COMPLETED"]]


def test_an_order_that_was_paid_otherwise_is_not_refunded(shop: Shop) -> None:
    order = shop.order(status="processing")
    assert "was not paid with Pasarela" in ask(shop, order, 20000)
    assert shop.see(order)["refunds"] == []
