"""The JSON-RPC of Bitcoin Core 0.21 or later: what is asked, and whether the answer can be true."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from payments.providers.bitcoin import raw
from payments.providers.jsonrpc import Ask, JsonRpc, RpcError, basic_auth
from payments.providers.ports import ProviderTimeout, ProviderUnreachable

T = TypeVar("T")

# 4 MB in hex, and what is around them.
BLOCK_BYTES = 9 * 1024 * 1024
# 67 bytes for each of 300,000 transactions that wait.
MEMPOOL_BYTES = 32 * 1024 * 1024
# Transactions that wait have 800,000 hex digits at most, so a full batch has 20 MB.
BATCH = 25
BATCH_BYTES = 24 * 1024 * 1024
# Hashes are short.
HASHES = 500
# The error codes of the node: no such height, no such transaction.
NO_HEIGHT, UNKNOWN = -8, -5
# bcoin has this code for all that it does not find.
ANY_ERROR = -1

_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainInfo:
    chain: str
    height: int
    hash: str
    is_downloading: bool
    is_pruned: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A transaction, and the block that it is in; empty while it waits."""

    transaction: raw.RawTransaction
    block_hash: str


def connect(*, url: str, user: str, password: str, name: str = "bitcoin") -> "BitcoinNode":
    headers = basic_auth(user, password) if user or password else {}
    return BitcoinNode(JsonRpc(url=url, name=name, headers=headers, in_batches=True))


@dataclass(frozen=True, slots=True)
class BitcoinNode:
    """Raises ProviderTimeout for an answer that contradicts itself or the question."""

    rpc: JsonRpc

    def info(self) -> ChainInfo:
        found = self.rpc.ask("getblockchaininfo")
        if not isinstance(found, dict):
            raise ProviderTimeout("the state of the chain has another shape")
        return ChainInfo(
            chain=_text(found.get("chain")),
            height=_height(found.get("blocks")),
            hash=_hash(found.get("bestblockhash")),
            is_downloading=found.get("initialblockdownload") is True,
            is_pruned=found.get("pruned") is True,
        )

    def block_hash(self, height: int) -> str | None:
        return self.block_hashes([height])[0]

    def block_hashes(self, heights: Sequence[int]) -> list[str | None]:
        found: list[str | None] = []
        for first in range(0, len(heights), HASHES):
            part = [Ask("getblockhash", [height]) for height in heights[first : first + HASHES]]
            found += [_hash_or_none(one) for one in self.rpc.ask_all(part)]
        return found

    def header(self, block_hash: str) -> raw.RawHeader:
        header = _parsed(raw.parse_header, self.rpc.ask("getblockheader", block_hash, False))
        _same(header.hash, block_hash, "header")
        return header

    def block(self, block_hash: str) -> raw.RawBlock:
        found = self.rpc.ask("getblock", block_hash, False, max_bytes=BLOCK_BYTES)
        block = _parsed(raw.parse_block, found)
        _same(block.header.hash, block_hash, "block")
        return block

    def height_of(self, block_hash: str) -> int | None:
        """None for a block that is not on the best chain."""
        found = self.rpc.ask("getblockheader", block_hash, True)
        if not isinstance(found, dict):
            raise ProviderTimeout("the header has another shape")
        _same(found.get("hash"), block_hash, "header")
        height = _height(found.get("height"))
        return height if self.block_hash(height) == block_hash else None

    def waiting(self) -> list[str]:
        """The ids of the mempool. Raises ProviderUnreachable while the node still loads it.

        After a start, what is not loaded yet would look as if it had vanished.
        """
        state = self.rpc.ask("getmempoolinfo")
        if isinstance(state, dict) and state.get("loaded") is False:
            raise ProviderUnreachable("the node is still loading its mempool")
        found = self.rpc.ask("getrawmempool", max_bytes=MEMPOOL_BYTES)
        if not isinstance(found, list):
            raise ProviderTimeout("the mempool has another shape")
        return [_hash(one) for one in found]

    def transactions(self, ids: Sequence[str]) -> list[raw.RawTransaction]:
        """Those that the node still has: one may leave the mempool at any moment."""
        found = []
        for first in range(0, len(ids), BATCH):
            part = ids[first : first + BATCH]
            asked = [Ask("getrawtransaction", [one, False]) for one in part]
            answers = self.rpc.ask_all(asked, max_bytes=BATCH_BYTES)
            for one, answer in zip(part, answers, strict=True):
                if not is_unknown(answer):
                    found.append(_transaction(answer, one))
        return found

    def place(self, transaction: str) -> Placed | None:
        """Without an index of transactions (-txindex) the node knows those of the mempool only."""
        try:
            found = self.rpc.ask("getrawtransaction", transaction, True, max_bytes=BATCH_BYTES)
        except RpcError as error:
            if is_unknown(error):
                return None
            raise
        if not isinstance(found, dict):
            raise ProviderTimeout("the transaction has another shape")
        block_hash = found.get("blockhash")
        return Placed(
            transaction=_transaction(found.get("hex"), transaction),
            block_hash=_hash(block_hash) if block_hash else "",
        )

    def unspent_depths(self, transaction: str, outputs: int) -> list[int]:
        """The confirmations of those of the first outputs that are not spent. Needs no index."""
        asked = [Ask("gettxout", [transaction, number, False]) for number in range(outputs)]
        found = self.rpc.ask_all(asked)
        return [_height(one.get("confirmations")) for one in found if isinstance(one, dict)]


def is_unknown(answer: object) -> bool:
    if not isinstance(answer, RpcError):
        return False
    return answer.code == UNKNOWN or (answer.code == ANY_ERROR and "not found" in str(answer))


def _hash_or_none(answer: object) -> str | None:
    if isinstance(answer, RpcError):
        if answer.code == NO_HEIGHT:
            return None
        raise answer
    return _hash(answer)


def _transaction(answer: object, transaction: str) -> raw.RawTransaction:
    if isinstance(answer, RpcError):
        raise answer
    found = _parsed(raw.parse_transaction, answer)
    _same(found.id, transaction, "transaction")
    return found


def _parsed(parse: Callable[[bytes], T], answer: Any) -> T:
    try:
        return parse(bytes.fromhex(answer))
    except (TypeError, ValueError) as error:
        raise ProviderTimeout(f"{parse.__name__}: {error}"[:200]) from error


def _same(found: object, asked: str, name: str) -> None:
    if found != asked:
        raise ProviderTimeout(f"the {name} is another than the one that was asked for")


def _text(answer: object) -> str:
    if not isinstance(answer, str):
        raise ProviderTimeout("a text has another shape")
    return answer[:50]


def _hash(answer: object) -> str:
    if not isinstance(answer, str) or not _HASH.fullmatch(answer):
        raise ProviderTimeout("a hash has another shape")
    return answer


def _height(answer: object) -> int:
    if not isinstance(answer, int) or isinstance(answer, bool) or answer < 0:
        raise ProviderTimeout("a height has another shape")
    return answer
