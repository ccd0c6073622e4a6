"""Bitcoin without a node: what an account may be, addresses, amounts, and blocks byte by byte."""

from contextlib import suppress
from decimal import Decimal

import pytest
from embit import bip32, script
from embit.networks import NETWORKS

from payments.providers.account import InvalidCredentials, Mode, RailAccount
from payments.providers.bitcoin import raw
from payments.providers.bitcoin.account import check_credentials
from payments.providers.bitcoin.chain import BitcoinChain
from tests.chains.bitcoin_accounts import ROOT, TPUB, account

# BIP 84's own vectors.
ZPUB = (
    "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31"
    "mGDtKsAYz2oz2AGutZYs"
)
FIRST = "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"
SECOND = "bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g"
# The first block of Bitcoin.
GENESIS = bytes.fromhex(
    "0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c"
    "3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c01010000000100000000000000"
    "00000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d65"
    "732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261"
    "696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7"
    "105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6b"
    "f11d5fac00000000"
)


def live(**credentials):
    given = {"public_key": ZPUB, "network": "main", **credentials}
    return RailAccount(slug="bitcoin", mode=Mode.LIVE, base_url="http://n/", credentials=given)


def test_addresses_are_those_of_bip_84():
    chain = BitcoinChain(live())
    assert [chain.derive(n).text for n in (0, 1)] == [FIRST, SECOND]
    assert chain.derive(0).target == "0014c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2"
    assert chain.network == "bitcoin"
    assert [coin.key for coin in chain.coins] == ["BTC-bitcoin"]


def test_accounts_of_one_key_share_its_addresses_in_each_spelling():
    key = ROOT.derive("m/84h/0h/0h").to_public()
    chains = [
        BitcoinChain(live(public_key=key.to_base58(NETWORKS["main"][spelling])))
        for spelling in ("xpub", "zpub")
    ]
    assert chains[0].key_id == chains[1].key_id
    assert chains[0].derive(3) == chains[1].derive(3)


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("network", {"network": ""}),
        ("network", {"network": "regtest"}),
        ("network", {"network": "mainnet"}),
        ("public_key", {"public_key": ""}),
        ("public_key", {"public_key": TPUB}),
        ("public_key", {"public_key": FIRST}),
        ("small_confirmations", {"small_confirmations": "0"}),
        ("small_confirmations", {"small_confirmations": "-1"}),
        ("small_confirmations", {"small_confirmations": "dos"}),
        ("small_confirmations", {"small_confirmations": "²"}),
        ("large_confirmations", {"large_confirmations": "101"}),
        ("large_confirmations", {"large_confirmations": "1"}),
        ("threshold", {"threshold": "-0.1"}),
        ("threshold", {"threshold": "0,005"}),
        ("threshold", {"threshold": "NaN"}),
        ("threshold", {"threshold": "0.000000001"}),
        ("explorer", {"explorer": "https://mempool.space/tx/"}),
        ("explorer", {"explorer": "http://mempool.space/tx/{transaction}"}),
        ("explorer", {"explorer": "javascript:alert({transaction})"}),
        ("explorer", {"explorer": "https://a.co/{transaction}/{transaction}"}),
        ("witness_url", {"witness_url": "ftp://nodo/"}),
        ("witness_url", {"witness_url": "http://user:clave@nodo/"}),
        ("witness_url", {"witness_url": "http://169.254.169.254/"}),
    ],
)
def test_a_wrong_value_is_refused_at_its_field(field, changes):
    with pytest.raises(InvalidCredentials) as caught:
        check_credentials(live(**changes))
    assert caught.value.field == field
    for value in changes.values():
        assert len(value) < 8 or value not in str(caught.value)


def test_a_private_key_is_refused_in_every_field_and_not_repeated():
    secret = bip32.HDKey.from_seed(b"x" * 32).derive("m/84h/0h/0h").to_base58()
    for field in ("public_key", "node_user", "node_password", "explorer", "witness_password"):
        with pytest.raises(InvalidCredentials) as caught:
            check_credentials(live(**{field: secret}))
        assert caught.value.field == field
        assert secret not in repr(caught.value) + str(caught.value)
        assert caught.value.__cause__ is None or secret not in repr(caught.value.__cause__)


def test_accounts_that_are_right_are_taken():
    check_credentials(live())
    check_credentials(account())
    check_credentials(
        live(
            explorer="https://mempool.space/tx/{transaction}",
            threshold="0.01",
            small_confirmations="1",
            large_confirmations="3",
            witness_url="http://10.0.0.7:8332/",
        )
    )


def test_a_test_network_is_no_live_account_and_money_is_no_sandbox():
    check_credentials(account(network="signet"))
    with pytest.raises(InvalidCredentials, match="test, testnet4, signet, regtest"):
        check_credentials(account(network="main"))


def test_confirmations_grow_with_the_money_at_the_address():
    chain = BitcoinChain(live())
    (coin,) = chain.coins
    assert chain.confirmations_needed(coin, 500_000) == 2
    assert chain.confirmations_needed(coin, 500_001) == 6
    own = BitcoinChain(live(threshold="1", small_confirmations="1", large_confirmations="12"))
    assert own.confirmations_needed(coin, 10**8) == 1
    assert own.confirmations_needed(coin, 10**8 + 1) == 12


def test_dust_does_not_count():
    chain = BitcoinChain(live())
    assert not chain.counts(chain.coins[0], 293)
    assert chain.counts(chain.coins[0], 294)


@pytest.mark.parametrize(
    ("amount", "text"),
    [("0.00000001", "0.00000001"), ("1E+2", "100"), ("0.50000000", "0.5"), ("20", "20")],
)
def test_the_link_for_wallets_has_the_amount_in_plain_digits(amount, text):
    chain = BitcoinChain(live())
    uri = chain.payment_uri(chain.coins[0], FIRST, Decimal(amount))
    assert uri == f"bitcoin:{FIRST}?amount={text}"


def test_explorer_is_that_of_the_account_or_none():
    explorer = "https://mempool.space/tx/{transaction}"
    assert BitcoinChain(live(explorer=explorer)).transaction_url("ab") == (
        "https://mempool.space/tx/ab"
    )
    assert BitcoinChain(live()).transaction_url("ab") == ""


def test_every_kind_of_address_has_the_script_of_another_library():
    key = ROOT.derive("m/84h/0h/0h/0/0").key
    inner = script.p2pkh(key)
    chain = BitcoinChain(live())
    for judged in (
        script.p2wpkh(key),
        script.p2wsh(inner),
        script.p2pkh(key),
        script.p2sh(inner),
        script.p2tr(key),
    ):
        address = judged.address(NETWORKS["main"])
        assert chain.target_of(address) == judged.data.hex()
        assert chain.is_address(address)
        assert not BitcoinChain(account()).is_address(address), "of another network"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "bc1",
        FIRST[:-1],
        FIRST[:-1] + "q",
        FIRST.replace("c", "C", 3),
        "bcrt1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
        # BIP 350: versions and checksums that do not fit, and a version without meaning.
        "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd",
        "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh",
        "bc1sw50qgdz25j",
        "bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y",
        "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb",
        "0x9858EfFD232B4033E47d90003D41EC34EcaEda94",
        "1" * 10_000,
    ],
)
def test_what_is_no_address_is_refused(text):
    chain = BitcoinChain(live())
    assert not chain.is_address(text)
    with pytest.raises(ValueError, match="no address"):
        chain.target_of(text)


def test_the_first_block_is_read_to_the_byte():
    block = raw.parse_block(GENESIS)
    assert block.header.hash == "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f"
    assert block.header.parent == "00" * 32
    assert block.header.time.isoformat() == "2009-01-03T18:15:05+00:00"
    (transaction,) = block.transactions
    assert transaction.id == "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b"
    assert [one.units for one in transaction.outputs] == [50 * 10**8]


def test_a_block_with_any_byte_changed_cut_or_added_is_another_block_or_none():
    right = raw.parse_block(GENESIS).header.hash
    for at in range(len(GENESIS)):
        changed = bytearray(GENESIS)
        changed[at] ^= 1
        with suppress(raw.InvalidRaw):
            assert raw.parse_block(bytes(changed)).header.hash != right
    for broken in (GENESIS[:-1], GENESIS[:80], GENESIS[:79], b"", GENESIS + b"\0"):
        with pytest.raises(raw.InvalidRaw):
            raw.parse_block(broken)


def test_a_block_with_a_repeated_transaction_is_refused():
    """Its root may be the same as without the repetition (CVE-2012-2459)."""
    body = GENESIS[81:]
    with pytest.raises(raw.InvalidRaw, match="not those of the header"):
        raw.parse_block(GENESIS[:80] + b"\x02" + body * 2)


@pytest.mark.parametrize("count", [b"\xfd\xff\xff", b"\xfe\xff\xff\xff\xff", b"\xff" * 9])
def test_a_count_that_the_bytes_cannot_hold_is_refused_at_once(count):
    with pytest.raises(raw.InvalidRaw, match="too early"):
        raw.parse_block(GENESIS[:80] + count + GENESIS[81:])


def test_signatures_do_not_change_the_id_of_a_transaction():
    """BIP 143's example of a witness, judged by embit."""
    from embit.transaction import Transaction

    text = (
        "01000000000102fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f0000000049"
        "4830450221008b9d1dc26ba6a9cb62127b02742fa9d754cd3bebf337f7a55d114c8e5cdd30be022040529b194b"
        "a3f9281a99f2b1c0a19c0489bc22ede944ccf4ecbab4cc618ef3ed01eeffffffef51e1b804cc89d182d279655c"
        "3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb206000000001976a9148280b37d"
        "f378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0"
        "167faa815988ac000247304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc4"
        "4a0220573a954c4518331561406f90300e8f3358f51928d43c212a8caed02de67eebee0121025476c2e83188368"
        "da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee635711000000"
    )
    judged = Transaction.from_string(text)
    found = raw.parse_transaction(bytes.fromhex(text))
    assert found.id == judged.txid().hex()
    assert [(one.units, one.script) for one in found.outputs] == [
        (one.value, one.script_pubkey.data) for one in judged.vout
    ]
