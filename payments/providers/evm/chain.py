"""EvmChain: a network of Ethereum's kind for one account."""

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import cached_property

from payments.providers.account import RailAccount
from payments.providers.evm import addresses, identity
from payments.providers.evm.account import read_key, read_settings
from payments.providers.evm.blocks import header_of, read_blocks
from payments.providers.evm.node import connect, connect_witness, results
from payments.providers.evm.payment_uri import payment_uri
from payments.providers.evm.transfers import native_transfers, transfers_of
from payments.providers.evm.values import hash_of, object_of, quantity
from payments.providers.jsonrpc import Ask, JsonRpc
from payments.providers.keys import AccountKey
from payments.providers.node_fields import TRANSACTION
from payments.providers.ports.chain import (
    ChainBlock,
    ChainTip,
    ChainTransaction,
    Coin,
    DerivedAddress,
)
from payments.providers.ports.errors import ProviderTimeout

# Shown to payers where the chain's own rule counts: two epochs of Ethereum.
SHOWN_CONFIRMATIONS = 64
# What it costs to send the coin on, at one gwei; and a cent of a dollar.
NATIVE_DUST, TOKEN_DUST = 21_000 * 10**9, 10_000
BALANCES_PER_CALL = 50
_HASH = re.compile(r"0x[0-9a-f]{64}")


class EvmChain:
    def __init__(self, account: RailAccount) -> None:
        self.account = account
        self.settings = read_settings(account)
        self.node = connect(account)
        self.witness = connect_witness(account)

    @property
    def code(self) -> str:
        return self.account.slug

    @property
    def network(self) -> str:
        return self.settings.network

    @property
    def coins(self) -> tuple[Coin, ...]:
        return self.settings.coins

    @cached_property
    def key(self) -> AccountKey:
        return read_key(self.account)

    @property
    def key_id(self) -> str:
        return self.key.key_id

    def derive(self, index: int) -> DerivedAddress:
        target = addresses.target_of_key(self.key.child(index))
        return DerivedAddress(text=addresses.checksummed(target), target=target)

    @property
    def names_final_blocks(self) -> bool:
        return self.settings.finality is None

    def confirmations_needed(self, coin: Coin, units: int) -> int:
        return self.settings.finality or SHOWN_CONFIRMATIONS

    def counts(self, coin: Coin, units: int) -> bool:
        return units >= (TOKEN_DUST if coin.token else NATIVE_DUST)

    def payment_uri(self, coin: Coin, address: str, amount: Decimal) -> str:
        chain_id, units = self.settings.chain_id, coin.units(amount)
        return payment_uri(coin, chain_id=chain_id, address=address, units=units)

    def transaction_url(self, transaction: str) -> str:
        return self.settings.explorer.replace(TRANSACTION, transaction)

    def is_address(self, text: str) -> bool:
        return addresses.is_address(text)

    def target_of(self, address: str) -> str:
        return addresses.target_of(address)

    def tip(self) -> ChainTip:
        """A node of another chain, or another token, is noticed here."""
        identity.ensure_identity(self.node, self.settings)
        tags = ["latest"] if self.settings.finality else ["latest", "finalized"]
        found = results(self.node, [Ask("eth_getBlockByNumber", [tag, False]) for tag in tags])
        latest, *final = (header_of(object_of(one, "block")) for one in found)
        return ChainTip(
            height=latest.height,
            hash=latest.hash,
            time=latest.time,
            final_height=min(final[0].height, latest.height) if final else None,
        )

    def block_hash(self, height: int) -> str | None:
        return block_hash(self.node, height)

    @property
    def has_witness(self) -> bool:
        return self.witness is not None

    def witness_hash(self, height: int) -> str | None:
        if self.witness is None:
            raise LookupError("the account has no second node")
        return block_hash(self.witness, height)

    def read(self, first: int, last: int) -> list[ChainBlock]:
        return read_blocks(self.node, first, last)

    def find_transaction(self, transaction: str) -> ChainTransaction | None:
        wanted = transaction.lower()
        if not _HASH.fullmatch(wanted):
            return None
        names = ("eth_getTransactionByHash", "eth_getTransactionReceipt")
        found, receipt = results(self.node, [Ask(name, [wanted]) for name in names])
        if found is None:
            return None
        known = object_of(found, "transaction")
        if hash_of(known.get("hash"), "hash of a transaction") != wanted:
            raise ProviderTimeout("the node's transaction is another one")
        if receipt is None:
            waiting = tuple(native_transfers(known))
            return ChainTransaction(
                transaction=wanted, height=None, block_hash="", transfers=waiting
            )
        block = hash_of(known.get("blockHash"), "block of a transaction")
        result = object_of(receipt, "receipt")
        transfers = tuple(transfers_of(known, result, block))
        if quantity(result.get("status"), "status of a receipt") != 1:
            return None
        return ChainTransaction(
            transaction=wanted,
            height=quantity(result.get("blockNumber"), "block of a receipt"),
            block_hash=block,
            transfers=transfers,
        )

    def untouched_balances(self, targets: Sequence[str], height: int) -> dict[str, int]:
        """A node that prunes has the balances of the last 128 blocks or so."""
        found: dict[str, int] = {}
        for start in range(0, len(targets), BALANCES_PER_CALL):
            found |= self._balances(targets[start : start + BALANCES_PER_CALL], hex(height))
        return found

    def _balances(self, targets: Sequence[str], height: str) -> dict[str, int]:
        names = ("eth_getBalance", "eth_getTransactionCount")
        asked = [Ask(name, [target, height]) for target in targets for name in names]
        listed = results(self.node, asked)
        return {
            target: quantity(balance, "balance")
            for target, balance, sent in zip(targets, listed[::2], listed[1::2], strict=True)
            if quantity(sent, "number of sent transactions") == 0
        }


def block_hash(node: JsonRpc, height: int) -> str | None:
    """Of the node's best chain. None above its tip."""
    found = node.ask("eth_getBlockByNumber", hex(height), False)
    if found is None:
        return None
    header = header_of(object_of(found, "block"))
    if header.height != height:
        raise ProviderTimeout("the node's block has another number")
    return header.hash
