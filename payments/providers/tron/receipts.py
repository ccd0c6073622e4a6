"""What a transaction moved, by its receipt.

The index of accounts names transactions, but neither the block nor the place of a transfer among
others of its transaction. Both are in the receipt, whose events are what the contracts did.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from payments.providers.ports import ProviderTimeout
from payments.providers.ports.chain import ChainTransfer
from payments.providers.tron.addresses import address_of, address_of_topic
from payments.providers.tron.blocks import moment

TRANSFER = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
# The protocol's enum has the misspelled word.
_SUCCESS = frozenset({"SUCCESS", "SUCESS"})
_WORD = re.compile(r"(0x)?[0-9a-fA-F]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """
    transfers   all of the transaction that moved something, empty if it failed.
    """

    transaction: str
    height: int
    time: datetime
    succeeded: bool
    transfers: tuple[ChainTransfer, ...]


def receipt_of(answer: Mapping[str, Any], transaction: str, coin_token: str) -> Receipt | None:
    """None for the empty answer. Raises ProviderTimeout for another shape or transaction."""
    if not answer:
        return None
    if str(answer.get("id", "")).lower() != transaction:
        raise ProviderTimeout("the receipt is of another transaction")
    height = answer.get("blockNumber")
    if type(height) is not int or height < 1:
        raise ProviderTimeout("the receipt has another shape")
    succeeded = _succeeded(answer)
    logs = answer.get("log", [])
    if not isinstance(logs, list):
        raise ProviderTimeout("the receipt has another shape")
    transfers = tuple(_transfers(logs, transaction, coin_token)) if succeeded else ()
    return Receipt(
        transaction=transaction,
        height=height,
        time=moment(answer.get("blockTimeStamp")),
        succeeded=succeeded,
        transfers=transfers,
    )


def _succeeded(answer: Mapping[str, Any]) -> bool:
    """`result` is only written for a failure. A transaction without a contract has no receipt's."""
    receipt = answer.get("receipt", {})
    if not isinstance(receipt, dict):
        raise ProviderTimeout("the receipt has another shape")
    if answer.get("result", "SUCCESS") not in _SUCCESS:
        return False
    return receipt.get("result", None if answer.get("log") else "SUCCESS") in _SUCCESS


def _transfers(logs: list[Any], transaction: str, coin_token: str) -> Iterator[ChainTransfer]:
    """Events of other tokens may have any shape: their contracts are anybody's.

    The position counts all events of the transaction, so it stays in another block.
    """
    for position, log in enumerate(logs):
        if not isinstance(log, dict):
            raise ProviderTimeout("the receipt has another shape")
        try:
            found = _transfer(log, transaction, position)
        except (ValueError, TypeError, AttributeError) as error:
            if _contract_of(log) in ("", coin_token):
                raise ProviderTimeout("the receipt has another shape") from error
            continue
        if found is not None:
            yield found


def _transfer(log: Mapping[str, Any], transaction: str, position: int) -> ChainTransfer | None:
    """None for another event, nothing moved, or a transfer to the sender themselves.

    A token of single pieces (TRC-721) has the same event with a fourth topic. Raises ValueError.
    """
    topics = log.get("topics", [])
    if not topics or topics[0].removeprefix("0x").lower() != TRANSFER or len(topics) == 4:
        return None
    if len(topics) != 3 or not _WORD.fullmatch(log.get("data", "")):
        raise ValueError("no transfer of TRC-20")
    sender, target = address_of_topic(topics[1]), address_of_topic(topics[2])
    units = int(log["data"], 16)
    if units == 0 or sender == target:
        return None
    return ChainTransfer(
        target=target,
        token=address_of(log["address"]),
        units=units,
        transaction=transaction,
        position=position,
    )


def _contract_of(log: Mapping[str, Any]) -> str:
    try:
        return address_of(str(log.get("address", "")))
    except ValueError:
        return ""
