"""Links for wallets (EIP-681), read by a parser of their own."""

from decimal import Decimal

import pytest

from tests.chains.eip681 import parse
from tests.chains.evm_accounts import chain

USDT = "0xdAC17F958D2ee523a2206206994597C13D831ec7"
PAYER = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"


@pytest.fixture
def polygon():
    return chain(network="polygon", chain_id="137", usdt_contract=USDT.lower())


def coin(chain, code):
    return next(one for one in chain.coins if one.code == code)


@pytest.mark.parametrize(
    ("amount", "wei"),
    [("1", 10**18), ("0.00000001", 10**10), ("1234.56789012", 1234567890120000000000)],
)
def test_link_of_the_networks_own_coin_has_chain_address_and_wei(polygon, amount, wei):
    link = parse(polygon.payment_uri(coin(polygon, "ETH"), PAYER, Decimal(amount)))

    assert (link.target, link.chain, link.function) == (PAYER, 137, None)
    assert link.number("value") == wei
    assert set(link.parameters) == {"value"}


@pytest.mark.parametrize(("amount", "units"), [("25.5", 25_500_000), ("0.000001", 1)])
def test_link_of_a_token_calls_transfer_of_its_contract(polygon, amount, units):
    link = parse(polygon.payment_uri(coin(polygon, "USDT"), PAYER, Decimal(amount)))

    assert (link.target, link.chain, link.function) == (USDT, 137, "transfer")
    assert link.parameters == {"address": PAYER, "uint256": str(units)}


def test_link_never_has_an_exponent(polygon):
    link = polygon.payment_uri(coin(polygon, "ETH"), PAYER, Decimal("1E+3"))

    assert link.endswith("?value=1000000000000000000000")
