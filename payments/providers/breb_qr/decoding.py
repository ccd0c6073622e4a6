"""Reads the text of a QR code, and is strict where money depends on it.

Fields may stand in any order after 00, as banks write them. Those that this module does not know
are passed over.
"""

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal

from payments.providers.breb_qr import checksum, fields
from payments.providers.breb_qr.refusals import QRRefused, Reason
from payments.providers.breb_qr.tlv import elements_of
from payments.providers.breb_qr.values import AdditionalData, BrebKey, BrebQR, Taxes, Tip

# Real ones have 300 to 700.
MOST_CHARACTERS = 1_024
# "15000." is allowed by EMVCo. Three decimals may be thousands: that is refused.
_AMOUNT = re.compile(r"[0-9]+(?:\.[0-9]{0,2})?")
_DIGITS = re.compile("[0-9]+")


@dataclass(frozen=True, slots=True)
class _Template:
    operator: str
    values: dict[str, str]


def decode(text: str) -> BrebQR:
    """Spaces and line ends around the text are dropped. Raises QRRefused."""
    found = {each.tag: each.value for each in elements_of(checksum.unsealed(checked(text)))}
    if "63" in found:
        raise QRRefused(Reason.DUPLICATE_TAG, "63")
    _check_fixed(found)
    _check_lengths(found)
    templates = _templates(found)
    return BrebQR(
        is_static=found[fields.METHOD] == fields.STATIC,
        name=found[fields.NAME],
        key=_key(templates.get(fields.KEY)),
        operator=_operator(templates),
        category_code=_digits(found, fields.CATEGORY),
        amount=_amount(found, fields.AMOUNT),
        city=found.get(fields.CITY, ""),
        postal_code=found.get(fields.POSTAL_CODE, ""),
        tip=_tip(found),
        additional=_additional(found),
        taxes=Taxes(**_named(templates, fields.TAXES)),
        **_named(templates, (*fields.ACCOUNTS, fields.CHANNEL, *fields.TRANSACTION)),
    )


def checked(text: str) -> str:
    """The text without what surrounds it. It is one of an EMV code, as far as its head tells."""
    text = text.strip()
    if not text:
        raise QRRefused(Reason.EMPTY)
    if len(text) > MOST_CHARACTERS:
        raise QRRefused(Reason.TEXT_TOO_LONG)
    # Letters that turn the direction of a line could show another name than the wallet's.
    if any(unicodedata.category(letter)[0] == "C" for letter in text):
        raise QRRefused(Reason.NOT_PRINTABLE)
    if not text.startswith("000201"):
        raise QRRefused(Reason.NOT_EMV)
    return text


def _check_fixed(found: dict[str, str]) -> None:
    for tag in (fields.METHOD, fields.CURRENCY, fields.COUNTRY, fields.NAME):
        if tag not in found:
            raise QRRefused(Reason.MISSING_FIELD, tag)
    if found[fields.METHOD] not in (fields.STATIC, fields.DYNAMIC):
        raise QRRefused(Reason.BAD_VALUE, fields.METHOD)
    if found[fields.CURRENCY] != fields.PESOS:
        raise QRRefused(Reason.WRONG_CURRENCY, fields.CURRENCY)
    if found[fields.COUNTRY] != fields.COLOMBIA:
        raise QRRefused(Reason.WRONG_COUNTRY, fields.COUNTRY)
    if not found[fields.NAME].strip():
        raise QRRefused(Reason.MISSING_FIELD, fields.NAME)


def _check_lengths(found: dict[str, str]) -> None:
    for tag, most in fields.MOST_CHARACTERS.items():
        if len(found.get(tag, "")) > most:
            raise QRRefused(Reason.FIELD_TOO_LONG, tag)


def _templates(found: dict[str, str]) -> dict[str, _Template]:
    """By their tags. Those of other owners than the standard's are left out."""
    read = {}
    for tag, name in ((fields.KEY, fields.KEY_NAME), *((t[0], t[1]) for t in fields.TEMPLATES)):
        values = {each.tag: each.value for each in elements_of(found.get(tag, ""), tag)}
        owner = fields.OWNER_NAME.fullmatch(values.pop(fields.OWNER, ""))
        if owner and owner[2] == name:
            read[tag] = _Template(operator=owner[1], values=values)
    return read


def _operator(templates: dict[str, _Template]) -> str:
    """Of the key, else of the network, else of whichever template comes first."""
    return next((template.operator for template in templates.values()), "")


def _key(template: _Template | None) -> BrebKey | None:
    if template is None:
        return None
    keys = [BrebKey(kind, template.values[tag]) for tag, kind in _key_tags(template)]
    if not keys:
        raise QRRefused(Reason.NO_KEY, fields.KEY)
    if len(keys) > 1:
        raise QRRefused(Reason.SEVERAL_KEYS, fields.KEY)
    return keys[0]


def _key_tags(template: _Template) -> list[tuple[str, fields.KeyType]]:
    return [(tag, kind) for tag, kind in fields.KEY_TAGS.items() if tag in template.values]


def _named(
    templates: dict[str, _Template], wanted: tuple[tuple[str, str, str], ...]
) -> dict[str, str]:
    return {
        ours: templates[tag].values.get(fields.TEMPLATE_VALUE, "")
        for tag, _, ours in wanted
        if tag in templates
    }


def _digits(found: dict[str, str], tag: str) -> str:
    value = found.get(tag, "")
    if value and not _DIGITS.fullmatch(value):
        raise QRRefused(Reason.NOT_DIGITS, tag)
    return value


def _amount(found: dict[str, str], tag: str) -> Decimal | None:
    """Zero means that the payer types it."""
    value = found.get(tag, "0")
    if not _AMOUNT.fullmatch(value):
        raise QRRefused(Reason.BAD_AMOUNT, tag)
    return Decimal(value) or None


def _tip(found: dict[str, str]) -> Tip:
    for tag in (fields.TIP_FIXED, fields.TIP_PERCENTAGE):
        _amount(found, tag)
    return Tip(
        indicator=_digits(found, fields.TIP),
        fixed=found.get(fields.TIP_FIXED, ""),
        percentage=found.get(fields.TIP_PERCENTAGE, ""),
    )


def _additional(found: dict[str, str]) -> AdditionalData:
    inside = elements_of(found.get(fields.ADDITIONAL, ""), fields.ADDITIONAL)
    known = {fields.ADDITIONAL_TAGS.get(each.tag, ""): each.value for each in inside}
    return AdditionalData(**{name: value for name, value in known.items() if name})
