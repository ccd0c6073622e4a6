"""JSON with exact amounts: Decimal in both directions, never a float."""

import json
from decimal import Decimal
from typing import Any

from .models import DECIMAL_FIELDS


def loads(text: str | bytes) -> Any:
    return json.loads(text, parse_float=Decimal, object_hook=_with_decimals)


def dumps(value: Any) -> str:
    """Without spaces. A Decimal becomes a JSON number with all its digits."""
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"{value} is no amount.")
        return format(value, "f")
    if isinstance(value, dict):
        pairs = (
            f"{json.dumps(str(name), ensure_ascii=False)}:{dumps(item)}"
            for name, item in value.items()
        )
        return "{" + ",".join(pairs) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(dumps, value)) + "]"
    return json.dumps(value, allow_nan=False, ensure_ascii=False)


def _with_decimals(found: dict[str, Any]) -> dict[str, Any]:
    """50000 is a whole number in JSON, and an amount if its name says so."""
    for name in DECIMAL_FIELDS & found.keys():
        if type(found[name]) is int:
            found[name] = Decimal(found[name])
    return found
