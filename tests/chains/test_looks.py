"""Chains that are asked about single addresses: balances of ETH, and Tron."""

from datetime import timedelta

import pytest
import time_machine

from payments.chains.models import ChainCursor, CoinAddress, Deposit
from payments.chains.scanner import looks
from payments.collect.services.endings import expiry
from payments.core import clock
from payments.providers.ports.chain import Coin
from tests.chains import shop
from tests.chains.accounts import connect
from tests.chains.fake_chain import TOKEN, AskedChain, BalanceChain
from tests.chains.shop import address_of, buy, payment, scan, seen, statuses
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.django_db
ETHER = Coin(code="ETH", network="fakenet", label="Fakenet", decimals=18)


@pytest.fixture
def ether(catalogues: None, chain_accounts: None) -> BalanceChain:
    shop.set_prices()
    made = connect(BalanceChain(coins=(ETHER, TOKEN)))
    made.ledger.final_height = 99
    scan(made)
    return made


@pytest.fixture
def tron(catalogues: None, chain_accounts: None) -> AskedChain:
    shop.set_prices()
    made = connect(AskedChain(coins=(TOKEN,)))
    made.ledger.final_height = 99
    scan(made)
    return made


def finalise(chain: BalanceChain | AskedChain, count: int = 1) -> None:
    chain.ledger.mine(count=count)
    chain.ledger.final_height = chain.ledger.blocks[-1].height


def test_money_from_a_contract_is_found_by_its_balance(api: ApiClient, ether: BalanceChain) -> None:
    charge = buy(api, ETHER)
    target = address_of(charge).target
    ether.ledger.balances[target] = ETHER.units(charge.amount)
    finalise(ether)
    scan(ether)
    assert seen(charge)[0] == "COMPLETED"
    with time_machine.travel(clock.now() + timedelta(minutes=10), tick=False):
        finalise(ether)
        scan(ether)
        scan(ether)
    assert Deposit.objects.count() == 1


def test_balance_that_is_older_than_the_order_pays_no_order(
    api: ApiClient, ether: BalanceChain
) -> None:
    """The operator's wallet used the address before, or a backup was put back."""
    for index in range(3):
        ether.ledger.balances[ether.derive(index).target] = 10**21
    ether.ledger.mine(at=clock.now() - timedelta(minutes=1))
    ether.ledger.final_height = 100
    scan(ether)
    charge = buy(api, ETHER)
    scan(ether)
    assert seen(charge)[1:] == ("0.00000000", "0.00000000")
    with time_machine.travel(clock.now() + timedelta(minutes=2), tick=False):
        ether.ledger.balances[address_of(charge).target] += ETHER.units(charge.amount)
        finalise(ether)
        scan(ether)
        assert seen(charge)[0] == "COMPLETED"
        assert charge.received == charge.amount


def test_transfers_are_not_counted_again_by_the_balance(
    api: ApiClient, ether: BalanceChain
) -> None:
    charge = buy(api, ETHER)
    half = ETHER.units(charge.amount) // 2
    ether.ledger.mine(payment(charge, ETHER, units=half))
    scan(ether)
    assert statuses() == ["IN_BLOCK"]
    ether.ledger.balances[address_of(charge).target] = half
    finalise(ether)
    with time_machine.travel(clock.now() + timedelta(minutes=2), tick=False):
        finalise(ether)
        scan(ether)
        assert seen(charge)[0] == "COMPLETED"
    assert statuses() == ["FINAL", "FINAL"]
    assert sum(Deposit.objects.values_list("units", flat=True)) == 2 * half


def test_looks_that_overlap_count_growth_once(api: ApiClient, ether: BalanceChain) -> None:
    """One scan read the balance at a block, another one at the next; the later commits first."""
    charge = buy(api, ETHER)
    address = address_of(charge)
    finalise(ether, 3)
    scan(ether)
    for height in (102, 101):
        balance = looks._Balance(ETHER, height, 10**18, clock.now())
        looks._commit_balance(ether, address, balance, clock.now())
    assert Deposit.objects.count() == 1


def test_money_from_a_contract_counts_after_the_coin_was_taken_off_the_account(
    api: ApiClient, ether: BalanceChain
) -> None:
    charge = buy(api, ETHER)
    ether.coins = tuple(one for one in ether.coins if one.token)
    ether.ledger.balances[address_of(charge).target] = ETHER.units(charge.amount)
    finalise(ether)
    scan(ether)
    assert seen(charge)[0] == "COMPLETED"


def test_looks_become_rarer_with_age(api: ApiClient, ether: BalanceChain) -> None:
    charge = buy(api, ETHER)
    with time_machine.travel(clock.now() + timedelta(days=2), tick=False):
        ether.ledger.mine()
        scan(ether)
        wait = address_of(charge).look_at - clock.now()
        assert timedelta(hours=2) < wait < timedelta(hours=3)


def test_tron_payment_is_seen_and_final_with_its_block(api: ApiClient, tron: AskedChain) -> None:
    charge = buy(api, TOKEN)
    tron.ledger.mine(payment(charge, TOKEN))
    scan(tron)
    assert (statuses(), seen(charge)[0]) == (["IN_BLOCK"], "PROCESSING")
    finalise(tron)
    with time_machine.travel(clock.now() + timedelta(seconds=20), tick=False):
        scan(tron)
        assert (statuses(), seen(charge)[0]) == (["FINAL"], "COMPLETED")


def test_tron_transfer_that_a_fork_lost_is_never_final(api: ApiClient, tron: AskedChain) -> None:
    charge = buy(api, TOKEN)
    tron.ledger.mine(payment(charge, TOKEN))
    scan(tron)
    tron.ledger.reorganise(1, returns=False)
    finalise(tron, 3)
    with time_machine.travel(clock.now() + timedelta(minutes=6), tick=False):
        finalise(tron)
        scan(tron)
        assert (statuses(), seen(charge)[1:]) == (["GONE"], ("0.00000000", "0.00000000"))


def test_tron_node_that_is_behind_ends_no_order(
    api: ApiClient, tron: AskedChain, monkeypatch: pytest.MonkeyPatch
) -> None:
    charge = buy(api, TOKEN, expirationMinutes=5)
    with time_machine.travel(charge.order.expires_at - timedelta(seconds=30), tick=False) as time:
        tron.ledger.mine(payment(charge, TOKEN))
        scan(tron)
        assert seen(charge)[0] == "PROCESSING"
        time.shift(timedelta(minutes=1))
        with monkeypatch.context() as behind:
            behind.setattr(AskedChain, "received", lambda chain, target: [])
            scan(tron)
        expiry.expire_due(now=clock.now())
        finalise(tron)
        time.shift(timedelta(minutes=1))
        scan(tron)
        assert seen(charge)[0] == "COMPLETED"


def test_tron_asks_about_a_bounded_number_the_oldest_look_first(
    api: ApiClient, tron: AskedChain, settings: object
) -> None:
    charges = [buy(api, TOKEN) for _ in range(3)]
    settings.CHAIN_LOOKS_PER_RUN = 2  # type: ignore[attr-defined]
    tron.calls.clear()
    scan(tron)
    assert tron.calls.count("received") == 2
    tron.calls.clear()
    scan(tron)
    assert tron.calls.count("received") == 1
    assert CoinAddress.objects.filter(look_at__gt=clock.now()).count() == len(charges)


def test_tron_payer_of_now_does_not_wait_for_old_addresses(
    api: ApiClient, tron: AskedChain, settings: object
) -> None:
    old = [buy(api, TOKEN) for _ in range(2)]
    settings.CHAIN_LOOKS_PER_RUN = 1  # type: ignore[attr-defined]
    with time_machine.travel(clock.now() + timedelta(hours=3), tick=False):
        finalise(tron)
        shop.set_prices()
        CoinAddress.objects.update(look_at=clock.now() + timedelta(minutes=1))
        scan(tron)
        charge = buy(api, TOKEN)
        CoinAddress.objects.filter(reference__in=[one.pk for one in old]).update(
            look_at=clock.now() - timedelta(minutes=1)
        )
        tron.ledger.mine(payment(charge, TOKEN))
        scan(tron)
        assert seen(charge)[0] == "PROCESSING"


def test_tron_api_behind_is_a_problem(tron: AskedChain) -> None:
    del tron.ledger.blocks[-60:]
    scan(tron)
    assert ChainCursor.objects.get().problem == "BEHIND"
