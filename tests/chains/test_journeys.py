"""Orders paid on real chains: the payer's page, a wallet, blocks, scans, and what became of all."""

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar

import pytest
import time_machine
from django.core.management import call_command

from payments.chains.models import Deposit
from payments.collect.models import Charge, UnmatchedFunds
from payments.collect.services.endings import expiry
from payments.core import clock
from payments.providers.evm import identity
from tests.chains import shop, wallets
from tests.chains.nodes import contracts
from tests.chains.nodes.anvil import Anvil, running_anvil
from tests.chains.nodes.bcoin import Bcoin
from tests.chains.nodes.contracts import Token, deploy_token
from tests.chains.nodes.litecoin import Litecoin
from tests.chains.shop import address_of, scan
from tests.chains.wallets import FINALITY, BitcoinWallet, EvmWallet, Wallet, coin_of
from tests.support.charges import create, events_of
from tests.support.fixtures import ApiClient

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
W = TypeVar("W", bound=Wallet)
Evm = tuple[Anvil, dict[str, Token]]
ConnectEvm = Callable[..., EvmWallet]
SPLITTER = "0x00000000000000000000000000000000000f0f0f"
# Pesos of an order; the price of each coin is in shop.PRICES.
AMOUNT = 200_000
TOKENS = ("USDT", "USDC")
WAYS = ["ETH", *TOKENS, "BTC on bcoin", "BTC on litecoind"]


@pytest.fixture(scope="module")
def evm() -> Iterator[Evm]:
    """The contracts are below every reorganisation."""
    with running_anvil() as node:
        tokens = {code: deploy_token(node, code) for code in TOKENS}
        node.mine(2 * FINALITY)
        yield node, tokens


@pytest.fixture(scope="module")
def bcoin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    yield from running(Bcoin, tmp_path_factory.mktemp("bcoin"))


@pytest.fixture(scope="module")
def litecoind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    yield from running(Litecoin, tmp_path_factory.mktemp("litecoind"))


def running(kind: Any, folder: Path) -> Iterator[Any]:
    node = kind(folder)
    node.start()
    try:
        node.fund()
        yield node
    finally:
        node.stop()


@pytest.fixture(autouse=True)
def _begin(catalogues: None) -> None:
    identity.forget()
    shop.set_prices()


@pytest.fixture
def connect_evm(evm: Evm) -> ConnectEvm:
    def connect(currency: str, **changes: str) -> EvmWallet:
        node, tokens = evm
        credentials = wallets.evm_credentials(node, tokens, **changes)
        wallets.connect("evm-main", "evm", node.url, credentials)
        return begun(EvmWallet(node, "evm-main", currency, tokens))

    return connect


def connect_bitcoin(node: Any) -> BitcoinWallet:
    wallets.connect("nodo-bitcoin", "bitcoin", node.url, wallets.bitcoin_credentials(node))
    return begun(BitcoinWallet(node, "nodo-bitcoin", node.height))


@pytest.fixture(params=WAYS)
def wallet(request: pytest.FixtureRequest, connect_evm: ConnectEvm) -> Wallet:
    currency, _, node = request.param.partition(" on ")
    return connect_bitcoin(request.getfixturevalue(node)) if node else connect_evm(currency)


def begun(wallet: W) -> W:
    """Its chain was read to a young tip."""
    wallet.mine()
    scan(wallet)
    return wallet


def buy(api: ApiClient, wallet: Wallet, **changes: object) -> Charge:
    order = create(api, **{"amount": AMOUNT, "expirationMinutes": 60, **changes})
    return shop.choose_coin(order, coin_of(wallet.code, wallet.currency))


def bought(api: ApiClient, wallet: Wallet, *, ago: timedelta, **more: object) -> Charge:
    """Some time ago: the chain's own clock cannot be moved."""
    with time_machine.travel(clock.now() - ago, tick=False):
        shop.set_prices()
        scan(wallet)
        charge = buy(api, wallet, **more)
    shop.set_prices()
    scan(wallet)
    return charge


def pay(wallet: Wallet, charge: Charge, amount: Decimal | None = None) -> str:
    return wallet.pay(address_of(charge).address, charge.amount if amount is None else amount)


def confirm(wallet: Wallet) -> None:
    """Until all that waits is final."""
    wallet.mine(FINALITY)
    scan(wallet)


def state(charge: Charge) -> tuple[str, Decimal, Decimal]:
    charge.refresh_from_db()
    charge.order.refresh_from_db()
    return charge.order.status, charge.received, charge.unconfirmed


def unmatched() -> list[tuple[str, str, Decimal]]:
    rows = UnmatchedFunds.objects.order_by("created_at", "id")
    return [(one.reason, one.currency, one.amount) for one in rows]


def assert_books_say_what_the_chain_says(wallet: Wallet, charge: Charge) -> None:
    charge.refresh_from_db()
    on_chain = wallet.received(address_of(charge).address)
    assert charge.received == coin_of(wallet.code, wallet.currency).amount(on_chain)
    written = StringIO()
    call_command("verify_ledger", stdout=written)
    assert json.loads(written.getvalue())["ok"]


def test_paid_in_full(api: ApiClient, wallet: Wallet) -> None:
    charge = buy(api, wallet)
    transaction = pay(wallet, charge)
    wallet.mine()
    scan(wallet)
    assert state(charge) == ("PROCESSING", 0, charge.amount)
    follow(wallet, charge, transaction)
    assert unmatched() == []


def follow(wallet: Wallet, charge: Charge, transaction: str) -> None:
    """Block by block until some blocks after it is final: credited then, and once."""
    while (confirmations := wallet.confirmations(transaction)) < FINALITY + 3:
        scan(wallet)
        is_final = confirmations >= FINALITY
        expected = ("COMPLETED", charge.amount, 0) if is_final else ("PROCESSING", 0, charge.amount)
        # One that waits is known where the node shows its mempool.
        assert state(charge) == expected or confirmations == state(charge)[1] == 0
        assert events_of(charge.order) == (["payment.completed"] if is_final else [])
        wallet.mine()
    assert_books_say_what_the_chain_says(wallet, charge)


def test_paid_in_parts(api: ApiClient, wallet: Wallet) -> None:
    charge = buy(api, wallet)
    part = round(charge.amount / 4, 6)
    pay(wallet, charge, part)
    confirm(wallet)
    assert state(charge) == ("WAITING_TRANSFER", part, 0)
    assert events_of(charge.order) == []
    pay(wallet, charge, part)
    pay(wallet, charge, charge.amount - 2 * part)
    confirm(wallet)
    assert state(charge) == ("COMPLETED", charge.amount, 0)
    assert events_of(charge.order) == ["payment.completed"]
    assert unmatched() == []
    assert_books_say_what_the_chain_says(wallet, charge)


def test_too_much_leaves_the_rest_to_an_operator(api: ApiClient, wallet: Wallet) -> None:
    charge = buy(api, wallet)
    pay(wallet, charge, charge.amount * 2)
    confirm(wallet)
    assert state(charge) == ("COMPLETED", charge.amount * 2, 0)
    [(reason, currency, amount)] = unmatched()
    assert (reason, currency) == ("EXCESS", "COP")
    assert abs(amount - AMOUNT) < AMOUNT / 100
    assert events_of(charge.order) == ["payment.completed"]
    assert_books_say_what_the_chain_says(wallet, charge)


def test_paid_twice_leaves_the_second_to_an_operator(api: ApiClient, wallet: Wallet) -> None:
    charge = buy(api, wallet)
    for _ in range(2):
        pay(wallet, charge)
        confirm(wallet)
    assert state(charge) == ("COMPLETED", charge.amount * 2, 0)
    assert unmatched() == [("SECOND_SUCCESS", wallet.currency, charge.amount)]
    assert events_of(charge.order) == ["payment.completed"]
    assert_books_say_what_the_chain_says(wallet, charge)


def test_after_the_price_counts_at_the_lower_price(
    api: ApiClient, wallet: Wallet, monkeypatch: pytest.MonkeyPatch
) -> None:
    charge = bought(api, wallet, ago=timedelta(hours=2), expirationMinutes=600)
    price = shop.PRICES[wallet.currency]
    monkeypatch.setitem(shop.PRICES, wallet.currency, price * 95 // 100)
    shop.set_prices()
    pay(wallet, charge)
    confirm(wallet)
    assert state(charge)[:2] == ("WAITING_TRANSFER", charge.amount)
    assert charge.in_time_received == 0
    assert abs(charge.credited / charge.covers - Decimal("0.95")) < Decimal("0.01")
    pay(wallet, charge, round(charge.amount / 10, 6))
    confirm(wallet)
    assert state(charge)[0] == "COMPLETED"
    assert events_of(charge.order) == ["payment.completed"]
    assert_books_say_what_the_chain_says(wallet, charge)


def test_after_the_end_of_the_order_waits_for_an_operator(api: ApiClient, wallet: Wallet) -> None:
    charge = bought(api, wallet, ago=timedelta(hours=2))
    expiry.expire_due(now=clock.now())
    assert state(charge)[0] == "EXPIRED"
    pay(wallet, charge)
    confirm(wallet)
    assert state(charge) == ("EXPIRED", charge.amount, 0)
    assert unmatched() == [("LATE", wallet.currency, charge.amount)]
    assert events_of(charge.order) == []
    assert_books_say_what_the_chain_says(wallet, charge)


def test_paid_by_a_contract(api: ApiClient, connect_evm: ConnectEvm) -> None:
    """No transaction of the block names the address."""
    wallet = connect_evm("ETH")
    charge = buy(api, wallet)
    splitter = contracts.put_code(wallet.node, SPLITTER, contracts.FORWARDER)
    units = coin_of(wallet.code, "ETH").units(charge.amount)
    contracts.forward(wallet.node, splitter, address_of(charge).address, units)
    confirm(wallet)
    with time_machine.travel(clock.now() + timedelta(minutes=1), tick=False):
        scan(wallet)
        assert state(charge) == ("COMPLETED", charge.amount, 0)
        assert events_of(charge.order) == ["payment.completed"]
        assert [one.transaction for one in Deposit.objects.all()] == [""]
        scan(wallet)
    assert_books_say_what_the_chain_says(wallet, charge)


def test_another_coin_of_the_account_waits_for_an_operator(
    api: ApiClient, connect_evm: ConnectEvm, evm: Evm
) -> None:
    wallet = connect_evm("USDT")
    charge = buy(api, wallet)
    address = address_of(charge).address
    evm[1]["USDC"].send(address, 12_500_000)
    wallet.node.send(address, value=10**16)
    confirm(wallet)
    scan(wallet)
    assert state(charge) == ("WAITING_TRANSFER", 0, 0)
    assert sorted(unmatched()) == [
        ("CURRENCY", "ETH", Decimal("0.01")),
        ("CURRENCY", "USDC", Decimal("12.5")),
    ]
    assert_books_say_what_the_chain_says(wallet, charge)


def test_unknown_token_pays_nothing_and_is_shown(api: ApiClient, connect_evm: ConnectEvm) -> None:
    wallet = connect_evm("USDT")
    charge = buy(api, wallet)
    scam = deploy_token(wallet.node, "USDT")
    scam.send(address_of(charge).address, coin_of(wallet.code, "USDT").units(charge.amount))
    confirm(wallet)
    assert state(charge) == ("WAITING_TRANSFER", 0, 0)
    assert unmatched() == []
    assert list(Deposit.objects.values_list("coin", "token")) == [("", scam.address.lower())]
    assert_books_say_what_the_chain_says(wallet, charge)


def test_money_on_another_network_of_the_key_waits_for_an_operator(
    api: ApiClient, connect_evm: ConnectEvm
) -> None:
    key = wallets.evm_key()
    wallet = connect_evm("USDT", public_key=key)
    with running_anvil(chain_id=1337) as node:
        tokens = {"USDT": deploy_token(node, "USDT")}
        changes = {"public_key": key, "network": "polygon"}
        credentials = wallets.evm_credentials(node, tokens, **changes)
        wallets.connect("evm-polygon", "evm", node.url, credentials)
        other = begun(EvmWallet(node, "evm-polygon", "USDT", tokens))
        charge = buy(api, wallet)
        pay(other, charge)
        confirm(other)
        confirm(wallet)
    assert state(charge) == ("WAITING_TRANSFER", 0, 0)
    assert unmatched() == [("ACCOUNT", "USDT", charge.amount)]
    assert events_of(charge.order) == []
    assert_books_say_what_the_chain_says(wallet, charge)


def test_replacement_with_a_higher_fee_counts_once(api: ApiClient, litecoind: Any) -> None:
    wallet = connect_bitcoin(litecoind)
    charge = buy(api, wallet)
    first = pay(wallet, charge)
    scan(wallet)
    assert state(charge) == ("PROCESSING", 0, charge.amount)
    second = litecoind.replace(first)
    scan(wallet)
    assert state(charge) == ("PROCESSING", 0, charge.amount)
    follow(wallet, charge, second)
    found = dict(Deposit.objects.values_list("transaction", "status"))
    assert found == {first: "GONE", second: "FINAL"}
    assert unmatched() == []


@pytest.mark.faults("F26")
@pytest.mark.parametrize("depth", range(1, FINALITY))
def test_reorganisation_before_finality_credits_once(
    api: ApiClient, wallet: Wallet, depth: int
) -> None:
    charge = buy(api, wallet)
    transaction = pay(wallet, charge)
    wallet.mine(depth)
    scan(wallet)
    assert state(charge) == ("PROCESSING", 0, charge.amount)
    wallet.reorganise(depth)
    assert wallet.confirmations(transaction) == 0
    follow(wallet, charge, transaction)
    assert unmatched() == []


@pytest.mark.faults("F26")
def test_reorganisation_below_finality_calls_an_operator_and_takes_nothing_back(
    api: ApiClient, wallet: Wallet, caplog: pytest.LogCaptureFixture
) -> None:
    charge = buy(api, wallet)
    pay(wallet, charge)
    confirm(wallet)
    paid = ("COMPLETED", charge.amount, 0)
    assert state(charge) == paid
    wallet.reorganise(FINALITY + 2)
    scan(wallet)
    assert state(charge) == paid
    deposit = Deposit.objects.get()
    assert deposit.status == "FINAL"
    assert deposit.contradicted_at is not None
    assert "chains.final_deposit_contradicted" in caplog.text
    confirm(wallet)
    deposit.refresh_from_db()
    assert deposit.contradicted_at is None, "the new chain has it, too"
    assert state(charge) == paid
    assert events_of(charge.order) == ["payment.completed"]
    assert unmatched() == []
    assert_books_say_what_the_chain_says(wallet, charge)
