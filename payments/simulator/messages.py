"""The simulator's wire format: JSON with amounts as decimal text, one entry for each attribute."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, TypeVar, get_type_hints

from payments.core import jsontext, money
from payments.providers.ports import (
    ChargeUpdate,
    DisputeUpdate,
    InvalidCallback,
    OutgoingUpdate,
    parse_amount,
)

Update = ChargeUpdate | OutgoingUpdate | DisputeUpdate
U = TypeVar("U", ChargeUpdate, OutgoingUpdate, DisputeUpdate)
DISPUTE = "dispute"
# On the wire attributes have their names in camelCase, but for these.
_NAMES = {"is_confirmed": "confirmed", "charge_reference": "charge"}


def body_of(update: Update, product: str = "") -> bytes:
    """`product` is the word in the URL of an OutgoingUpdate; messages about charges have none."""
    if isinstance(update, DisputeUpdate):
        product = DISPUTE
    entries: dict[str, object] = {"product": product} if product else {}
    for attribute, hint in get_type_hints(type(update)).items():
        entries[_name(attribute)] = _write(getattr(update, attribute), hint)
    return jsontext.dumps(entries).encode()


def parse(update_type: type[U], body: bytes, product: str = "") -> U:
    """Raises InvalidCallback for a message about another product, and for one that is malformed."""
    try:
        # Releases before finality left `confirmed` out.
        message = {"confirmed": True, **jsontext.loads(body)}
        if product and message["product"] != product:
            raise InvalidCallback("about another product")
        hints = get_type_hints(update_type)
        values: dict[str, Any] = {
            name: _read(message[_name(name)], hint) for name, hint in hints.items()
        }
        return update_type(**values)
    except (ValueError, TypeError, KeyError, ArithmeticError) as error:
        raise InvalidCallback("body cannot be read") from error


def _name(attribute: str) -> str:
    first, *others = attribute.split("_")
    return _NAMES.get(attribute) or first + "".join(word.title() for word in others)


def _write(value: object, hint: object) -> object:
    if value is None:
        return "0" if hint == Decimal | None else ""
    if isinstance(value, Decimal):
        return money.text(value)
    return value.isoformat() if isinstance(value, datetime) else value


def _read(value: object, hint: Any) -> object:
    if hint is bool:
        return value is True
    if not isinstance(value, str):
        raise TypeError("not text")
    if hint in (Decimal, Decimal | None):
        return parse_amount(value)
    if hint in (datetime, datetime | None):
        is_missing = not value and hint is not datetime
        return None if is_missing else datetime.fromisoformat(value).astimezone(UTC)
    return hint(value)  # text, or one of the values of an enum
