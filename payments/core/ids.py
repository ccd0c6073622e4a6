"""Public ids: a prefix and a UUIDv7 in Crockford base32. They sort by time."""

import os
import re
import time
from datetime import datetime

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
ID_MAX_LENGTH = 32
_PAIRS = [first + second for first in ALPHABET for second in ALPHABET]
_BODY = re.compile(rf"[{ALPHABET}]{{26}}")


def new_id(prefix: str) -> str:
    """Such as `col_06d3w9k1m8v7e2t5r4q0n9p8x6`: 48 bits of milliseconds and 74 random bits."""
    milliseconds = time.time_ns() // 1_000_000
    random = int.from_bytes(os.urandom(10), "big")
    value = (milliseconds << 80) | random
    value = (value & ~(0xF << 76)) | (0x7 << 76)  # version 7
    value = (value & ~(0x3 << 62)) | (0x2 << 62)  # variant 10
    return f"{prefix}_{_base32(value)}"


def first_of(prefix: str, since: datetime) -> str:
    """A lower bound of the ids that were made since then, for queries by primary key."""
    return f"{prefix}_{_base32((int(since.timestamp() * 1000) & (1 << 48) - 1) << 80)}"


def is_id(value: str, prefix: str) -> bool:
    return value.startswith(f"{prefix}_") and bool(_BODY.fullmatch(value, len(prefix) + 1))


def has_id_shape(value: str) -> bool:
    """Whether it may be an id of any kind."""
    prefix, _, body = value.partition("_")
    return prefix.isalpha() and bool(_BODY.fullmatch(body))


def _base32(value: int) -> str:
    return "".join([_PAIRS[(value >> shift) & 1023] for shift in range(120, -1, -10)])
