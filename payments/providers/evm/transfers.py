"""The transfers of one transaction, by its receipt.

Only what a receipt shows to have succeeded moved anything. Token transfers are the logs
Transfer(address,address,uint256) of ERC-20; that of ERC-721 has a fourth topic.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from payments.providers.evm.values import address_of, hash_of, list_of, object_of, quantity
from payments.providers.ports.chain import ChainTransfer
from payments.providers.ports.errors import ProviderTimeout

TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
_WORD = re.compile(r"0x[0-9a-fA-F]{64}")
_ADDRESS_WORD = re.compile(r"0x0{24}[0-9a-fA-F]{40}")
NATIVE_POSITION = 0


def transfers_of(
    transaction: Mapping[str, Any], receipt: Mapping[str, Any], block_hash: str
) -> list[ChainTransfer]:
    """Empty for a transaction that failed.

    The position of a token's transfer counts the transaction's own logs: those of the block get
    other numbers after a reorganisation.
    """
    _check_receipt(transaction, receipt, block_hash)
    if quantity(receipt.get("status"), "status of a receipt") != 1:
        return []
    found = [*native_transfers(transaction)]
    logs = [_checked_log(log, receipt) for log in list_of(receipt.get("logs"), "list of logs")]
    logs.sort(key=lambda log: quantity(log.get("logIndex"), "number of a log"))
    tokens = filter(_is_token_transfer, logs)
    for position, log in enumerate(tokens, start=NATIVE_POSITION + 1):
        if units := int(log["data"], 16):
            one = ChainTransfer(
                target="0x" + log["topics"][2][-40:].lower(),
                token=address_of(log.get("address"), "contract of a log"),
                units=units,
                transaction=hash_of(receipt.get("transactionHash"), "hash of a receipt"),
                position=position,
            )
            found.append(one)
    return found


def native_transfers(transaction: Mapping[str, Any]) -> Iterator[ChainTransfer]:
    """What the transaction itself sends. It creates a contract where it has no receiver."""
    units = quantity(transaction.get("value"), "value of a transaction")
    receiver = transaction.get("to")
    if units and receiver is not None:
        yield ChainTransfer(
            target=address_of(receiver, "receiver of a transaction"),
            token="",
            units=units,
            transaction=hash_of(transaction.get("hash"), "hash of a transaction"),
            position=NATIVE_POSITION,
        )


def _check_receipt(
    transaction: Mapping[str, Any], receipt: Mapping[str, Any], block_hash: str
) -> None:
    own = hash_of(receipt.get("transactionHash"), "hash of a receipt")
    if own != hash_of(transaction.get("hash"), "hash of a transaction"):
        raise ProviderTimeout("the node's receipt is of another transaction")
    if hash_of(receipt.get("blockHash"), "block of a receipt") != block_hash:
        raise ProviderTimeout("the node's receipt is of another block")


def _checked_log(value: object, receipt: Mapping[str, Any]) -> Mapping[str, Any]:
    log = object_of(value, "log")
    if log.get("removed", False) is not False:
        raise ProviderTimeout("the node shows a log of a block that it dropped")
    for name in ("transactionHash", "blockHash"):
        if hash_of(log.get(name), f"{name} of a log") != hash_of(receipt[name], name):
            raise ProviderTimeout(f"the node's log has another {name} than its receipt")
    topics = list_of(log.get("topics"), "list of topics")
    if not all(isinstance(topic, str) for topic in topics):
        raise ProviderTimeout("the node's topic is no text")
    return log


def _is_token_transfer(log: Mapping[str, Any]) -> bool:
    topics, data = log["topics"], log.get("data")
    return (
        len(topics) == 3
        and topics[0].lower() == TRANSFER
        and _ADDRESS_WORD.fullmatch(topics[2]) is not None
        and isinstance(data, str)
        and _WORD.fullmatch(data) is not None
    )
