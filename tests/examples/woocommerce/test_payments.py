"""Orders of a WooCommerce shop are paid once, by whichever try."""

from typing import Any

import pytest

from payments.collect.models import Order
from payments.collect.services.orders.retries import retry_order
from payments.core import clock
from tests.examples.woocommerce.conftest import Shop
from tests.support.factories import MerchantFactory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def test_an_order_is_paid_by_a_webhook(shop: Shop) -> None:
    order = shop.order()
    sent = shop.pay(order)
    made = Order.objects.get()
    assert sent == {"result": "success", "redirect": shop.attempt(order)["url"], "notices": []}
    assert (made.base_amount, made.amount, made.currency) == (120000, 120060, "COP")
    assert (made.customer_doc_type, made.customer_doc_number) == ("CC", "1020304050")
    assert made.callback_url == (
        f"https://tienda.example/checkout/order-received/{order}/?key=wc_order_{order}"
    )
    assert made.description == f"Order {order}, Café & Té"
    assert "waiting for the confirmation" in shop.do("return page", order=order)
    shop.answer(shop.attempt(order), "COMPLETED")
    assert [200, "done"] in shop.receive()
    seen = shop.see(order)
    assert (seen["status"], seen["transaction"]) == ("processing", made.pk)
    assert seen["document"] == ["CC", "1020304050"]
    assert any("$120.000 COP" in note for note in seen["notes"])
    assert "have received" in shop.do("return page", order=order)


def test_a_refused_payment_is_tried_again_under_a_new_reference(shop: Shop) -> None:
    order = shop.order()
    shop.pay(order)
    shop.answer(shop.attempt(order), "FAILED")
    shop.receive()
    seen = shop.see(order)
    assert seen["status"] == "failed"
    assert any("was refused" in note for note in seen["notes"])
    assert "Try again" in shop.do("return page", order=order)
    shop.pay(order)
    first, second = shop.see(order)["attempts"]
    assert (first["status"], second["status"]) == ("FAILED", "PENDING")
    assert first["reference"].endswith(f"-{order}-1")
    assert second["reference"].endswith(f"-{order}-2")
    shop.answer(second, "COMPLETED")
    shop.receive()
    seen = shop.see(order)
    assert (seen["status"], seen["transaction"]) == ("processing", second["id"])


def test_a_second_click_leads_to_the_same_page(shop: Shop) -> None:
    order = shop.order()
    assert shop.pay(order)["redirect"] == shop.pay(order)["redirect"]
    assert Order.objects.count() == 1


@pytest.mark.parametrize("fate", ["cut", "lost"])
def test_a_lost_answer_makes_no_second_order(shop: Shop, fate: str) -> None:
    order = shop.order()
    shop.do("world", set={"network": [fate, fate]})
    assert shop.pay(order)["result"] == "success"
    posts = [each for each in shop.requests() if each[0] == "POST"]
    assert len(posts) == 3
    assert len({key for _, _, key in posts}) == 1
    assert Order.objects.count() == 1


def test_after_an_unknown_outcome_the_next_click_asks_with_the_same_key(shop: Shop) -> None:
    order = shop.order()
    shop.do("world", set={"network": ["lost"] * 3})
    failed = shop.pay(order)
    assert failed["result"] == "failure"
    assert "could not be started" in failed["notices"][0]
    assert shop.attempt(order)["status"] == "SENDING"
    assert shop.pay(order)["result"] == "success"
    assert len({key for method, _, key in shop.requests() if method == "POST"}) == 1
    assert Order.objects.count() == 1


def test_a_new_total_cancels_the_page_of_the_old_one(shop: Shop) -> None:
    order = shop.order()
    old = shop.pay(order)["redirect"]
    shop.do("change", order=order, set={"total": "90000"})
    assert shop.pay(order)["redirect"] != old
    assert sorted(Order.objects.values_list("base_amount", "status")) == [
        (90000, "PENDING"),
        (120000, "EXPIRED"),
    ]


def test_no_second_page_while_the_buyer_is_at_the_bank(shop: Shop) -> None:
    order = shop.order()
    page = shop.pay(order)["redirect"]
    Order.objects.update(status="PROCESSING")
    assert shop.pay(order)["redirect"] == page
    assert shop.do("may cancel", order=order) is False
    shop.do("change", order=order, set={"total": "90000"})
    assert "another amount is under way" in shop.pay(order)["notices"][0]
    assert Order.objects.count() == 1


def test_what_the_payer_tries_again_on_the_payment_page_is_no_second_payment(shop: Shop) -> None:
    merchant = shop.api.merchant
    assert merchant
    merchant.retry_enabled = True
    merchant.save()
    order = shop.order()
    shop.pay(order)
    shop.answer(shop.attempt(order), "FAILED")
    shop.receive()
    sibling = retry_order(order=Order.objects.get(), now=clock.now())
    sent = shop.pay(order)
    assert sent["result"] == "success"
    assert Order.objects.count() == 2
    assert shop.attempt(order)["id"] == sibling.pk
    shop.answer(shop.attempt(order), "COMPLETED")
    shop.receive()
    assert shop.see(order)["transaction"] == sibling.pk


def test_an_account_that_is_changed_leaves_old_pages_behind(shop: Shop) -> None:
    order = shop.order()
    shop.pay(order)
    Order.objects.update(merchant=MerchantFactory(name="Otra Tienda", email="hola@otratienda.co"))
    assert shop.pay(order)["result"] == "success"
    assert [each["status"] for each in shop.see(order)["attempts"]] == ["ABANDONED", "PENDING"]


@pytest.mark.parametrize("home", ["http://tienda.example", "http://localhost:8080"])
def test_a_shop_without_tls_sells_too(shop: Shop, home: str) -> None:
    shop.do("world", set={"home": home})
    order = shop.order()
    assert shop.pay(order)["result"] == "success"
    assert shop.pay(order)["redirect"] == shop.attempt(order)["url"]
    made = Order.objects.get()
    assert not (made.callback_url or "").startswith("http://tienda")


def test_a_reference_that_was_used_before_a_restored_backup_is_passed_over(shop: Shop) -> None:
    order = shop.order()
    shop.pay(order)
    shop.do("change", order=order, set={"meta": {}})
    shop.do("change", order=order, set={"total": "90000"})
    assert shop.pay(order)["result"] == "success"
    assert [each["status"] for each in shop.see(order)["attempts"]] == ["REFUSED", "PENDING"]


def test_an_older_try_that_is_paid_pays_the_order_and_the_newer_one_is_reported(
    shop: Shop,
) -> None:
    """The shop's plugin cancels the first page; here both are paid all the same."""
    order = shop.order()
    shop.pay(order)
    first = shop.attempt(order)
    shop.answer(first, "FAILED")
    shop.pay(order)
    second = shop.attempt(order)
    data = {
        "id": first["id"],
        "reference": first["reference"],
        "baseAmount": 120000,
        "amount": 120060,
        "currency": "COP",
        "status": "COMPLETED",
        "metadata": metadata_of(first),
    }
    assert shop.signed({"event": "payment.completed", "data": data}) == [200, "done"]
    shop.answer(second, "COMPLETED")
    shop.receive()
    seen = shop.see(order)
    assert (seen["transaction"], seen["completed"]) == (first["id"], 1)
    assert sum("paid twice" in note for note in seen["notes"]) == 1
    assert any(line.startswith("critical") for line in shop.do("see world", name="log"))


def metadata_of(attempt: Any) -> Any:
    """What the plugin gave at the creation."""
    _, shop_name, order, _ = attempt["reference"].split("-")
    return {"shop": shop_name, "order": int(order)}


def test_money_for_a_cancelled_order_puts_it_on_hold(shop: Shop) -> None:
    order = shop.order()
    shop.pay(order)
    attempt = shop.attempt(order)
    shop.do("world", set={"network": ["cut"] * 3})  # the service does not hear of it
    shop.do("status", order=order, status="cancelled")
    shop.answer(attempt, "COMPLETED")
    shop.receive()
    seen = shop.see(order)
    assert (seen["status"], seen["transaction"], seen["completed"]) == ("on-hold", attempt["id"], 0)
    assert any("after the order had ended" in note for note in seen["notes"])


def test_a_cancelled_order_can_no_longer_be_paid(shop: Shop) -> None:
    order = shop.order()
    shop.pay(order)
    shop.do("status", order=order, status="cancelled")
    assert Order.objects.get().status == "EXPIRED"
    shop.receive()
    assert shop.see(order)["status"] == "cancelled"


def test_an_order_that_was_paid_is_not_cancelled_for_being_unpaid(shop: Shop) -> None:
    order = shop.order()
    shop.pay(order)
    assert shop.do("may cancel", order=order) is True
    shop.answer(shop.attempt(order), "COMPLETED")
    assert shop.do("may cancel", order=order) is False
    assert shop.see(order)["status"] == "processing"


@pytest.mark.parametrize("changed", [{"baseAmount": 1000}, {"currency": "USDC"}])
def test_another_amount_or_currency_delivers_nothing(shop: Shop, changed: Any) -> None:
    order = shop.order()
    shop.pay(order)
    attempt = shop.attempt(order)
    data = {
        "id": attempt["id"],
        "reference": attempt["reference"],
        "baseAmount": 120000,
        "amount": 120060,
        "currency": "COP",
        "status": "COMPLETED",
        "metadata": metadata_of(attempt),
    }
    event = {"event": "payment.completed", "data": data | changed}
    assert shop.signed(event) == [200, "done"]
    seen = shop.see(order)
    assert (seen["status"], seen["completed"]) == ("on-hold", 0)


def test_total_that_was_edited_after_the_payment_began_puts_the_order_on_hold(shop: Shop) -> None:
    order = shop.order()
    shop.pay(order)
    shop.do("change", order=order, set={"total": "150000"})
    shop.answer(shop.attempt(order), "COMPLETED")
    shop.receive()
    seen = shop.see(order)
    assert seen["status"] == "on-hold"
    assert any("$120.000 COP" in note and "$150.000 COP" in note for note in seen["notes"])


def test_the_gateway_is_offered_for_pesos_only(shop: Shop) -> None:
    assert shop.do("available") is True
    shop.do("world", set={"currency": "USD"})
    assert shop.do("available") is False
    shop.do("world", set={"currency": "COP", "cart_total": 999})
    assert shop.do("available") is False
    order = shop.order(currency="USD")
    failed = shop.pay(order)
    assert failed["notices"] == ["Only orders in Colombian pesos can be paid here."]
    assert not Order.objects.exists()


def test_a_nit_gets_its_check_digit_and_a_strange_one_is_asked_about_once(shop: Shop) -> None:
    order = shop.order()
    shop.pay(order, pasarela_doc_type="NIT", pasarela_doc_number="890.903.938")
    assert Order.objects.get().customer_doc_number == "890903938-8"
    wrong = {"pasarela_doc_type": "NIT", "pasarela_doc_number": "890.903.938-5"}
    other = shop.order()
    assert shop.pay(other, **wrong)["notices"] == [
        "The check digit of this NIT should be 8. Correct it, or send it again if your RUT says so."
    ]
    assert Order.objects.count() == 1
    assert shop.pay(other, **wrong)["result"] == "success"
    assert shop.see(other)["document"] == ["NIT", "890903938-5"]


@pytest.mark.parametrize("number", ["", "12", "ABC1234567", "1" * 11, "<b>"])
def test_a_number_that_is_no_document_is_refused(shop: Shop, number: str) -> None:
    assert shop.pay(shop.order(), pasarela_doc_number=number)["result"] == "invalid"
    assert not Order.objects.exists()


def test_wait_for_finality_keeps_the_order_on_hold(shop: Shop, service: Any) -> None:
    shop.set_up(service.port, wait_for_finality="yes")
    order = shop.order()
    shop.pay(order)
    attempt = shop.attempt(order)
    data = {
        "id": attempt["id"],
        "reference": attempt["reference"],
        "baseAmount": 120000,
        "amount": 120060,
        "currency": "COP",
        "status": "COMPLETED",
        "metadata": metadata_of(attempt),
    }
    shop.signed({"event": "payment.completed", "data": data}, "evt_1")
    assert shop.see(order)["status"] == "on-hold"
    shop.signed({"event": "payment.confirmed", "data": data}, "evt_2")
    seen = shop.see(order)
    assert (seen["status"], seen["completed"]) == ("processing", 1)


def test_events_of_another_shop_of_the_account_are_left_alone(shop: Shop) -> None:
    order = shop.order()
    shop.pay(order)
    attempt = shop.attempt(order)
    ours = metadata_of(attempt)
    data = {
        "id": attempt["id"],
        "reference": attempt["reference"],
        "baseAmount": 120000,
        "amount": 120060,
        "currency": "COP",
        "status": "COMPLETED",
    }

    def told(**changes: Any) -> Any:
        return shop.signed({"event": "payment.completed", "data": {**data, **changes}})

    assert told() == [200, "not of this shop"]
    assert told(metadata={**ours, "shop": "ffffff"}) == [200, "not of this shop"]
    assert told(metadata={**ours, "order": order + 1000}) == [200, "no such order"]
    assert told(metadata={**ours, "order": shop.order()}) == [200, "not of this order"]
    assert shop.see(order)["status"] == "pending"


def test_payment_of_another_merchant_is_no_payment(shop: Shop) -> None:
    stranger = MerchantFactory(name="Otra Tienda", email="hola@otratienda.co")
    order = shop.order()
    shop.pay(order)
    data = {"id": "x", "reference": "x", "status": "COMPLETED"}
    event = {"event": "payment.completed", "data": data}
    assert shop.signed(event, secret=stranger.webhook_secret) == [401, "not genuine"]
    assert shop.see(order)["status"] == "pending"
