"""Orders paid in USDT on Tron, from the outside: API, the payer's page, and the chain."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from payments.chains import progress
from payments.chains import tasks as chains
from payments.chains.models import CoinAddress, Deposit
from payments.collect import tasks as collections
from payments.collect.models import Charge
from payments.core import clock
from tests.chains import shop
from tests.chains.tron_account import FORGERY, credentials, mine, pay, running_tron
from tests.rails.accounts import enter, route
from tests.rails.fake_server.server import RunningServer
from tests.support.fixtures import ApiClient
from tests.support.journey import (  # noqa: F401  its fixtures, too
    Receiver,
    _books_add_up,
    api,
    create,
    merchant,
    read,
    receiver,
    told,
)
from webhooks import tasks as webhooks

# Fixtures are arguments named as the functions above.
# ruff: noqa: F811
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def tron(catalogues: None) -> Iterator[RunningServer]:
    """An account of Tron with a route, whose chain was read once."""
    shop.set_prices()
    with running_tron() as server:
        enter("tron-main", "tron", server.url, credentials())
        route("payin", "tron-main", method="CRYPTO")
        work()
        yield server
        assert server.control.complaints() == []


def work(seconds: int = 0) -> None:
    """What beat starts, after so many seconds."""
    with time_machine.travel(clock.now() + timedelta(seconds=seconds)):
        chains.scan_chain("tron-main")
        collections.report_coins()
        webhooks.dispatch()


def order(api: ApiClient, **changes: Any) -> tuple[dict[str, Any], Client, CoinAddress]:
    """The payer has chosen USDT on Tron, and the page shows an address."""
    made = create(api, **changes)
    browser = Client()
    page = made["collectUrl"]
    browser.post(f"{page}/crypto", {"coin": "USDT-tron-test"})
    return made, browser, CoinAddress.objects.get()


def page_of(made: dict[str, Any], browser: Client) -> str:
    return browser.get(made["collectUrl"], follow=True).content.decode()


def status_of(api: ApiClient, made: dict[str, Any]) -> str:
    return str(api.get(f"/collect/{made['id']}").body["data"]["status"])


def units(address: CoinAddress) -> int:
    return int(address.amount * 10**6)


def test_an_order_is_paid_seen_confirmed_and_reported(
    api: ApiClient, receiver: Receiver, tron: RunningServer
) -> None:
    made, browser, address = order(api)
    page = page_of(made, browser)
    assert address.address in page
    assert "Tron" in page
    transaction = pay(tron, {"to": address.address, "value": units(address)})
    work()
    assert status_of(api, made) == "PROCESSING"
    assert page_of(made, browser) != page
    [sight] = progress.of_charge(Charge.objects.get())
    assert sight.url == f"https://nile.tronscan.org/#/transaction/{transaction}"
    mine(tron, 18)
    work(20)
    assert status_of(api, made) == "PROCESSING"
    assert receiver.believed() == []
    mine(tron, 1)
    work(40)
    assert status_of(api, made) == "COMPLETED"
    [event] = receiver.believed()
    paid = read(api, made)
    tries = {name: paid[name] for name in ("traceCode", "failureReason", "attempts")}
    assert event == told("payment.completed", paid, event["timestamp"], status="COMPLETED", **tries)
    assert (paid["failureReason"], paid["attempts"]) == (None, 1)
    assert paid["paidAt"] is not None


def test_a_token_that_calls_itself_usdt_pays_no_order(
    api: ApiClient, receiver: Receiver, tron: RunningServer
) -> None:
    named = {"symbol": "USDT", "name": "Tether USD", "decimals": 6}
    tron.control.call("POST", "tokens", {"address": FORGERY, **named})
    made, _, address = order(api)
    forged = {"to": address.address, "value": units(address), "token": FORGERY}
    pay(tron, forged)
    mine(tron)
    work()
    deposit = Deposit.objects.get()
    assert (deposit.coin, deposit.token, deposit.counts) == ("", FORGERY, False)
    assert status_of(api, made) != "COMPLETED"
    pay(tron, {"to": address.address, "value": units(address)})
    mine(tron)
    work(20)
    assert status_of(api, made) == "COMPLETED"


def test_an_answer_in_doubt_about_one_address_delays_no_other_one(
    api: ApiClient, receiver: Receiver, tron: RunningServer
) -> None:
    made, _, address = order(api)
    pay(tron, {"to": address.address, "value": units(address)})
    mine(tron)
    other = create(api)
    Client().post(f"{other['collectUrl']}/crypto", {"coin": "USDT-tron-test"})
    wrong = CoinAddress.objects.exclude(pk=address.pk).get()
    CoinAddress.objects.filter(pk=wrong.pk).update(look_at=clock.now() - timedelta(hours=1))
    tron.control.fault(f"GET /v1/accounts/{wrong.address}/*", "error_500", times=None)
    work()
    assert status_of(api, made) == "COMPLETED"
