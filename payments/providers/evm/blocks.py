"""Blocks with their transfers, read from the node and compared with one another.

The receipts are asked for by the hash of their block: a node that does not have the block then
says so, while a filter of logs would find nothing and lose a payment.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from payments.providers.evm.node import answers, results
from payments.providers.evm.transfers import transfers_of
from payments.providers.evm.values import hash_of, list_of, object_of, quantity
from payments.providers.jsonrpc import Ask, JsonRpc, RpcError
from payments.providers.ports.chain import ChainBlock, ChainTransfer
from payments.providers.ports.errors import ProviderTimeout

# A block of Ethereum with its receipts takes about a megabyte.
BLOCKS_PER_CALL = 8
RECEIPTS_PER_CALL = 100
Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Header:
    height: int
    hash: str
    parent: str
    time: datetime


def header_of(block: Json) -> Header:
    try:
        time = datetime.fromtimestamp(quantity(block.get("timestamp"), "time of a block"), UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise ProviderTimeout("the node's time of a block is impossible") from error
    return Header(
        height=quantity(block.get("number"), "number of a block"),
        hash=hash_of(block.get("hash"), "hash of a block"),
        parent=hash_of(block.get("parentHash"), "parent of a block"),
        time=time,
    )


def read_blocks(node: JsonRpc, first: int, last: int) -> list[ChainBlock]:
    """Ends where the node's chain ends. Raises ProviderTimeout if the blocks are no chain."""
    found: list[ChainBlock] = []
    while first <= last:
        end = min(last, first + BLOCKS_PER_CALL - 1)
        part = _read_part(node, first, end)
        found += part
        if len(part) < end - first + 1:
            break
        first = end + 1
    for before, after in pairwise(found):
        if after.parent != before.hash:
            raise ProviderTimeout("the chain changed while it was read")
    return found


def _read_part(node: JsonRpc, first: int, last: int) -> list[ChainBlock]:
    heights = range(first, last + 1)
    listed = results(node, [Ask("eth_getBlockByNumber", [hex(one), True]) for one in heights])
    blocks: list[tuple[Header, Json]] = []
    for height, answer in zip(heights, listed, strict=True):
        if answer is None:
            break
        block = object_of(answer, "block")
        header = header_of(block)
        if header.height != height:
            raise ProviderTimeout("the node's block has another number")
        blocks.append((header, block))
    if any(answer is not None for answer in listed[len(blocks) :]):
        raise ProviderTimeout("the node leaves out a block")
    return _with_transfers(node, blocks)


def _with_transfers(node: JsonRpc, blocks: Sequence[tuple[Header, Json]]) -> list[ChainBlock]:
    transactions = {header.hash: _transactions_of(block) for header, block in blocks}
    receipts = _receipts(node, transactions)
    return [
        ChainBlock(
            height=header.height,
            hash=header.hash,
            parent=header.parent,
            time=header.time,
            transfers=_transfers(transactions[header.hash], receipts, header.hash),
        )
        for header, _ in blocks
    ]


def _transfers(
    transactions: Mapping[str, Json], receipts: Mapping[str, Json], block_hash: str
) -> tuple[ChainTransfer, ...]:
    return tuple(
        transfer
        for transaction_hash, transaction in transactions.items()
        for transfer in transfers_of(transaction, receipts[transaction_hash], block_hash)
    )


def _transactions_of(block: Json) -> dict[str, Json]:
    """By hash, in the order of the block."""
    listed = [
        object_of(one, "transaction")
        for one in list_of(block.get("transactions"), "list of transactions")
    ]
    found = {hash_of(one.get("hash"), "hash of a transaction"): one for one in listed}
    if len(found) < len(listed):
        raise ProviderTimeout("the node shows a transaction twice in a block")
    return found


def _receipts(node: JsonRpc, transactions: Mapping[str, Mapping[str, Json]]) -> dict[str, Json]:
    """By the hash of the transaction. `transactions` are by the hash of their block.

    Some nodes leave receipts out of a block's list (system transactions of Polygon), and old ones
    have no such list. These receipts are asked for one by one.
    """
    blocks = [block for block, listed in transactions.items() if listed]
    found: dict[str, Json] = {}
    for answer in answers(node, [Ask("eth_getBlockReceipts", [block]) for block in blocks]):
        if answer is not None and not isinstance(answer, RpcError):
            found |= _by_hash(list_of(answer, "list of receipts"))
    wanted = [one for listed in transactions.values() for one in listed]
    missing = [one for one in wanted if one not in found]
    for start in range(0, len(missing), RECEIPTS_PER_CALL):
        part = missing[start : start + RECEIPTS_PER_CALL]
        found |= _by_hash(results(node, [Ask("eth_getTransactionReceipt", [one]) for one in part]))
    if any(one not in found for one in wanted):
        raise ProviderTimeout("the node has no receipt of a transaction in a block")
    return found


def _by_hash(receipts: Sequence[object]) -> dict[str, Json]:
    known = (object_of(one, "receipt") for one in receipts if one is not None)
    return {hash_of(one.get("transactionHash"), "hash of a receipt"): one for one in known}
