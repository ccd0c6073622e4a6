"""The operators' desk for refunds in coins: what is to be paid, where, and by which transaction."""

import html
from typing import Any

import pytest

from merchants.models import Merchant
from payments.collect.apps import CollectConfig
from payments.collect.models import Order, Refund
from payments.core import clock
from payments.core.models import AuditEntry
from tests.admin.conftest import REASON, Console, person, url
from tests.chains.accounts import chain_accounts  # noqa: F401 (a fixture)
from tests.chains.coin_refunds import (
    ADDRESS,
    asked_for,
    connected,
    look_again,
    name_address,
    on_desk,
    paid_in_coins,
    pay,
)
from tests.chains.fake_chain import FakeChain
from tests.support.fixtures import ApiClient
from tests.support.merchant_staff import browser_of, person_of
from tests.support.refunds import paid

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("chain_accounts")]


@pytest.fixture(autouse=True)
def _english(settings: Any) -> None:
    settings.DOORBELL = False
    settings.LANGUAGE_CODE = "en"


@pytest.fixture
def chain(chain_accounts: None) -> FakeChain:  # noqa: F811
    return connected()


@pytest.fixture
def bought_with_coins(api: ApiClient, chain: FakeChain) -> Order:
    return paid_in_coins(api)


def shown(console: Console, refund: Refund) -> str:
    return html.unescape(console.page("collect_refund_change", refund.pk).content.decode())


def queued() -> list[str]:
    (queue,) = (one for one in CollectConfig.console.queues if one.query == "exceptions=coins")
    return list(Refund.objects.filter(queue.where(clock.now())).values_list("pk", flat=True))


def enter(console: Console, refund: Refund, transaction: str) -> Any:
    return console.submit("collect_refund_enter_transaction", refund.pk, transaction=transaction)


def test_desk_shows_what_to_pay_and_where_until_it_is_paid(
    api: ApiClient, console: Console, chain: FakeChain, bought_with_coins: Order
) -> None:
    refund = on_desk(api, bought_with_coins)
    assert queued() == [refund.pk]
    listed = console.page("collect_refund_changelist", exceptions="coins").content.decode()
    assert url("collect_refund_change", refund.pk) in listed
    page = shown(console, refund)
    for text in ("5.063291 USDT · Fakenet", ADDRESS, "data:image/svg+xml", "3,950 COP"):
        assert text in page
    step = page[page.index('class="coin-pay"') : page.index('class="desk-step-code"')]
    for text in (
        "5.063291 USDT",
        'data-copy="5.063291"',
        "Fakenet (FAKE-20)",
        "this network only",
        ADDRESS,
    ):
        assert text in step

    transaction = pay(chain)
    assert enter(console, refund, transaction).status_code == 302
    assert queued() == []
    page = shown(console, refund)
    assert f"https://explorer.example/tx/{transaction}" in page
    assert "The transaction has 0 of 2 confirmations" in page
    chain.ledger.mine(count=2)
    assert look_again(refund).status == "COMPLETED"
    row = AuditEntry.objects.get(action="refund.transaction_entered")
    assert (row.actor, row.reason) == ("ana", REASON)
    assert row.details == {"transaction": transaction}


def test_approver_sees_coin_network_and_address_before_the_decision(
    api: ApiClient, console: Console, bought_with_coins: Order
) -> None:
    name_address(bought_with_coins, asked_for(api, bought_with_coins))
    page = console.page("collect_refund_approve", Refund.objects.get().pk).content.decode()
    for text in ("USDT · Fakenet", ADDRESS, "fixed when the refund is approved"):
        assert text in page


def test_wrong_transaction_is_refused_with_a_sentence_in_the_form(
    api: ApiClient, console: Console, chain: FakeChain, bought_with_coins: Order
) -> None:
    refund = on_desk(api, bought_with_coins)
    little = pay(chain, 5)
    chain.ledger.mine()
    answer = enter(console, refund, little)
    assert answer.status_code == 400
    assert "The transaction pays 0.000005 USDT to the address" in answer.content.decode()
    refund.refresh_from_db()
    assert (refund.provider_id, queued()) == ("", [refund.pk])


def test_entering_needs_the_right_and_the_password(
    api: ApiClient, chain: FakeChain, bought_with_coins: Order
) -> None:
    refund = on_desk(api, bought_with_coins)
    transaction = pay(chain)
    assert enter(person("clara", "Support"), refund, transaction).status_code == 403
    assert enter(person("dora", "Approver"), refund, transaction).status_code == 403
    assert enter(person("emil", "Finance"), refund, transaction).status_code == 302


def test_disputed_payment_is_not_to_be_paid(
    api: ApiClient, console: Console, bought_with_coins: Order
) -> None:
    refund = on_desk(api, bought_with_coins)
    console.submit(
        "collect_order_dispute_order", bought_with_coins.pk, kind="DISPUTE", amount="100"
    )
    page = shown(console, refund)
    assert "Do not pay it. The payment is contested." in page
    assert "data:image/svg+xml" not in page


def test_address_that_changed_after_the_approval_is_not_shown(
    api: ApiClient, console: Console, bought_with_coins: Order
) -> None:
    refund = on_desk(api, bought_with_coins)
    other = "addr" + "66" * 20
    Refund.objects.filter(pk=refund.pk).update(destination={"address": other})
    page = shown(console, refund)
    assert other not in page
    assert "data:image/svg+xml" not in page


def test_merchant_sees_the_coins_and_the_transaction_but_not_the_address(
    api: ApiClient, merchant: Merchant, chain: FakeChain, console: Console, bought_with_coins: Order
) -> None:
    refund = on_desk(api, bought_with_coins)
    transaction = pay(chain)
    enter(console, refund, transaction)
    browser = browser_of(person_of(merchant, "mara"))
    page = html.unescape(browser.get(f"/admin/collect/refund/{refund.pk}/change/").content.decode())
    assert "5.063291 USDT · Fakenet" in page
    assert transaction in page
    assert ADDRESS not in page


def test_refund_in_pesos_has_no_fields_of_coins(api: ApiClient, console: Console) -> None:
    console.submit("collect_order_refund_order", paid(api).pk, amount="20000")
    assert "to pay in coins" not in shown(console, Refund.objects.get()).lower()
