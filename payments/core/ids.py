"""Public identifiers: a prefix and a UUIDv7 in Crockford base32, so that they sort by time."""

import os
import re
import time
from datetime import datetime

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
ID_MAX_LENGTH = 32
_BODY = re.compile(rf"[{ALPHABET}]{{26}}")


def new_id(prefix: str) -> str:
    """Returns e.g. `col_06d3w9k1m8v7e2t5r4q0n9p8x6`: 48 bits of milliseconds, 74 random bits."""
    milliseconds = time.time_ns() // 1_000_000
    random = int.from_bytes(os.urandom(10), "big")
    value = (milliseconds << 80) | random
    value = (value & ~(0xF << 76)) | (0x7 << 76)  # version 7
    value = (value & ~(0x3 << 62)) | (0x2 << 62)  # variant 10
    return f"{prefix}_{_base32(value)}"


def first_id(prefix: str, at: datetime) -> str:
    """Not above any id made at `at` or later: ids sort by time, so it finds rows by their age."""
    return f"{prefix}_{_base32(int(at.timestamp() * 1000) << 80)}"


def is_id(value: str, prefix: str) -> bool:
    """Whether `value` could be an id that `new_id(prefix)` made; spares a look-up when not."""
    return value.startswith(f"{prefix}_") and bool(_BODY.fullmatch(value, len(prefix) + 1))


def _base32(value: int) -> str:
    return "".join(ALPHABET[(value >> shift) & 31] for shift in range(125, -1, -5))
