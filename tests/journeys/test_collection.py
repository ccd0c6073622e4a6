"""The whole story of a collection, from the outside: merchant, payer, bank and receiver.

What becomes of the event when the receiver is bad is in test_bad_receiver.py.
"""

import re
from datetime import timedelta
from decimal import Decimal

import pytest
import time_machine
from django.test import Client

from merchants.models import Merchant
from payments.collect import tasks
from payments.core import clock
from tests.support.fixtures import ApiClient
from tests.support.funds import available
from tests.support.journey import (  # noqa: F401  its fixtures, too
    Receiver,
    _books_add_up,
    api,
    create,
    deposit,
    merchant,
    pay_at_the_bank,
    payer,
    read,
    receiver,
    submit,
    told,
)
from webhooks import dispatcher

# Fixtures are arguments named as the functions above.
# ruff: noqa: F811
pytestmark = pytest.mark.django_db(transaction=True)


def test_a_payment_at_the_bank_reaches_balance_and_receiver(
    api: ApiClient, merchant: Merchant, payer: Client, receiver: Receiver
) -> None:
    order = create(api, metadata={"pedido": 7, "precio": Decimal("1.10")})
    assert order["status"] == "PENDING"

    back = pay_at_the_bank(payer, order, "approve")

    assert back == f"{order['collectUrl']}/return"
    assert payer.get(back).status_code in (302, 303)
    paid = read(api, order)
    assert (paid["status"], paid["selectedMethod"]) == ("COMPLETED", "PSE")
    assert available(merchant) == 50000

    assert receiver.posts == []  # nothing is sent while a request is answered
    dispatcher.run()
    (event,) = receiver.believed()
    assert event == told(
        "payment.completed",
        paid,
        event["timestamp"],
        status="COMPLETED",
        metadata={"pedido": 7, "precio": 1.1},
        **{name: paid[name] for name in ("traceCode", "failureReason", "attempts")},
    )
    assert event["data"]["paidAt"] is not None
    (post,) = receiver.posts
    assert post.headers["Content-Type"] == "application/json"
    assert not receiver.accepts(post, clock.now(), post.get_data() + b" ")
    assert not receiver.accepts(post, clock.now() + timedelta(seconds=301))
    assert dispatcher.run().sent == 0
    assert len(receiver.posts) == 1
    statistics = api.get("/collect/stats").body["data"]
    assert (statistics["completed"], statistics["totalCollected"]) == (1, "50025")


def test_transfer_in_two_parts_completes_the_order(
    api: ApiClient, merchant: Merchant, payer: Client, receiver: Receiver
) -> None:
    order = create(api)
    deposit(payer, order, "20000")
    assert read(api, order)["status"] == "WAITING_TRANSFER"
    assert available(merchant) == 0
    dispatcher.run()
    assert receiver.posts == []

    desk = re.search(
        r"/simulator/transfer/\w+",
        payer.get(order["collectUrl"].removeprefix("http://testserver")).content.decode(),
    )
    assert desk
    submit(payer, desk[0], amount="30025")
    assert read(api, order)["status"] == "COMPLETED"
    assert available(merchant) == 50000
    dispatcher.run()
    assert [event["event"] for event in receiver.believed()] == ["payment.completed"]


@pytest.mark.parametrize("method", ["PSE", "BANK_TRANSFER", "CRYPTO"])
def test_sandbox_forces_the_same_outcomes(
    api: ApiClient, merchant: Merchant, receiver: Receiver, method: str
) -> None:
    order = create(api)
    wish = {"status": "COMPLETED", "method": method}
    assert api.post(f"/sandbox/collect/{order['id']}", wish).status_code == 200

    assert read(api, order)["selectedMethod"] == method
    assert available(merchant) == 50000
    dispatcher.run()
    (event,) = receiver.believed()
    assert (event["event"], event["data"]["amount"]) == ("payment.completed", 50025)


def test_payment_that_the_bank_refuses_fails_the_order(
    api: ApiClient, merchant: Merchant, payer: Client, receiver: Receiver
) -> None:
    order = create(api)
    pay_at_the_bank(payer, order, "refuse")

    failed = read(api, order)
    assert (failed["status"], failed["paidAt"]) == ("FAILED", None)
    assert available(merchant) == 0
    dispatcher.run()
    (event,) = receiver.believed()
    why = {name: event["data"][name] for name in ("traceCode", "failureReason", "attempts")}
    assert (why["failureReason"], why["attempts"]) == ("REFUSED_BY_BANK", 1)
    assert event == told("payment.failed", failed, event["timestamp"], status="FAILED", **why)
    assert event["data"]["paidAt"] is None


@pytest.mark.parametrize("enabled", [True, False])
def test_unpaid_order_expires_and_is_published(
    api: ApiClient, merchant: Merchant, receiver: Receiver, enabled: bool
) -> None:
    merchant.event_kinds = ["payment.expired"] if enabled else []
    merchant.save()
    order = create(api, expirationMinutes=5)

    with time_machine.travel(clock.now() + timedelta(minutes=4, seconds=50)) as traveller:
        tasks.expire_due()
        assert read(api, order)["status"] == "PENDING"
        traveller.shift(11)
        tasks.expire_due()
        assert read(api, order)["status"] == "EXPIRED"
        assert available(merchant) == 0
        dispatcher.run()
        events = receiver.believed()
        assert len(events) == enabled
        for event in events:
            expired = read(api, order)
            assert event == told("payment.expired", expired, event["timestamp"], status="EXPIRED")
            assert event["data"]["paidAt"] is None


def test_a_merchant_without_a_receiver_is_still_paid(api: ApiClient, merchant: Merchant) -> None:
    merchant.webhook_url = ""
    merchant.save()
    order = create(api)
    api.post(f"/sandbox/collect/{order['id']}", {"status": "COMPLETED"})
    dispatcher.run()

    assert read(api, order)["status"] == "COMPLETED"
    assert available(merchant) == 50000
