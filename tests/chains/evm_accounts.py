"""Accounts of Ethereum's kind for tests."""

from bip_utils import Bip32Slip10Secp256k1, Bip39SeedGenerator

from payments.providers.account import Mode, RailAccount
from payments.providers.evm.chain import EvmChain
from tests.chains.nodes.anvil import CHAIN_ID, WORDS

ACCOUNT = Bip32Slip10Secp256k1.FromSeed(Bip39SeedGenerator(WORDS).Generate()).DerivePath(
    "m/44'/60'/0'"
)
XPUB = ACCOUNT.PublicKey().ToExtended()
XPRV = ACCOUNT.PrivateKey().ToExtended()
CREDENTIALS = {
    "public_key": XPUB,
    "network": "ethereum",
    "network_label": "Ethereum",
    "chain_id": str(CHAIN_ID),
    "finality": "6",
    "native_coin": "ETH",
    "explorer": "https://etherscan.io/tx/{transaction}",
}


def account(url="http://127.0.0.1:1", *, mode=Mode.SANDBOX, **changes):
    return RailAccount(
        slug="evm-main", mode=mode, base_url=url, credentials={**CREDENTIALS, **changes}
    )


def chain(url="http://127.0.0.1:1", **changes):
    return EvmChain(account(url, **changes))
