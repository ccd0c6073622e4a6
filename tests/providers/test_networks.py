"""What networks are called: ERC-20 in a wallet is Ethereum, and no other chain."""

import pytest

from payments.providers import networks


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("ethereum", "Ethereum (ERC-20)"),
        ("polygon", "Polygon (PoS)"),
        ("base", "Base"),
        ("arbitrum", "Arbitrum One"),
        ("optimism", "Optimism (OP Mainnet)"),
        ("bsc", "BNB Smart Chain (BEP-20)"),
        ("tron", "Tron (TRC-20)"),
        ("bitcoin", "Bitcoin"),
        ("sepolia", "Sepolia"),
    ],
)
def test_network_of_a_token_has_the_name_that_wallets_write(key: str, name: str) -> None:
    assert networks.written(networks.label_of(key), networks.standard_of(key)) == name


def test_only_ethereum_is_called_by_its_standard() -> None:
    called = [key for key in networks.NETWORKS if networks.standard_of(key) == "ERC-20"]
    assert called == ["ethereum"]


def test_name_that_says_the_standard_itself_has_it_once() -> None:
    assert networks.written("Polygon (PoS)", "PoS") == "Polygon (PoS)"


def test_networks_with_addresses_of_ethereum_are_told_apart() -> None:
    assert networks.is_mistaken_for_ethereum("polygon")
    assert networks.is_mistaken_for_ethereum("base")
    for key in ("ethereum", "tron", "bitcoin", "unknown"):
        assert not networks.is_mistaken_for_ethereum(key)
