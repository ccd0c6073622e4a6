"""What payers see of the network: each transaction, its confirmations, and what became of it."""

import re

import pytest
from pytest_django import DjangoAssertNumQueries

from payments.chains.models import CoinAddress, Deposit
from payments.collect.models import Charge
from payments.collect.services.endings import expiry
from payments.core import clock
from payments.providers import networks
from tests.chains.fake_chain import NATIVE, TOKEN, FakeChain
from tests.chains.shop import buy, payment, scan
from tests.collect.test_pages.conftest import Payer, pass_deadline
from tests.collect.test_pages.test_coin_choice import offers_on, text
from tests.support.charges import create
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.django_db


def payer_of(charge: Charge) -> Payer:
    """Reads English, which is how texts are written in the code."""
    payer = Payer(charge.order)
    payer.see("?lang=en")
    return payer


def version(payer: Payer) -> str:
    return str(payer.get(f"{payer.url}/state").json()["version"])


def test_page_counts_confirmations_and_changes_with_each_block(
    api: ApiClient, chain: FakeChain
) -> None:
    chain.needed = 3
    charge = buy(api)
    payer = payer_of(charge)
    paid = payment(charge)
    chain.ledger.wait(paid)
    seen = [version(payer)]
    for confirmations in range(3):
        scan(chain)
        seen.append(version(payer))
        page = payer.see()
        assert "We have seen your payment" in page
        assert f"{confirmations} of 3 confirmations 0.250125 BTC" in text(page)
        assert f'<progress max="3" value="{confirmations}"' in page
        assert f'href="https://explorer.example/tx/{paid.transaction}"' in page
        assert f'data-copy="{paid.transaction}"' in page
        chain.ledger.mine()
    assert len(set(seen)) == len(seen)
    scan(chain)
    page = payer.see()
    assert "Payment received" in page
    assert "Network Fakenet" in text(page)
    assert f'href="https://explorer.example/tx/{paid.transaction}"' in page


def test_payer_reads_how_long_the_network_usually_takes(api: ApiClient, chain: FakeChain) -> None:
    chain.needed = 6
    charge = buy(api)
    chain.ledger.mine(payment(charge), count=2)
    scan(chain)
    payer = payer_of(charge)
    # Of a network that we do not know.
    assert "It is usually confirmed within a few minutes, sometimes within an hour." in payer.see()
    chain.network = "bitcoin"  # four blocks of ten minutes
    assert "It usually takes about 40 minutes more." in payer.see()


def test_chooser_says_how_long_a_network_usually_takes(
    api: ApiClient, chain: FakeChain, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain.needed = 6
    order = create(api)
    payer = Payer(order)
    assert "Usually confirmed" not in payer.see("/crypto?lang=en")  # a network we do not know
    monkeypatch.setitem(networks.NETWORKS, "fakenet", networks.NETWORKS["bitcoin"])
    (offer, *_others) = offers_on(payer.see("/crypto"))
    assert "Usually confirmed in about 60 minutes" in offer


def test_network_that_names_its_final_block_is_waited_for(api: ApiClient, chain: FakeChain) -> None:
    charge = buy(api)
    chain.ledger.final_height = len(chain.ledger.blocks) - 1
    chain.ledger.mine(payment(charge), count=5)
    scan(chain)
    page = payer_of(charge).see()
    assert "Waiting for the network to call it final" in page
    assert '<progress max="3" value="2"' in page  # not full before it is final


def test_dropped_transaction_is_told_and_the_address_is_shown_again(
    api: ApiClient, chain: FakeChain
) -> None:
    charge = buy(api)
    payer = payer_of(charge)
    chain.ledger.wait(payment(charge))
    scan(chain)
    before = version(payer)
    chain.ledger.waiting.clear()
    scan(chain)
    assert version(payer) != before
    page = payer.see()
    assert "No longer on the network 0.250125 BTC" in text(page)
    assert '<summary class="button second">Send BTC again</summary>' in page
    assert "Look for my payment" not in page
    assert "The network dropped this transaction, so its money did not arrive." in page
    assert "Send BTC" in page
    assert "Choose another coin" in page
    assert 'data-copy="0.250125"' in page
    assert charge.instructions["address"] in page


def test_replaced_transaction_leaves_only_the_new_one(api: ApiClient, chain: FakeChain) -> None:
    charge = buy(api)
    first, second = payment(charge), payment(charge)
    chain.ledger.wait(first)
    scan(chain)
    chain.ledger.waiting.clear()
    chain.ledger.wait(second)
    scan(chain)
    scan(chain)
    page = payer_of(charge).see()
    assert second.transaction in page
    assert first.transaction not in page
    assert "No longer on the network" not in page


def test_each_part_is_listed_with_its_own_confirmations(api: ApiClient, chain: FakeChain) -> None:
    charge = buy(api)
    chain.ledger.mine(payment(charge, units=10_000_000), count=2)
    chain.ledger.mine(payment(charge, units=5_000_000))
    scan(chain)
    page = text(payer_of(charge).see())
    assert "Send the rest in BTC" in page
    assert "Confirmed 0.10 BTC" in page
    assert "1 of 2 confirmations 0.05 BTC" in page
    # 0.100125 BTC at 400,000,000.
    assert (
        "We have received $ 40,000,000 COP To be confirmed $ 20,000,000 COP "
        "Still missing $ 40,050,000 COP"
    ) in page
    assert "Amount 0.100125 BTC" in page


def test_dust_is_told_and_counts_nothing(api: ApiClient, chain: FakeChain) -> None:
    charge = buy(api)
    chain.ledger.mine(payment(charge, units=545), count=2)
    scan(chain)
    page = text(payer_of(charge).see())
    assert "Too small to count 0.00000545 BTC" in page
    assert "Amount 0.250125 BTC" in page


def test_coin_of_which_the_order_is_worth_only_dust_is_not_offered(
    api: ApiClient, chain: FakeChain
) -> None:
    order = create(api, amount=2_000)  # 500 satoshi
    offers = " ".join(offers_on(Payer(order).see("/crypto")))
    assert "USDT" in offers
    assert "BTC" not in offers


def test_payer_who_asks_for_dust_is_told_why_not(api: ApiClient, chain: FakeChain) -> None:
    """A page that stayed open still has the coin."""
    order = create(api, amount=2_000)
    payer = Payer(order)
    payer.see("/crypto?lang=en")
    page = payer.send("/crypto", {"coin": NATIVE.key}).content.decode()
    assert "This amount is too small to send in this coin on this network." in page
    assert "USDT" in page
    order.refresh_from_db()
    assert (order.status, order.charges.get().status) == ("PENDING", "FAILED")
    assert not CoinAddress.objects.exists()


def test_another_coin_is_told_while_it_comes_and_after(api: ApiClient, chain: FakeChain) -> None:
    charge = buy(api, TOKEN)
    payer = payer_of(charge)
    chain.ledger.mine(payment(charge, NATIVE, units=20_000_000))
    scan(chain)
    page = payer.see()
    assert "<h1>You sent BTC instead of USDT</h1>" in page
    assert "0.20 BTC 1 of 2 confirmations" in text(page)
    before = version(payer)
    chain.ledger.mine()
    scan(chain)
    assert version(payer) != before
    page = text(payer.see())
    assert "A person reviews it" in page
    assert "You sent 0.20 BTC" in page
    assert "This address expects USDT" in page


def test_second_payment_is_told_on_the_receipt(api: ApiClient, chain: FakeChain) -> None:
    charge = buy(api)
    first, second = payment(charge), payment(charge)
    chain.ledger.mine(first, count=2)
    chain.ledger.mine(second)
    scan(chain)
    page = payer_of(charge).see()
    assert "Payment received" in page
    assert "We have seen one more payment." in page
    assert "1 of 2 confirmations 0.250125 BTC" in text(page)
    chain.ledger.mine()
    scan(chain)
    page = payer_of(charge).see()
    assert "We have seen one more payment." not in page
    assert "too much." in page


def test_receipt_has_every_transaction_that_paid(api: ApiClient, chain: FakeChain) -> None:
    charge = buy(api)
    whole = NATIVE.units(charge.amount)
    parts = [payment(charge, units=whole - 25_000), payment(charge, units=25_000)]
    chain.ledger.mine(*parts, count=2)
    scan(chain)
    page = payer_of(charge).see()
    assert "Payment received" in page
    codes = set(Deposit.objects.values_list("transaction", flat=True))
    assert len(codes) == 2
    assert codes <= set(re.findall(r'data-copy="([^"]+)"', page))


def test_coins_for_an_expired_order_are_told_at_once(api: ApiClient, chain: FakeChain) -> None:
    """Nothing asks whether the payer has paid: the page knows."""
    charge = buy(api)
    pass_deadline(charge.order)
    expiry.expire_if_due(order_id=charge.order_id, now=clock.now())
    chain.ledger.mine(payment(charge))
    scan(chain)
    page = payer_of(charge).see()
    assert "We have seen your coins." in page
    assert "1 of 2 confirmations 0.250125 BTC" in text(page)


def test_page_of_an_address_with_deposits_costs_few_queries(
    api: ApiClient, chain: FakeChain, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    charge = buy(api)
    chain.ledger.mine(*(payment(charge, units=1_000_000 + step) for step in range(9)))
    scan(chain)
    payer = payer_of(charge)
    with django_assert_max_num_queries(16):  # the same for one deposit
        page = payer.see()
    assert len(re.findall("1 of 2 confirmations", page)) == 9
