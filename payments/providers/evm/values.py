"""The values of a node's JSON, read strictly: another shape raises ProviderTimeout."""

import re
from collections.abc import Mapping
from typing import Any

from payments.providers.ports.errors import ProviderTimeout

_QUANTITY = re.compile(r"0x[0-9a-fA-F]{1,64}")
_HASH = re.compile(r"0x[0-9a-fA-F]{64}")
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{40}")


def object_of(value: object, what: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ProviderTimeout(f"the node's {what} is no object")
    return value


def list_of(value: object, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise ProviderTimeout(f"the node's {what} is no list")
    return value


def quantity(value: object, what: str) -> int:
    return int(_matching(_QUANTITY, value, what), 16)


def hash_of(value: object, what: str) -> str:
    return _matching(_HASH, value, what).lower()


def address_of(value: object, what: str) -> str:
    return _matching(_ADDRESS, value, what).lower()


def _matching(pattern: re.Pattern[str], value: object, what: str) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise ProviderTimeout(f"the node's {what} has another shape")
    return value
