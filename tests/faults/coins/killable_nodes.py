"""Nodes that are killed, with wallets that send again what the node has forgotten.

A lock of each node keeps payers from sending while it is down. The scanners know no such lock.
"""

import gzip
import threading
import time
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

from tests.chains.nodes.anvil import Anvil
from tests.chains.nodes.bcoin import MATURITY, SUBSIDY, Bcoin
from tests.chains.nodes.bitcoin_like import NodeError
from tests.chains.nodes.contracts import Token, deploy_token

TOKENS = ("USDT", "USDC")
DECIMALS = {"ETH": 18, "USDT": 6, "USDC": 6, "BTC": 8}
BELOW = 15
# A block that is lost was there so long.
SHOWN_SECONDS = 0.3


class LossyAnvil(Anvil):
    """`keep` writes its state; a start begins with what was written last."""

    def command(self) -> list[str]:
        return [*super().command(), "--preserve-historical-states"]

    def keep(self) -> None:
        dumped = bytes.fromhex(str(self.call("anvil_dumpState", True))[2:])
        (self.directory / "anvil.json").write_bytes(gzip.decompress(dumped))


class KillableNode:
    """`_sent`: what payers sent, with the height at that time."""

    code = ""
    network = ""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.kills = 0
        self.lost_blocks = 0
        self._sent: list[tuple[int, str, str]] = []

    def pay(self, currency: str, address: str, amount: Decimal) -> int:
        """Returns what was sent, in the smallest unit."""
        units = int(amount.scaleb(DECIMALS[currency]))
        with self.lock:
            transaction, raw = self._pay(currency, address, units)
            self._sent.append((self.height, transaction, raw))
        return units

    def mine(self) -> None:
        with self.lock:
            self._mine()

    def lose(self, blocks: int, down_seconds: float) -> None:
        """Killed; it comes back without its newest blocks, and other transactions than before are
        in those that follow.
        """
        with self.lock:
            self._keep()
            for _ in range(blocks):
                self._mine()
                time.sleep(SHOWN_SECONDS)
            self._kill()
            self.kills += 1
            self.lost_blocks += blocks
            time.sleep(down_seconds)
            self._restart()
            self._send_again()
            self._grow(blocks)

    def reorganise(self, depth: int) -> None:
        with self.lock:
            self._reorganise(depth)
            self._send_again()
            self._grow(depth)

    def _grow(self, blocks: int) -> None:
        """As high as before, so that two losses never meet below what is final."""
        for _ in range(blocks + 1):
            time.sleep(SHOWN_SECONDS)
            self._mine()

    def _send_again(self) -> None:
        for sent_at, transaction, raw in self._sent:
            if sent_at > self.height - BELOW and not self._is_known(transaction):
                self._send_raw(raw)

    @property
    def height(self) -> int:
        raise NotImplementedError

    _pay: Callable[[str, str, int], tuple[str, str]]
    _mine: Callable[[], Any]
    _keep: Callable[[], None]
    _kill: Callable[[], None]
    _restart: Callable[[], None]
    _reorganise: Callable[[int], None]
    _is_known: Callable[[str], bool]
    _send_raw: Callable[[str], Any]


class KillableAnvil(KillableNode):
    code, network = "evm-killed", "ethereum"
    currencies = ("ETH", *TOKENS)

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.node = LossyAnvil(folder)
        self.node.start()
        self.tokens: dict[str, Token] = {one: deploy_token(self.node, one) for one in TOKENS}
        self.node.mine(BELOW)

    @property
    def height(self) -> int:
        return self.node.height

    def close(self) -> None:
        self.node.stop(kill=True)

    def _pay(self, currency: str, address: str, units: int) -> tuple[str, str]:
        if currency in self.tokens:
            transaction = self.tokens[currency].send(address, units)
        else:
            transaction = self.node.send(address, value=units)
        return transaction, str(self.node.call("eth_getRawTransactionByHash", transaction))

    def _mine(self) -> None:
        self.node.mine()

    def _keep(self) -> None:
        self.node.keep()

    def _kill(self) -> None:
        self.node.stop(kill=True)

    def _restart(self) -> None:
        self.node.start()

    def _reorganise(self, depth: int) -> None:
        self.node.reorganise(depth)

    def _is_known(self, transaction: str) -> bool:
        return self.node.call("eth_getTransactionByHash", transaction) is not None

    def _send_raw(self, raw: str) -> None:
        self.node.call("eth_sendRawTransaction", raw)


class KillableBcoin(KillableNode):
    """In memory: a start has no block, and gets those that were kept from the network."""

    code, network = "bitcoin-killed", "bitcoin-regtest"
    currencies = ("BTC",)

    def __init__(self, folder: Path, payments: int) -> None:
        super().__init__()
        self.node = Bcoin(folder)
        self.node.start()
        self._blocks: list[str] = []
        self._kept = 0
        for block in self._mine(MATURITY + payments)[:payments]:
            coinbase = self.node.ask("getblock", block)["tx"][0]
            self.node.coins.append((coinbase, 0, SUBSIDY))

    @property
    def height(self) -> int:
        return self.node.height

    def close(self) -> None:
        self.node.stop()

    def _pay(self, currency: str, address: str, units: int) -> tuple[str, str]:
        self.node.pay(address, Decimal(units).scaleb(-DECIMALS[currency]))
        sent, self.node.sent = self.node.sent, None  # it is sent again here, and not by the node
        assert sent is not None
        return sent

    def _mine(self, blocks: int = 1) -> list[str]:
        made: list[str] = self.node.mine(blocks)
        self._blocks += [self.node.ask("getblock", one, False) for one in made]
        return made

    def _keep(self) -> None:
        self._kept = len(self._blocks)

    def _kill(self) -> None:
        self.node.kill()

    def _restart(self) -> None:
        del self._blocks[self._kept :]
        self.node.start()
        for block in self._blocks:
            self.node.ask("submitblock", block)
        assert self.node.height == len(self._blocks)

    def _reorganise(self, depth: int) -> None:
        self.node.reorganise(depth)
        del self._blocks[-depth:]
        first = len(self._blocks) + 1
        for height in range(first, self.node.height + 1):
            block_hash = self.node.ask("getblockhash", height)
            self._blocks.append(self.node.ask("getblock", block_hash, False))

    def _is_known(self, transaction: str) -> bool:
        try:
            self.node.ask("getrawtransaction", transaction)
        except NodeError:
            return False
        return True

    def _send_raw(self, raw: str) -> None:
        self.node.ask("sendrawtransaction", raw)
