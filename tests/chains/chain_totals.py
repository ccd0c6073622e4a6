"""What a chain itself says that addresses got, to the smallest unit: every block from the first.

It shares nothing with the service: its own calls, its own reading of blocks, and the keys are what
payers were shown.
"""

from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from embit import bech32

TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
# (address as the payer has it, in lower case; contract or "") -> units
Sums = Counter[tuple[str, str]]


def sum_evm(node: Any) -> Sums:
    """Coins that contracts send are in no block's transactions: see `evm_balance`."""
    sums: Sums = Counter()
    for height in range(node.height + 1):
        block = node.call("eth_getBlockByNumber", hex(height), True)
        for transaction in block["transactions"]:
            receipt = node.call("eth_getTransactionReceipt", transaction["hash"])
            assert receipt["blockHash"] == block["hash"]
            if receipt["status"] == "0x1":
                _add_transaction(sums, transaction, receipt)
    return sums


def _add_transaction(
    sums: Sums, transaction: Mapping[str, Any], receipt: Mapping[str, Any]
) -> None:
    if transaction["to"]:
        sums[transaction["to"].lower(), ""] += int(transaction["value"], 16)
    for log in receipt["logs"]:
        if log["topics"][0] == TRANSFER and len(log["topics"]) == 3:
            receiver = "0x" + log["topics"][2][26:].lower()
            sums[receiver, log["address"].lower()] += int(log["data"], 16)


def evm_balance(node: Any, address: str) -> int:
    """An address of ours has never sent anything, so this is what it got."""
    return int(node.call("eth_getBalance", address, "latest"), 16)


def sum_bitcoin(node: Any, first: int = 0) -> Sums:
    """By the output's script in hex, as the node itself decodes its blocks."""
    sums: Sums = Counter()
    for height in range(first, node.height + 1):
        for transaction in _decoded_block(node, height)["tx"]:
            for output in transaction["vout"]:
                units = Decimal(str(output["value"])).scaleb(8)
                sums[output["scriptPubKey"]["hex"], ""] += int(units)
    return sums


def _decoded_block(node: Any, height: int) -> Any:
    block_hash = node.ask("getblockhash", height)
    how = (True, True) if node.name == "bcoin" else (2,)
    return node.ask("getblock", block_hash, *how)


def script_of(address: str) -> str:
    """Of segwit; the prefix of the network is not looked at."""
    version, program = bech32.decode(address.rpartition("1")[0], address)
    return bytes([version, len(program), *program]).hex()
