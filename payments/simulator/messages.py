"""The simulator's wire format: JSON, one entry for each attribute, amounts as decimal text."""

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
# Attributes have camelCase names on the wire, except these.
_NAMES = {"is_confirmed": "confirmed", "charge_reference": "charge"}
# The simulator's pages exist at once, and it shows no codes. Its signature covers all of a message.
# It takes no fee, and its trace codes stay.
_NOT_SENT = frozenset(
    {
        "redirect_url",
        "qr_text",
        "qr_image",
        "replaces_trace_code",
        "last_trace_code",
        "needs_known_id",
        "provider_fee",
        "provider_taxes",
        "learned",
    }
)


def body_of(update: Update, product: str = "") -> bytes:
    """`product` is that of an OutgoingUpdate, as the callback's URL spells it."""
    if isinstance(update, DisputeUpdate):
        product = DISPUTE
    entries: dict[str, object] = {"product": product} if product else {}
    for attribute, hint in _attributes(type(update)).items():
        entries[_name(attribute)] = _write(getattr(update, attribute), hint)
    return jsontext.dumps(entries).encode()


def parse(update_type: type[U], body: bytes, product: str = "") -> U:
    """Raises InvalidCallback for a malformed message and for one about another product."""
    try:
        # Earlier releases send no `confirmed`.
        message = {"confirmed": True, **jsontext.loads(body)}
        if product and message["product"] != product:
            raise InvalidCallback("about another product")
        hints = _attributes(update_type)
        values: dict[str, Any] = {
            name: _read(message[_name(name)], hint) for name, hint in hints.items()
        }
        return update_type(**values)
    except (ValueError, TypeError, KeyError, ArithmeticError) as error:
        raise InvalidCallback("body cannot be read") from error


def _attributes(update_type: type) -> dict[str, Any]:
    hints = get_type_hints(update_type)
    return {name: hint for name, hint in hints.items() if name not in _NOT_SENT}


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
