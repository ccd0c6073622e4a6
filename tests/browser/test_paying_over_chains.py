"""A payer scans the code on the page and pays from a wallet on a real chain, until the receipt."""

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from payments.collect.models import Charge, Order
from payments.collect.templatetags.pay import shortened
from payments.providers.evm import identity
from tests.browser.conftest import DESKTOP, PHONE, hurry, picture
from tests.browser.qr_codes import read_screen
from tests.chains import bip21, eip681, shop, wallets
from tests.chains.nodes.anvil import running_anvil
from tests.chains.nodes.contracts import deploy_token
from tests.chains.nodes.litecoin import Litecoin
from tests.chains.wallets import BitcoinWallet, EvmWallet, Wallet
from tests.support.page_checks import AXE, overflow, violations

pytestmark = pytest.mark.slow
Contexts = Callable[..., BrowserContext]
Look = Callable[[Order, str], None]
NETWORKS = {"ethereum": 31337, "polygon": 1337}
EXPLORER = "https://explorer.example/tx/{transaction}"
CONFIRMATIONS = "2"


@pytest.fixture(autouse=True)
def _begin(server: str, catalogues: None) -> None:
    identity.forget()
    shop.set_prices()


@pytest.fixture
def evm_wallets() -> Iterator[dict[int, EvmWallet]]:
    """Of one payer, by the id of the chain. Our accounts have one key on both networks."""
    key, found = wallets.evm_key(), {}
    with running_anvil(31337) as first, running_anvil(1337) as second:
        for network, node in zip(NETWORKS, (first, second), strict=True):
            tokens = {"USDT": deploy_token(node, "USDT")}
            more = {"finality": CONFIRMATIONS, "explorer": EXPLORER, "native_coin": ""}
            entered = wallets.evm_credentials(node, tokens, public_key=key, network=network, **more)
            found[node.chain_id] = EvmWallet(node, f"evm-{network}", "USDT", tokens)
            begin(found[node.chain_id], "evm", entered)
        yield found


@pytest.fixture
def bitcoin_wallet(tmp_path: Path) -> Iterator[BitcoinWallet]:
    node: Any = Litecoin(tmp_path)
    node.start()
    try:
        node.fund()
        small = {"small_confirmations": CONFIRMATIONS, "large_confirmations": CONFIRMATIONS}
        entered = wallets.bitcoin_credentials(node, explorer=EXPLORER, **small)
        wallet = BitcoinWallet(node, "nodo-bitcoin", node.height)
        begin(wallet, "bitcoin", entered)
        yield wallet
    finally:
        node.stop()


def begin(wallet: Wallet, provider: str, credentials: dict[str, str]) -> None:
    wallets.connect(wallet.code, provider, wallet.node.url, credentials)
    mine(wallet)


def mine(wallet: Wallet) -> None:
    wallet.mine()
    shop.scan(wallet)


@pytest.fixture
def look(open_browser: Contexts) -> Look:
    """What another window shows of the order in Spanish, on a phone and on a desk."""
    page = open_browser(bypass_csp=True).new_page()
    page.add_init_script(path=AXE)

    def look(order: Order, name: str) -> None:
        for kind, size in (("phone", PHONE), ("desktop", DESKTOP)):
            page.set_viewport_size(size)
            page.goto(f"{order.collect_url}?lang=es")
            assert violations(page) == [], name
            assert overflow(page) == 0, name
            picture(page, f"{kind}-{name}")

    return look


def choose(phone: Page, order: Order, *coin: str) -> str:
    """The link in the code of the page."""
    phone.goto(f"{order.collect_url}/crypto?lang=en")
    option = phone.locator("button.coin")
    for text in coin:
        option = option.filter(has_text=text)
    (option if coin else phone.get_by_role("button", name="Get the address")).click()
    expect(phone.get_by_role("button", name="Copy address")).to_be_visible()
    [link] = read_screen(phone)
    opens = phone.get_by_role("link", name="Open in my wallet")
    assert opens.get_attribute("href") == link
    return link


def expect_progress(phone: Page, seen: int, transaction: str) -> None:
    hurry(phone)
    expect(phone.get_by_role("heading", level=1)).to_have_text("We have seen your payment")
    expect(phone.get_by_role("main")).to_contain_text(f"{seen} of 2 confirmations")
    link = phone.get_by_role("link", name=re.compile("See it on the network"))
    assert link.get_attribute("href") == EXPLORER.format(transaction=transaction)


def expect_receipt(phone: Page, order: Order, transaction: str, *facts: str) -> None:
    hurry(phone)
    expect(phone.get_by_role("heading", level=1)).to_have_text("Payment received")
    for fact in (order.reference, *facts):
        expect(phone.get_by_role("main")).to_contain_text(fact)
    link = phone.locator(".receipt a", has_text=shortened(transaction))
    assert link.get_attribute("href") == EXPLORER.format(transaction=transaction)
    order.refresh_from_db()
    charge = Charge.objects.get()
    assert (order.status, charge.trace_code) == ("COMPLETED", transaction)
    assert charge.received == charge.amount


def test_usdt_over_the_network_that_the_payer_chose(
    phone: Page, order: Order, evm_wallets: dict[int, EvmWallet], look: Look
) -> None:
    look(order, "chain-chooser")
    link = choose(phone, order, "USDT", "Polygon")
    look(order, "chain-usdt")
    request = eip681.parse(link)
    wallet = evm_wallets[request.chain]  # as a wallet that knows both networks
    assert wallet.code == "evm-polygon"
    assert request.target.lower() == wallet.tokens["USDT"].address
    assert request.function == "transfer"
    to, units = request.parameters["address"], request.number("uint256")
    transaction = wallet.tokens["USDT"].send(to, units)
    mine(wallet)
    expect_progress(phone, 1, transaction)
    look(order, "chain-usdt-progress")
    mine(wallet)
    paid = f"{Decimal(units).scaleb(-6).normalize():f} USDT"
    expect_receipt(phone, order, transaction, paid, "Polygon (PoS)")
    look(order, "chain-usdt-receipt")


def test_btc_is_seen_before_its_block(
    phone: Page, order: Order, bitcoin_wallet: BitcoinWallet, look: Look
) -> None:
    link = choose(phone, order)
    look(order, "chain-btc")
    request = bip21.parse(link)
    assert request.amount is not None
    transaction = bitcoin_wallet.pay(request.address, request.amount)
    shop.scan(bitcoin_wallet)
    expect_progress(phone, 0, transaction)
    mine(bitcoin_wallet)
    expect_progress(phone, 1, transaction)
    look(order, "chain-btc-progress")
    mine(bitcoin_wallet)
    expect_receipt(phone, order, transaction, f"{request.amount:f} BTC", "Bitcoin Regtest")
