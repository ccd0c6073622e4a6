"""Payers with wallets of their own on real nodes, and an account of ours that reads the node.

A key serves one test only: the chain outlives it, and its next index is zero again in each.
"""

import itertools
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Protocol

from bip_utils import Bip32Slip10Secp256k1, Bip39SeedGenerator
from embit import bech32
from embit.networks import NETWORKS

from payments.providers import registry
from payments.providers.ports.chain import Coin
from tests.chains import chain_totals
from tests.chains.bitcoin_accounts import ROOT
from tests.chains.nodes.anvil import WORDS, Anvil
from tests.chains.nodes.bitcoin_like import NodeError
from tests.chains.nodes.contracts import Token
from tests.rails.accounts import enter, route

FINALITY = 6
_SEED = Bip32Slip10Secp256k1.FromSeed(Bip39SeedGenerator(WORDS).Generate())
# The node's own accounts have the first one.
_accounts = itertools.count(1)


class Wallet(Protocol):
    """
    code      of our account.
    currency  that the payer pays with.
    node      mines only when it is told to.
    """

    code: str
    currency: str
    node: Any

    def pay(self, address: str, amount: Decimal) -> str:
        """The transaction, which waits for `mine`."""
        ...

    def mine(self, blocks: int = 1) -> None: ...

    def reorganise(self, depth: int) -> None:
        """The new blocks are empty. What the old ones had waits again."""
        ...

    def confirmations(self, transaction: str) -> int: ...

    def received(self, address: str) -> int:
        """By the chain's own data, in the smallest unit (tests.chains.chain_totals)."""
        ...


@dataclass
class EvmWallet:
    node: Anvil
    code: str
    currency: str
    tokens: dict[str, Token]
    sent: list[str] = field(default_factory=list)

    def pay(self, address: str, amount: Decimal) -> str:
        units = coin_of(self.code, self.currency).units(amount)
        if self.currency in self.tokens:
            return self._keep(self.tokens[self.currency].send(address, units))
        return self._keep(self.node.send(address, value=units))

    def _keep(self, transaction: str) -> str:
        self.sent.append(str(self.node.call("eth_getRawTransactionByHash", transaction)))
        return transaction

    def mine(self, blocks: int = 1) -> None:
        self.node.mine(blocks)

    def reorganise(self, depth: int) -> None:
        """The node forgets the transactions, so the wallet sends them again."""
        self.node.reorganise(depth)
        for raw in self.sent:
            self.node.call("eth_sendRawTransaction", raw)

    def confirmations(self, transaction: str) -> int:
        receipt = self.node.call("eth_getTransactionReceipt", transaction)
        if receipt is None:
            return 0
        assert isinstance(receipt, dict)
        return self.node.height - int(receipt["blockNumber"], 16) + 1

    def received(self, address: str) -> int:
        """Coins of the network also come from contracts, which no transaction shows."""
        if self.currency in self.tokens:
            contract = self.tokens[self.currency].address.lower()
            return chain_totals.sum_evm(self.node)[address.lower(), contract]
        return chain_totals.evm_balance(self.node, address)


@dataclass
class BitcoinWallet:
    """`first` is the block from which on the key may have money."""

    node: Any
    code: str
    first: int
    currency: str = "BTC"
    sent: list[str] = field(default_factory=list)

    def pay(self, address: str, amount: Decimal) -> str:
        self.sent.append(self.node.pay(spelled(self.node, address), amount))
        return self.sent[-1]

    def mine(self, blocks: int = 1) -> None:
        self.node.mine(blocks)

    def reorganise(self, depth: int) -> None:
        """A node drops those whose coins are too young for a moment; the wallet sends them again.

        bcoin's payer does so by itself.
        """
        raws = [self.node.ask("getrawtransaction", one) for one in self.sent]
        self.node.reorganise(depth, empty=True)
        waiting = self.node.ask("getrawmempool")
        for transaction, raw in zip(self.sent, raws, strict=True):
            if transaction not in waiting and not self.confirmations(transaction):
                self.node.ask("sendrawtransaction", raw)

    def confirmations(self, transaction: str) -> int:
        """0 for one that the node does not know."""
        try:
            found = self.node.ask("getrawtransaction", transaction, True)
        except NodeError:
            return 0
        return int(found.get("confirmations", 0))

    def received(self, address: str) -> int:
        return chain_totals.sum_bitcoin(self.node, self.first)[chain_totals.script_of(address), ""]


def coin_of(account: str, code: str) -> Coin:
    rail = registry.find_rail(account)
    assert rail is not None, account
    return next(one for one in rail.coins if one.code == code)


def spelled(node: Any, address: str) -> str:
    """The same script, with the prefix of the network that the node's wallet is of."""
    if node.name == "bcoin":  # has no wallet
        return address
    version, program = bech32.decode(address.rpartition("1")[0], address)
    return str(bech32.encode(node.hrp, version, program))


def evm_key() -> str:
    path = f"m/44'/60'/{next(_accounts)}'"
    return str(_SEED.DerivePath(path).PublicKey().ToExtended())


def bitcoin_key() -> str:
    account = ROOT.derive(f"m/84h/1h/{next(_accounts)}h")
    return str(account.to_public().to_base58(NETWORKS["regtest"]["xpub"]))


def evm_credentials(node: Anvil, tokens: dict[str, Token], **changes: str) -> dict[str, str]:
    return {
        "public_key": evm_key(),
        "network": "ethereum",
        "chain_id": str(node.chain_id),
        "finality": str(FINALITY),
        "native_coin": "ETH",
        **{f"{name.lower()}_contract": token.address for name, token in tokens.items()},
        **changes,
    }


def bitcoin_credentials(node: Any, **changes: str) -> dict[str, str]:
    """A payment of any size needs the same confirmations."""
    return {
        "public_key": bitcoin_key(),
        "network": "regtest",
        "node_user": node.user,
        "node_password": node.password,
        "small_confirmations": str(FINALITY),
        "large_confirmations": str(FINALITY),
        **changes,
    }


def connect(code: str, provider: str, url: str, credentials: dict[str, str]) -> None:
    """Entered, switched on and routed, as an operator does."""
    enter(code, provider, url, credentials)
    route("payin", code, method="CRYPTO")
