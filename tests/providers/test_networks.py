"""What networks are called: ERC-20 in a wallet is Ethereum, and no other chain."""

import pytest
from django.utils import translation

from payments.collect.templatetags.pay import duration
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


@pytest.mark.parametrize(
    ("key", "depth", "needed", "is_named_final", "seconds"),
    [
        ("bitcoin", 0, 6, False, 3600),
        ("bitcoin", 5, 6, False, 600),
        ("bitcoin", 6, 6, False, None),
        ("polygon", 1, 64, False, 126),
        ("base", 1, 64, True, 1198),
        ("unknown", 0, 6, False, None),
    ],
)
def test_time_until_final_is_blocks_left_or_what_the_chain_takes(
    key: str, depth: int, needed: int, is_named_final: bool, seconds: int | None
) -> None:
    left = networks.seconds_to_final(key, depth, needed, is_named_final=is_named_final)
    assert left == seconds


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (4, "about 1 minute"),
        (90, "about 2 minutes"),
        (720, "about 15 minutes"),
        (3600, "about 60 minutes"),
        (7000, "about 2 hours"),
    ],
)
def test_payers_read_a_time_rounded_up(seconds: int, words: str) -> None:
    with translation.override("en"):
        assert duration(seconds) == words
