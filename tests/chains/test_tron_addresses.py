"""Addresses of Tron: published pairs, and two independent libraries as judges."""

import pytest
from bip_utils import Bip39SeedGenerator, Bip44, Bip44Coins, TrxAddrDecoder
from bip_utils.base58 import Base58Encoder
from eth_account import Account

from payments.providers.tron.addresses import address_of, address_of_topic, is_address
from payments.providers.tron.chain import TronChain
from tests.chains import tron_account

MNEMONIC = "abandon " * 11 + "about"
# Pairs of public documents: the contracts of USDT and of WTRX, the sender of the API's examples,
# and the address of zeros.
PAIRS = [
    ("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "41a614f803b6fd780986a42c78ec9c7f77e6ded13c"),
    ("TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR", "41891cdb91d149f23b1a45d9c5ca78a88d0cb44c18"),
    ("TLCuBEirVzB6V4menLZKw1jfBTFMZbuKq7", "41704833c02883b3261f7baf62f8cb19b4b0c2e64e"),
    ("T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb", "41" + "00" * 20),
]


def tron() -> TronChain:
    return TronChain(tron_account.account(""))


@pytest.mark.parametrize(("text", "hexed"), PAIRS)
def test_published_pairs_of_addresses_agree(text: str, hexed: str) -> None:
    assert is_address(text)
    assert address_of(hexed) == address_of(hexed[2:]) == address_of("0x" + hexed[2:]) == text
    assert address_of_topic("00" * 12 + hexed[2:]) == text
    assert TrxAddrDecoder.DecodeAddr(text).hex() == hexed[2:]


def test_first_addresses_are_those_that_wallets_show() -> None:
    assert tron().derive(0).text == tron_account.FIRST
    assert tron().derive(1).text == tron_account.SECOND


@pytest.mark.slow
def test_a_thousand_addresses_equal_those_of_another_wallet_library() -> None:
    """eth-account derives from the words, not from our key; its bytes become base 58 elsewhere."""
    Account.enable_unaudited_hdwallet_features()
    chain = tron()
    for index in range(1000):
        path = f"m/44'/195'/0'/0/{index}"
        other = Account.from_mnemonic(MNEMONIC.strip(), account_path=path).address
        expected = Base58Encoder.CheckEncode(bytes.fromhex("41" + other[2:]))
        assert chain.derive(index).text == expected


def test_the_key_of_the_tests_is_that_of_its_mnemonic() -> None:
    seed = Bip39SeedGenerator(MNEMONIC.strip()).Generate()
    account = Bip44.FromSeed(seed, Bip44Coins.TRON).Purpose().Coin().Account(0)
    assert account.PublicKey().ToExtended() == tron_account.PUBLIC_KEY


@pytest.mark.parametrize("position", range(34))
def test_one_wrong_letter_is_no_address(position: int) -> None:
    text = tron_account.FIRST
    other = "2" if text[position] != "2" else "3"
    wrong = text[:position] + other + text[position + 1 :]
    assert not tron().is_address(wrong)
    with pytest.raises(ValueError, match="no address"):
        tron().target_of(wrong)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "T",
        "41a614f803b6fd780986a42c78ec9c7f77e6ded13c",
        "0xa614f803b6fd780986a42c78ec9c7f77e6ded13c",
        "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
        "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t ",
        "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6\u0391",
        "z" * 34,
        "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t" * 100,
    ],
)
def test_other_texts_are_no_addresses(text: str) -> None:
    assert not tron().is_address(text)


@pytest.mark.parametrize("word", ["", "00" * 31, "ff" * 32, "11" + "00" * 31, "zz" * 32])
def test_words_that_are_no_address_are_refused(word: str) -> None:
    with pytest.raises(ValueError, match="no address"):
        address_of_topic(word)


def test_an_address_is_its_own_target() -> None:
    derived = tron().derive(7)
    assert tron().target_of(derived.text) == derived.target == derived.text
