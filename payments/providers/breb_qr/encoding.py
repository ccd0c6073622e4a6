"""Writes the text of a QR code, its fields in the order of the standard.

A wallet may refuse it: fields 90 and 91 come from the network (docs/breb-qr.md).
"""

from decimal import Decimal

from payments.providers.breb_qr import checksum, fields
from payments.providers.breb_qr.decoding import decode
from payments.providers.breb_qr.refusals import QRRefused, Reason
from payments.providers.breb_qr.tlv import Element, text_of
from payments.providers.breb_qr.values import BrebKey, BrebQR

_KEY_TAGS = {kind: tag for tag, kind in fields.KEY_TAGS.items()}


def encode(code: BrebQR) -> str:
    """Raises QRRefused for whatever `decode` would refuse or read differently."""
    told = [
        (fields.VERSION, code.version),
        (fields.METHOD, fields.STATIC if code.is_static else fields.DYNAMIC),
        (fields.KEY, _key(code.operator, code.key)),
        *_templates(code, fields.ACCOUNTS),
        (fields.CATEGORY, code.category_code),
        (fields.CURRENCY, code.currency),
        (fields.AMOUNT, amount_text(code.amount) if code.amount is not None else ""),
        (fields.TIP, code.tip.indicator),
        (fields.TIP_FIXED, code.tip.fixed),
        (fields.TIP_PERCENTAGE, code.tip.percentage),
        (fields.COUNTRY, code.country),
        (fields.NAME, code.name),
        (fields.CITY, code.city),
        (fields.POSTAL_CODE, code.postal_code),
        (fields.ADDITIONAL, _additional(code)),
        *_templates(code, (fields.CHANNEL, *fields.TAXES, *fields.TRANSACTION)),
    ]
    text = checksum.sealed(text_of(_elements(told)))
    if decode(text) != code:
        raise QRRefused(Reason.BAD_VALUE)
    return text


def amount_text(amount: Decimal) -> str:
    """With two decimals, as the standard's examples. Raises QRRefused."""
    if not amount.is_finite() or amount <= 0 or amount != round(amount, 2):
        raise QRRefused(Reason.BAD_AMOUNT, fields.AMOUNT)
    text = f"{amount:.2f}"
    if len(text) > fields.MOST_CHARACTERS[fields.AMOUNT]:
        raise QRRefused(Reason.FIELD_TOO_LONG, fields.AMOUNT)
    return text


def _elements(told: list[tuple[str, str]]) -> tuple[Element, ...]:
    return tuple(Element(tag, value) for tag, value in told if value)


def _owner(operator: str, name: str) -> Element:
    return Element(fields.OWNER, f"CO.COM.{operator}.{name}")


def _key(operator: str, key: BrebKey | None) -> str:
    if key is None:
        return ""
    return text_of((_owner(operator, fields.KEY_NAME), Element(_KEY_TAGS[key.type], key.value)))


def _templates(code: BrebQR, wanted: tuple[tuple[str, str, str], ...]) -> list[tuple[str, str]]:
    told = []
    for tag, name, ours in wanted:
        value = getattr(code.taxes if (tag, name, ours) in fields.TAXES else code, ours)
        if value:
            inside = (_owner(code.operator, name), Element(fields.TEMPLATE_VALUE, value))
            told.append((tag, text_of(inside)))
    return told


def _additional(code: BrebQR) -> str:
    told = [(tag, getattr(code.additional, name)) for tag, name in fields.ADDITIONAL_TAGS.items()]
    return text_of(_elements(told))
