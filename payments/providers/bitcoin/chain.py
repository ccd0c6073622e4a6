"""Bitcoin as a chain that brings money to our addresses."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from random import sample

from payments.providers.account import RailAccount
from payments.providers.bitcoin import addresses
from payments.providers.bitcoin.account import (
    BitcoinSettings,
    read_key,
    read_settings,
)
from payments.providers.bitcoin.node import BitcoinNode, ChainInfo, Placed, connect
from payments.providers.bitcoin.raw import RawBlock, RawOutput, RawTransaction
from payments.providers.keys import AccountKey
from payments.providers.node_fields import TRANSACTION
from payments.providers.ports import ProviderTimeout, ProviderUnreachable
from payments.providers.ports.chain import (
    ChainBlock,
    ChainTip,
    ChainTransaction,
    ChainTransfer,
    Coin,
    DerivedAddress,
    Mempool,
)

# A smaller output costs more than it is worth, so nodes do not pass it on (P2WPKH, 3 sat/vB).
DUST = 294
# Where to look for an unspent output of a transaction that the node has not indexed.
OUTPUTS_TO_ASK = 20


@dataclass(frozen=True)
class BitcoinChain:
    """ChainPort, HasMempool and HasWitness."""

    account: RailAccount = field(repr=False)

    @cached_property
    def settings(self) -> BitcoinSettings:
        return read_settings(self.account)

    @cached_property
    def key(self) -> AccountKey:
        return read_key(self.account)

    @cached_property
    def node(self) -> BitcoinNode:
        given = self.account.credentials
        return connect(
            url=self.account.base_url,
            user=given.get("node_user", ""),
            password=given.get("node_password", ""),
        )

    @cached_property
    def witness(self) -> BitcoinNode | None:
        given = self.account.credentials
        if not (url := given.get("witness_url", "")):
            return None
        return connect(
            url=url,
            user=given.get("witness_user", ""),
            password=given.get("witness_password", ""),
            name="bitcoin-witness",
        )

    @property
    def code(self) -> str:
        return self.account.slug

    @property
    def network(self) -> str:
        return self.settings.network.key

    @property
    def coins(self) -> tuple[Coin, ...]:
        return (self.settings.coin,)

    @property
    def key_id(self) -> str:
        return self.key.key_id

    def derive(self, index: int) -> DerivedAddress:
        return addresses.derived(self.settings.network, self.key.child(index))

    def confirmations_needed(self, coin: Coin, units: int) -> int:
        is_small = units <= self.settings.threshold
        return self.settings.small if is_small else self.settings.large

    def counts(self, coin: Coin, units: int) -> bool:
        return units >= DUST

    def payment_uri(self, coin: Coin, address: str, amount: Decimal) -> str:
        """BIP 21: the amount is in BTC, without an exponent."""
        return f"bitcoin:{address}?amount={_plain(amount)}"

    def transaction_url(self, transaction: str) -> str:
        return self.settings.explorer.replace(TRANSACTION, transaction)

    def is_address(self, text: str) -> bool:
        try:
            addresses.target_of(self.settings.network, text)
        except ValueError:
            return False
        return True

    def target_of(self, address: str) -> str:
        return addresses.target_of(self.settings.network, address)

    def tip(self) -> ChainTip:
        info = self.node.info()
        self.ensure_chain(info)
        if info.is_downloading:
            raise ProviderUnreachable("the node is still downloading the chain")
        header = self.node.header(info.hash)
        return ChainTip(height=info.height, hash=info.hash, time=header.time)

    def ensure_chain(self, info: ChainInfo) -> None:
        """Raises ProviderUnreachable for a node of another network."""
        if info.chain != self.settings.network.chain:
            raise ProviderUnreachable(f"the node is of the chain {info.chain!r}")

    def block_hash(self, height: int) -> str | None:
        return self.node.block_hash(height)

    def read(self, first: int, last: int) -> list[ChainBlock]:
        found: list[ChainBlock] = []
        hashes = self.node.block_hashes(range(first, last + 1))
        for height, block_hash in enumerate(hashes, first):
            if block_hash is None:
                break
            block = _block(height, self.node.block(block_hash))
            if found and block.parent != found[-1].hash:
                raise ProviderTimeout("the chain changed while it was read")
            found.append(block)
        return found

    def find_transaction(self, transaction: str) -> ChainTransaction | None:
        placed = self.node.place(transaction) or self._unspent(transaction)
        if placed is None:
            return None
        height = self.node.height_of(placed.block_hash) if placed.block_hash else None
        if placed.block_hash and height is None:
            return None  # its block is not on the best chain
        return ChainTransaction(
            transaction=transaction,
            height=height,
            block_hash=placed.block_hash,
            transfers=list(_transfers(placed.transaction)),
        )

    def _unspent(self, transaction: str) -> Placed | None:
        """Finds the block of an old transaction by one of its outputs."""
        depths = self.node.unspent_depths(transaction, OUTPUTS_TO_ASK)
        if not depths or not depths[0]:
            return None
        block_hash = self.node.block_hash(self.node.info().height - depths[0] + 1)
        if block_hash is None:
            return None
        inside = [one for one in self.node.block(block_hash).transactions if one.id == transaction]
        return Placed(transaction=inside[0], block_hash=block_hash) if inside else None

    def mempool(self, known: Collection[str], limit: int) -> Mempool:
        waiting = self.node.waiting()
        known = frozenset(known)
        unknown = [one for one in waiting if one not in known]
        # Without a memory of those that were read, the same ones would be read for ever.
        chosen = sample(unknown, limit) if len(unknown) > limit else unknown
        found = self.node.transactions(chosen)
        return Mempool(
            transactions=frozenset(waiting),
            read=frozenset(one.id for one in found),
            transfers=[transfer for one in found for transfer in _transfers_to_keys(one)],
        )

    @property
    def has_witness(self) -> bool:
        return self.witness is not None

    def witness_hash(self, height: int) -> str | None:
        if self.witness is None:
            raise ValueError("The account has no second node.")
        return self.witness.block_hash(height)


def _block(height: int, block: RawBlock) -> ChainBlock:
    return ChainBlock(
        height=height,
        hash=block.header.hash,
        parent=block.header.parent,
        time=block.header.time,
        transfers=[transfer for one in block.transactions for transfer in _transfers_to_keys(one)],
    )


def _transfers_to_keys(transaction: RawTransaction) -> Iterator[ChainTransfer]:
    """Our addresses are all of this kind, and most outputs of a block are not."""
    for position, output in enumerate(transaction.outputs):
        script = output.script
        if len(script) == addresses.OUR_SCRIPT_BYTES and script.startswith(
            addresses.OUR_SCRIPT_START
        ):
            yield from _transfer(transaction.id, position, output)


def _transfers(transaction: RawTransaction) -> Iterator[ChainTransfer]:
    outputs: Sequence[RawOutput] = transaction.outputs
    for position, output in enumerate(outputs):
        yield from _transfer(transaction.id, position, output)


def _transfer(transaction: str, position: int, output: RawOutput) -> Iterator[ChainTransfer]:
    if output.units:
        yield ChainTransfer(
            target=output.script.hex(),
            token="",
            units=output.units,
            transaction=transaction,
            position=position,
        )


def _plain(amount: Decimal) -> str:
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
