"""The port of nodes: what a chain shows of money that came to addresses.

Nothing is ever signed. A chain is read through the operator's own node, which may lie behind, stop,
answer wrongly, or change to another fork. Amounts are whole numbers of the coin's smallest unit.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from payments.providers import networks

if TYPE_CHECKING:
    from django.utils.functional import Promise


@dataclass(frozen=True, slots=True, kw_only=True)
class Coin:
    """A coin on one network, as a payer chooses it.

    code      the currency: USDT.
    network   the key of the network, stored with the charge: `polygon`.
    label     the name of the network for people: Polygon.
    standard  what wallets write after the network of tokens: `TRC-20`, `PoS`; empty for the
              network's own coin.
    decimals  of the smallest unit.
    token     the contract in the chain's own spelling (`ChainTransfer.token`); empty for the
              network's own coin.
    """

    code: str
    network: str
    label: "str | Promise"
    decimals: int
    standard: str = ""
    token: str = ""

    @property
    def key(self) -> str:
        """The value of a payer's choice."""
        return f"{self.code}-{self.network}"

    @property
    def network_name(self) -> str:
        """As wallets and exchanges write it: `Tron (TRC-20)`."""
        return networks.written(str(self.label), self.standard)

    def amount(self, units: int) -> Decimal:
        return Decimal(units).scaleb(-self.decimals)

    def units(self, amount: Decimal) -> int:
        """Rounded down."""
        return int(amount.scaleb(self.decimals))


@dataclass(frozen=True, slots=True)
class DerivedAddress:
    """
    text    what the payer sends to, with its checksum.
    target  how the chain's data name it: lower-case hex of EVM, the output script in hex of
            Bitcoin, base58 of Tron.
    """

    text: str
    target: str


@dataclass(frozen=True, slots=True)
class BlockRef:
    height: int
    hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainTransfer:
    """Money that one transaction moved to one address.

    target       as DerivedAddress.target.
    token        the contract; empty for the network's own coin.
    units        above zero.
    position     of the transfer among those of the same transaction. The same after the
                 transaction moved to another block.
    """

    target: str
    token: str
    units: int
    transaction: str
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainBlock:
    """A block with its transfers to any address; the caller picks those to ours.

    parent  the hash of the block before.
    time    by the miner's clock.
    """

    height: int
    hash: str
    parent: str
    time: datetime
    transfers: Sequence[ChainTransfer] = ()

    @property
    def ref(self) -> BlockRef:
        return BlockRef(self.height, self.hash)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainTip:
    """
    final_height  blocks up to it are final by the chain's own rule; None where there is none, and
                  only confirmations count.
    """

    height: int
    hash: str
    time: datetime
    final_height: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mempool:
    """
    transactions  the ids of all that wait.
    read          the ids of those that were read now, also of those without a transfer.
    transfers     of those that were read now; the caller keeps those of earlier passes.
    """

    transactions: Collection[str]
    read: Collection[str]
    transfers: Sequence[ChainTransfer]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainTransaction:
    """A transaction that succeeded.

    height      None while it waits in the mempool, and, on a chain that is read by address, while
                its block is not final.
    block_hash  empty where the chain's API does not say it.
    time        of its block, by the miner's clock. None where it is not known.
    """

    transaction: str
    height: int | None
    block_hash: str
    transfers: Sequence[ChainTransfer]
    time: datetime | None = None


class ChainPort(Protocol):
    """One network, read through the node of one account.

    Methods that call the node raise ProviderUnreachable and ProviderTimeout, also for an answer
    that contradicts itself or the request. Never call them inside a database transaction.
    """

    @property
    def code(self) -> str:
        """The slug of the account."""
        ...

    @property
    def network(self) -> str:
        """As Coin.network. Accounts with the same key and network see the same money."""
        ...

    @property
    def coins(self) -> tuple[Coin, ...]:
        """The coins that are on, in the order to offer them."""
        ...

    @property
    def key_id(self) -> str:
        """64 hex digits of the extended public key, the same in each of its spellings.

        Accounts with the same key share one sequence of addresses, whatever their network: an
        address never serves two charges.
        """
        ...

    def derive(self, index: int) -> DerivedAddress:
        """The receiving address with this index. Without a network."""
        ...

    def confirmations_needed(self, coin: Coin, units: int) -> int:
        """How many confirmations make a total of so many units at one address final.

        Counts where ChainTip.final_height is None. 1 is the block itself.
        """
        ...

    def counts(self, coin: Coin, units: int) -> bool:
        """False for dust: a transfer too small to be worth its own fee."""
        ...

    def payment_uri(self, coin: Coin, address: str, amount: Decimal) -> str:
        """For a wallet: BIP 21, EIP-681. Empty where the network has none."""
        ...

    def transaction_url(self, transaction: str) -> str:
        """In the explorer of the account. Empty without one."""
        ...

    def is_address(self, text: str) -> bool:
        """Whether money can be sent to `text` on this network. Checks the checksum."""
        ...

    def target_of(self, address: str) -> str:
        """As DerivedAddress.target. Raises ValueError for what is no address."""
        ...

    def tip(self) -> ChainTip: ...

    def find_transaction(self, transaction: str) -> ChainTransaction | None:
        """None if the node knows no such transaction, or it failed."""
        ...


@runtime_checkable
class ReadsBlocks(ChainPort, Protocol):
    """A chain that is read block by block."""

    def block_hash(self, height: int) -> str | None:
        """Of the node's best chain. None above its tip."""
        ...

    def read(self, first: int, last: int) -> list[ChainBlock]:
        """The blocks of the best chain in order, each the parent of the next; `last` included.

        Fewer if the node's chain ends before. Raises ProviderTimeout if the chain changed while it
        was read.
        """
        ...


@runtime_checkable
class NamesFinalBlocks(ChainPort, Protocol):
    """A chain that may say itself which blocks are final."""

    @property
    def names_final_blocks(self) -> bool:
        """False where confirmations count."""
        ...


@runtime_checkable
class HasMempool(Protocol):
    def mempool(self, known: Collection[str], limit: int) -> Mempool:
        """Reads at most `limit` transactions that are not among the `known` ones."""
        ...


@runtime_checkable
class HasWitness(ReadsBlocks, Protocol):
    """A chain that a second node can confirm: what only one of them shows is not final."""

    @property
    def has_witness(self) -> bool:
        """False for an account without a second node. Then `witness_hash` is never called."""
        ...

    def witness_hash(self, height: int) -> str | None:
        """As `block_hash`, of the second node."""
        ...


@runtime_checkable
class HasBalances(ReadsBlocks, Protocol):
    """A chain on which money can arrive without a transfer that a block shows: ETH of contracts."""

    def untouched_balances(self, targets: Sequence[str], height: int) -> dict[str, int]:
        """The balances of the network's own coin at this block, by target.

        Leaves out addresses that have ever sent anything: what they received is not known.
        """
        ...


@runtime_checkable
class ReadsByAddress(ChainPort, Protocol):
    """A chain that is asked about each address (Tron)."""

    def received(self, target: str) -> list[ChainTransaction]:
        """The newest transfers to the address, final or not; at least a hundred.

        What was shown without a height and is shown no more has left the chain.
        """
        ...
