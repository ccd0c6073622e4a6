"""Elements of EMVCo's texts: two digits of a tag, two of a length, the value.

A length counts characters of Unicode, not bytes, as EMVCo says of strings. Texts whose names have
accents and whose lengths count bytes are refused, because they could be read in two ways.
"""

import re
from dataclasses import dataclass

from payments.providers.breb_qr.refusals import QRRefused, Reason

LONGEST_VALUE = 99
_TWO_DIGITS = re.compile("[0-9]{2}")


@dataclass(frozen=True, slots=True)
class Element:
    tag: str
    value: str


def elements_of(text: str, inside: str = "") -> tuple[Element, ...]:
    """Whatever order they have. `inside` names the template for errors. Raises QRRefused."""
    found: dict[str, Element] = {}
    position, last = 0, inside
    while position < len(text):
        element = _element_at(text, position, inside, last)
        last = _path(inside, element.tag)
        if element.tag in found:
            raise QRRefused(Reason.DUPLICATE_TAG, last)
        found[element.tag] = element
        position += 4 + len(element.value)
    return tuple(found.values())


def text_of(elements: tuple[Element, ...]) -> str:
    """Raises QRRefused for a value that no length can tell."""
    for element in elements:
        if not element.value:
            raise QRRefused(Reason.MISSING_FIELD, element.tag)
        if len(element.value) > LONGEST_VALUE:
            raise QRRefused(Reason.FIELD_TOO_LONG, element.tag)
    return "".join(f"{each.tag}{len(each.value):02d}{each.value}" for each in elements)


def _element_at(text: str, position: int, inside: str, last: str) -> Element:
    tag, digits = text[position : position + 2], text[position + 2 : position + 4]
    if not _TWO_DIGITS.fullmatch(tag):
        raise QRRefused(Reason.TRUNCATED if len(tag) < 2 else Reason.BAD_TAG, last)
    path = _path(inside, tag)
    if not _TWO_DIGITS.fullmatch(digits) or digits == "00":
        raise QRRefused(Reason.TRUNCATED if len(digits) < 2 else Reason.BAD_LENGTH, path)
    value = text[position + 4 : position + 4 + int(digits)]
    if len(value) < int(digits):
        raise QRRefused(Reason.TRUNCATED, path)
    return Element(tag, value)


def _path(inside: str, tag: str) -> str:
    return f"{inside}.{tag}" if inside else tag
