"""Addresses of two independent libraries equal ours; nothing private is taken or shown."""

import hashlib
import logging

import pytest
from bip_utils import EthAddrEncoder, P2WPKHAddrEncoder
from embit import base58, bip32, bip39, script
from embit.networks import NETWORKS
from eth_account import Account

from payments.providers.keys import (
    AccountKey,
    KeyRefused,
    holds_private_key,
    parse_public_key,
)

WORDS = (
    "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"
)
# The vectors of BIP 84.
ZPUB = (
    "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31"
    "mGDtKsAYz2oz2AGutZYs"
)
ZPRV = (
    "zprvAdG4iTXWBoARxkkzNpNh8r6Qag3irQB8PzEMkAFeTRXxHpbF9z4QgEvBRmfvqWvGp42t42nvgGpNgYSJA9iefm1"
    "yYNZKEm7z6qUWCroSQnE"
)
BIP84 = [
    ("0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c", 0),
    ("03e775fd51f0dfb8cd865d9ff1cca2a158cf651fe997fdc9fee9c1d3b5e995ea77", 1),
]
SEED = hashlib.sha512(b"a wallet of these tests").digest()
ROOT = bip32.HDKey.from_seed(SEED)
BITCOIN = ROOT.derive("m/84h/0h/0h")
EVM = ROOT.derive("m/44h/60h/0h")
SPELLINGS = {
    "xpub": "0488b21e",
    "ypub": "049d7cb2",
    "zpub": "04b24746",
    "tpub": "043587cf",
    "upub": "044a5262",
    "vpub": "045f1cf6",
}
PRIVATE = {
    "xprv": "0488ade4",
    "yprv": "049d7878",
    "zprv": "04b2430c",
    "Yprv": "0295b005",
    "Zprv": "02aa7a99",
    "tprv": "04358394",
    "uprv": "044a4e28",
    "vprv": "045f18bc",
    "Ltpv": "019d9cfe",
}


@pytest.fixture(autouse=True)
def _english(settings):
    settings.LANGUAGE_CODE = "en"


def public(key, spelling="xpub"):
    return key.to_public().to_base58(bytes.fromhex(SPELLINGS[spelling]))


def parsed(text):
    return parse_public_key(text, spellings=tuple(SPELLINGS))


@pytest.mark.parametrize(("key", "index"), BIP84)
def test_keys_of_bip_84_are_those_of_its_vectors(key, index):
    assert parsed(ZPUB).child(index).hex() == key


def test_the_first_address_of_bip_44_is_that_of_every_wallet():
    """The one that wallets show for the words of the BIPs."""
    root = bip32.HDKey.from_seed(_seed_of(WORDS)).derive("m/44h/60h/0h")
    address = EthAddrEncoder.EncodeKey(parsed(public(root)).child(0))
    assert address == "0x9858EfFD232B4033E47d90003D41EC34EcaEda94"


def test_a_thousand_bitcoin_addresses_equal_those_of_another_library():
    ours, theirs = parsed(public(BITCOIN, "zpub")), BITCOIN.to_public().derive("m/0")
    for index in range(1000):
        judged = script.p2wpkh(theirs.derive([index])).address(NETWORKS["main"])
        assert P2WPKHAddrEncoder.EncodeKey(ours.child(index), hrp="bc") == judged


def test_a_thousand_evm_addresses_equal_those_of_the_private_keys():
    ours, theirs = parsed(public(EVM)), EVM.derive("m/0")
    for index in range(1000):
        judged = Account.from_key(theirs.derive([index]).key.serialize()).address
        assert EthAddrEncoder.EncodeKey(ours.child(index)) == judged


def test_indices_end_where_private_keys_would_be_needed():
    theirs = BITCOIN.to_public().derive("m/0")
    ours, last = parsed(public(BITCOIN)), 2**31 - 1
    assert ours.child(last) == theirs.derive([last]).key.sec()
    for index in (-1, 2**31, 2**32):
        with pytest.raises(ValueError, match="31 bits"):
            ours.child(index)


def test_a_key_is_the_same_in_each_spelling():
    keys = [parsed(public(BITCOIN, spelling)) for spelling in SPELLINGS]
    assert len({one.key_id for one in keys}) == 1
    assert {one.child(5) for one in keys} == {keys[0].child(5)}
    assert [one.spelling for one in keys] == list(SPELLINGS)
    assert parsed(public(EVM)).key_id != keys[0].key_id
    assert len(keys[0].key_id) == 64


def test_spaces_around_a_key_do_not_matter():
    assert parsed(f"  {ZPUB}\n") == parsed(ZPUB)


def _seed_of(words):
    return bip39.mnemonic_to_seed(words)


def private_texts():
    key = BITCOIN
    for spelling, version in PRIVATE.items():
        yield spelling, key.to_base58(bytes.fromhex(version))
    child = key.derive("m/0/0").key
    yield "WIF", child.wif()
    yield "WIF of a test network", child.wif(NETWORKS["test"])
    yield "WIF of Litecoin", base58.encode_check(b"\xb0" + child.serialize() + b"\x01")
    yield "WIF of old wallets", base58.encode_check(b"\x80" + child.serialize())
    yield "words", WORDS
    yield "24 words", " ".join(["abandon"] * 23 + ["art"])
    yield "words over lines", WORDS.replace(" ", "\n")
    yield "words with commas", WORDS.replace(" ", ", ")
    yield "Spanish words", "ábaco abeja abierto abogado abono aborto abrazo uva yeso zona zurdo año"
    yield "hex", child.serialize().hex()
    yield "hex of wallets", "0x" + child.serialize().hex().upper()


TEXTS = dict(private_texts())
AROUND = {
    "alone": "{}",
    "in a descriptor": "wpkh([d34db33f/84h/0h/0h]{}/0/*)",
    "with a public key": ZPUB + " {}",
    "in a sentence": "mi clave es {}, gracias",
}


@pytest.mark.parametrize("around", AROUND.values(), ids=AROUND)
@pytest.mark.parametrize("name", TEXTS)
def test_a_private_key_is_refused_and_shown_nowhere(caplog, name, around):
    caplog.set_level(logging.DEBUG)
    secret = TEXTS[name]
    with pytest.raises(KeyRefused) as caught:
        parsed(around.format(secret))
    _assert_hidden(secret, caught.value, caplog.text)


@pytest.mark.parametrize("name", [name for name in TEXTS if "hex" not in name])
def test_what_is_private_is_known_anywhere(name):
    assert holds_private_key(f"{{'node': 'x'}} {TEXTS[name]}")


def test_what_is_public_is_not_taken_for_private():
    for text in (ZPUB, public(EVM), "rpcuser", "9f" * 32, "Cuenta de bitcoin de la tienda"):
        assert not holds_private_key(text)


def test_letters_of_a_private_spelling_inside_a_public_key_do_not_make_it_private():
    found = (
        "xpub6Ce9NcJvTk38hgyaBNiHz514BpThejAvnnaMstDe4kooXmtPv37hpiF2dpYtXu42huhDZueqx5PDLQ8zw2"
        "Lc7XekgqniUzTfJPMMfhaukj6"
    )
    assert not holds_private_key(found)
    assert parse_public_key(found, spellings=("xpub",)).spelling == "xpub"


def test_a_password_is_a_private_key_only_with_the_checksum_of_one():
    wif = TEXTS["WIF"]
    for number, other in enumerate("23456789"):
        password = wif[: 10 + number] + other + wif[11 + number :]
        assert holds_private_key(password) == (password == wif)
    for first in "5KLc9T6":
        for length in (51, 52):
            assert not holds_private_key(first + "7bQzr" * 10 + "x" * (length - 51))


def test_a_private_key_in_the_spelling_of_a_public_one_is_refused(caplog):
    caplog.set_level(logging.DEBUG)
    for spelling, version in SPELLINGS.items():
        disguised = base58.encode_check(BITCOIN.serialize(bytes.fromhex(version)))
        assert disguised.startswith(spelling)
        with pytest.raises(KeyRefused) as caught:
            parsed(disguised)
        _assert_hidden(disguised, caught.value, caplog.text)


def _assert_hidden(secret, error, log):
    chain = [error, error.__cause__, error.__context__]
    shown = " ".join(f"{one} {one!r} {getattr(one, 'args', '')}" for one in chain) + log
    for part in {secret, secret.lower(), *(word for word in secret.split() if len(word) > 20)}:
        assert part not in shown
    assert error.__cause__ is error.__context__ is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "xpub",
        ZPUB[:-1],
        ZPUB[:-1] + ("t" if ZPUB[-1] != "t" else "u"),
        ZPUB.lower(),
        "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
        "0x9858EfFD232B4033E47d90003D41EC34EcaEda94",
        f"wpkh({ZPUB}/0/*)",
        "é" * 111,
        "x" * 100_000,
    ],
)
def test_what_is_no_extended_public_key_is_refused(text):
    with pytest.raises(KeyRefused, match="xpub, ypub"):
        parsed(text)


def test_a_key_of_another_kind_of_addresses_is_refused():
    with pytest.raises(KeyRefused, match=r"begins with xpub, zpub\."):
        parse_public_key(public(BITCOIN, "ypub"), spellings=("xpub", "zpub"))


def test_keys_above_and_below_the_account_are_refused():
    for path in ("m", "m/84h/0h/0h/0", "m/84h/0h/0h/0/5"):
        with pytest.raises(KeyRefused):
            parsed(public(ROOT.derive(path)))
    for path in ("m/0h", "m/84h/0h", "m/84h/0h/7h"):
        assert isinstance(parsed(public(ROOT.derive(path))), AccountKey)


def test_a_point_that_is_not_on_the_curve_is_no_key():
    raw = bytearray(base58.decode_check(ZPUB))
    raw[45:] = b"\x02" + b"\xff" * 32
    with pytest.raises(KeyRefused):
        parsed(base58.encode_check(bytes(raw)))
