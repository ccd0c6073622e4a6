"""A chain in memory, strict about how it is asked: blocks, forks, a mempool, balances, failures.

It implements ChainPort. Its addresses are the hash of key and index, and its network calls are
refused inside a transaction.
"""

import hashlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from decimal import Decimal

from django.db import connection

from payments.core import clock
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

KEY = "ab" * 32
NATIVE = Coin(code="BTC", network="fakenet", label="Fakenet", decimals=8)
TOKEN = Coin(
    code="USDT", network="fakenet", label="Fakenet", decimals=6, standard="FAKE-20", token="0xusdt"
)
_number = 0


def digest(*parts: object) -> str:
    return hashlib.sha256(":".join(map(str, parts)).encode()).hexdigest()


@dataclass
class Ledger:
    """The blocks of the network, which several accounts may read."""

    name: str = "main"
    blocks: list[ChainBlock] = field(default_factory=list)
    waiting: dict[str, list[ChainTransfer]] = field(default_factory=dict)
    final_height: int | None = None
    balances: dict[str, int] = field(default_factory=dict)
    forks: int = 0

    def __post_init__(self) -> None:
        if not self.blocks:
            for _ in range(100):
                self.mine()

    def mine(self, *transfers: ChainTransfer, count: int = 1, at: datetime | None = None) -> None:
        """Mines what waits and `transfers` into the first of `count` blocks."""
        inside = [one for some in self.waiting.values() for one in some]
        self.waiting = {}
        for _ in range(count):
            height = len(self.blocks)
            parent = self.blocks[-1].hash if self.blocks else "genesis"
            self.blocks.append(
                ChainBlock(
                    height=height,
                    hash=digest(self.name, self.forks, height, parent, inside, transfers),
                    parent=parent,
                    time=at or clock.now(),
                    transfers=(*inside, *transfers),
                )
            )
            inside, transfers = [], ()

    def reorganise(self, depth: int, *, returns: bool = True) -> list[ChainTransfer]:
        """Drops the newest blocks. Their transactions wait again, or are lost."""
        dropped, self.blocks = self.blocks[-depth:], self.blocks[:-depth]
        self.forks += 1
        lost = [one for block in dropped for one in block.transfers]
        if returns:
            for one in lost:
                self.waiting.setdefault(one.transaction, []).append(one)
        return lost

    def wait(self, *transfers: ChainTransfer) -> None:
        for one in transfers:
            self.waiting.setdefault(one.transaction, []).append(one)


def transfer(
    target: str,
    units: int,
    *,
    coin: Coin = NATIVE,
    token: str | None = None,
    transaction: str = "",
    position: int = 0,
) -> ChainTransfer:
    global _number
    _number += 1
    return ChainTransfer(
        target=target,
        token=coin.token if token is None else token,
        units=units,
        transaction=transaction or digest("tx", _number),
        position=position,
    )


class UnreadChain:
    """`problem` is raised by each call; `before_read` is called at each `read` of blocks."""

    def __init__(
        self,
        code: str = "fake",
        *,
        ledger: Ledger | None = None,
        coins: tuple[Coin, ...] = (NATIVE, TOKEN),
        network: str = "fakenet",
        key: str = KEY,
    ) -> None:
        self.code, self.network, self.key_id = code, network, key
        self.coins = tuple(replace(one, network=network) for one in coins)
        self.ledger = ledger or Ledger(network)
        self.needed = 2
        self.dust = 546
        self.problem: Exception | None = None
        self.before_read: Callable[[], object] = lambda: None
        self.calls: list[str] = []

    def derive(self, index: int) -> DerivedAddress:
        target = digest(self.key_id, index)[:40]
        return DerivedAddress(f"addr{target}", target)

    def confirmations_needed(self, coin: Coin, units: int) -> int:
        return self.needed if units <= 10**12 else self.needed + 4

    def counts(self, coin: Coin, units: int) -> bool:
        return units >= self.dust

    def payment_uri(self, coin: Coin, address: str, amount: Decimal) -> str:
        return f"fake:{address}?amount={amount:f}&token={coin.token}"

    def transaction_url(self, transaction: str) -> str:
        return f"https://explorer.example/tx/{transaction}"

    def is_address(self, text: str) -> bool:
        return text.startswith("addr")

    def target_of(self, address: str) -> str:
        if not self.is_address(address):
            raise ValueError(address)
        return address.removeprefix("addr")

    def _call(self, name: str) -> None:
        if any(not one._from_testcase for one in connection.atomic_blocks):
            raise AssertionError(f"{name} was called inside a transaction")
        self.calls.append(name)
        if self.problem is not None:
            raise self.problem

    def tip(self) -> ChainTip:
        self._call("tip")
        newest = self.ledger.blocks[-1]
        return ChainTip(
            height=newest.height,
            hash=newest.hash,
            time=newest.time,
            final_height=self.ledger.final_height,
        )

    def find_transaction(self, transaction: str) -> ChainTransaction | None:
        self._call("find_transaction")
        for block in self.ledger.blocks:
            found = [one for one in block.transfers if one.transaction == transaction]
            if found:
                return ChainTransaction(
                    transaction=transaction,
                    height=block.height,
                    block_hash=block.hash,
                    transfers=found,
                )
        if transaction in self.ledger.waiting:
            return ChainTransaction(
                transaction=transaction,
                height=None,
                block_hash="",
                transfers=self.ledger.waiting[transaction],
            )
        return None


class FakeChain(UnreadChain):
    """Read block by block."""

    def block_hash(self, height: int) -> str | None:
        self._call("block_hash")
        return self.ledger.blocks[height].hash if height < len(self.ledger.blocks) else None

    def read(self, first: int, last: int) -> list[ChainBlock]:
        self._call("read")
        self.before_read()
        return self.ledger.blocks[first : last + 1]


class MempoolChain(FakeChain):
    def mempool(self, known: Collection[str], limit: int) -> Mempool:
        self._call("mempool")
        unread = [one for one in self.ledger.waiting if one not in known][:limit]
        found = [each for one in unread for each in self.ledger.waiting[one]]
        return Mempool(transactions=list(self.ledger.waiting), read=unread, transfers=found)


class BalanceChain(FakeChain):
    """Its blocks do not show what contracts sent: `Ledger.balances` does."""

    def untouched_balances(self, targets: Sequence[str], height: int) -> dict[str, int]:
        self._call("untouched_balances")
        shown = dict.fromkeys(targets, 0)
        for block in self.ledger.blocks[: height + 1]:
            for one in block.transfers:
                if one.target in shown and not one.token:
                    shown[one.target] += one.units
        return {one: units + self.ledger.balances.get(one, 0) for one, units in shown.items()}


class AskedChain(UnreadChain):
    """Asked about each address, as Tron."""

    def received(self, target: str) -> list[ChainTransaction]:
        self._call("received")
        found = []
        for block in reversed(self.ledger.blocks):
            for one in block.transfers:
                if one.target == target:
                    found.append(
                        ChainTransaction(
                            transaction=one.transaction,
                            height=block.height,
                            block_hash=block.hash,
                            transfers=[one],
                        )
                    )
        return found


def silent() -> Exception:
    return ProviderUnreachable("the node is away")


def doubtful() -> Exception:
    return ProviderTimeout("the node contradicts itself")


def minutes(number: int) -> timedelta:
    return timedelta(minutes=number)
