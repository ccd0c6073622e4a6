"""The whole story of a payment on a shop's own page: shop, payer, wallet or bank, receiver."""

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client

from merchants.models import Merchant
from tests.support.fixtures import ApiClient
from tests.support.funds import available
from tests.support.journey import (
    Receiver,
    _books_add_up,
    api,
    create,
    merchant,
    payer,
    read,
    receiver,
    submit,
)
from webhooks import dispatcher

__all__ = ["_books_add_up", "api", "merchant", "payer", "receiver"]
pytestmark = pytest.mark.django_db(transaction=True)
RETURN_URL = "https://cafeandino.example/gracias?pedido=7"


def start(api: ApiClient, order: dict[str, Any], method: str, **changes: Any) -> dict[str, Any]:
    """The shop asks for the methods, fills in what that one needs, and starts the payment."""
    offered = api.get(f"/collect/{order['id']}/methods").body["data"]
    (row,) = [row for row in offered if row["method"] == method]
    filled_in = {
        field["key"]: field["options"][0]["value"] if "options" in field else "300 123 4567"
        for field in row["requiredFields"]
    }
    body = {"method": method, "fields": filled_in, **changes}
    answer = api.post(f"/collect/{order['id']}/pay", body)
    assert answer.status_code == 200, answer.content
    return dict(answer.body["data"])


def told(receiver: Receiver) -> list[str]:
    dispatcher.run()
    return [event["event"] for event in receiver.believed()]


@pytest.mark.parametrize("method", ["pse", "bank_redirect"])
def test_a_redirect_leads_to_the_bank_and_back_to_the_shop(
    api: ApiClient, merchant: Merchant, payer: Client, receiver: Receiver, method: str
) -> None:
    order = create(api)
    charge = start(api, order, method, returnUrl=RETURN_URL)
    assert charge["flow"] == "redirect"
    assert read(api, order)["status"] == "PROCESSING"

    back = submit(payer, urlsplit(charge["paymentUrl"]).path, decision="approve")

    assert back.headers["Location"] == RETURN_URL
    assert (read(api, order)["status"], available(merchant)) == ("COMPLETED", 50000)
    assert told(receiver) == ["payment.completed"]


@pytest.mark.parametrize(
    ("decision", "status", "event"),
    [("approve", "COMPLETED", "payment.completed"), ("refuse", "FAILED", "payment.failed")],
)
def test_a_push_is_decided_in_the_wallet(
    api: ApiClient, payer: Client, receiver: Receiver, decision: str, status: str, event: str
) -> None:
    order = create(api)
    charge = start(api, order, "push_wallet")
    assert (charge["flow"], charge["paymentUrl"]) == ("push", None)
    assert told(receiver) == []

    submit(payer, f"/simulator/wallet/{charge['transactionId']}", decision=decision)

    assert read(api, order)["status"] == status
    assert told(receiver) == [event]


def test_a_key_is_paid_from_any_bank(
    api: ApiClient, merchant: Merchant, payer: Client, receiver: Receiver
) -> None:
    order = create(api)
    charge = start(api, order, "breb_key")
    assert charge["flow"] == "key"
    assert read(api, order)["status"] == "WAITING_TRANSFER"
    desk = f"/simulator/key/{charge['transactionId']}"
    assert charge["keyValue"] in payer.get(desk).content.decode()

    submit(payer, desk, amount="20000")
    assert read(api, order)["status"] == "WAITING_TRANSFER"
    submit(payer, desk, amount="30025")

    assert (read(api, order)["status"], available(merchant)) == ("COMPLETED", 50000)
    assert told(receiver) == ["payment.completed"]


def test_a_payer_who_dismisses_the_push_pays_on_our_page(
    api: ApiClient, merchant: Merchant, payer: Client, receiver: Receiver
) -> None:
    order = create(api)
    charge = start(api, order, "push_wallet")
    submit(payer, f"/simulator/wallet/{charge['transactionId']}", decision="cancel")
    page = order["collectUrl"].removeprefix("http://testserver")
    choice = payer.get(page).content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', choice)
    assert token
    path = f"{page}/with/breb_key"
    assert payer.post(path, {"csrfmiddlewaretoken": token[1]}).status_code == 303
    desk = re.search(r"/simulator/key/\w+", payer.get(page).content.decode())
    assert desk
    submit(payer, desk[0], amount="50025")

    assert (read(api, order)["status"], available(merchant)) == ("COMPLETED", 50000)
    assert told(receiver) == ["payment.completed"]
