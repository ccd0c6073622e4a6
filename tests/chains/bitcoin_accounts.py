"""Bitcoin accounts on the nodes of the tests. The network of litecoind exists in tests only."""

from embit import bip32
from embit.networks import NETWORKS

from payments.providers.account import Mode, RailAccount
from payments.providers.bitcoin.networks import BitcoinNetwork

ROOT = bip32.HDKey.from_seed(b"a wallet of the tests of coins.")
TPUB = ROOT.derive("m/84h/1h/0h").to_public().to_base58(NETWORKS["regtest"]["xpub"])
LITECOIN = BitcoinNetwork(
    key="litecoin-regtest",
    chain="regtest",
    label="Litecoin Regtest",
    mode=Mode.SANDBOX,
    hrp="rltc",
    legacy=(b"\x6f", b"\x3a"),
    spellings=("tpub",),
)


def account(url="", **credentials):
    given = {"public_key": TPUB, "network": "regtest", **credentials}
    return RailAccount(
        slug="nodo-bitcoin",
        mode=Mode.SANDBOX,
        base_url=url,
        credentials={name: value for name, value in given.items() if value},
    )
