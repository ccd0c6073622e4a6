"""Blocks, by their headers. A block's id begins with its height in sixteen hex digits."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from payments.providers.ports import ProviderTimeout

_ID = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Header:
    height: int
    id: str
    time: datetime


def header_of(block: Mapping[str, Any]) -> Header:
    """Raises ProviderTimeout for another shape, and for an id that contradicts the height."""
    block_id = id_of(block)
    header = block.get("block_header")
    raw = header.get("raw_data") if isinstance(header, dict) else None
    if not isinstance(raw, dict):
        raise ProviderTimeout("the block has another shape")
    height = raw.get("number")
    if type(height) is not int:
        raise ProviderTimeout("the block has another shape")
    if int(block_id[:16], 16) != height:
        raise ProviderTimeout("the id of the block is of another height")
    return Header(height, block_id, moment(raw.get("timestamp")))


def moment(milliseconds: object) -> datetime:
    """Raises ProviderTimeout."""
    if type(milliseconds) is not int:
        raise ProviderTimeout("a time has another shape")
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise ProviderTimeout("a time is impossible") from error


def id_of(block: Mapping[str, Any]) -> str:
    block_id = block.get("blockID")
    if not isinstance(block_id, str) or not _ID.fullmatch(block_id):
        raise ProviderTimeout("the block has no id")
    return block_id
