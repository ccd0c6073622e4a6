"""The rules of the Bre-B QR standard (EASPBV 1.4-2025), for tests of what encodes and decodes it.

Written from the standard's tables without a look at our encoder. `problems` is for a text that
claims to be complete; tags 90 and 91 come from the network, so 91 may be missing.
"""

import re
from collections.abc import Iterator

NETWORKS = ("CO.COM.RBM", "CO.COM.CRB")
ACQUIRERS = ("ACH", "BRC", "CRB", "MCCA", "RBM", "SVB", "VCSS", "VISI")
CHANNELS = ("IM", "POS", "APP", "ECOMM", "MPOS", "ATM", "CB", "OFC")
REQUIRED = ("00", "01", "49", "52", "53", "54", "58", "59", "60", "61", "62", "63")
REQUIRED += ("80", "81", "82", "83", "84", "85", "90")

# What a template's tag 00 names, after the network.
TEMPLATES = {
    "26": "LLA",
    "49": "RED",
    "50": "CU",
    "51": "CA",
    "80": "CANAL",
    "81": "CIVA",
    "82": "IVA",
    "83": "BASE",
    "84": "CINC",
    "85": "INC",
    "90": "TRXID",
    "91": "SEC",
}
NESTED = (*TEMPLATES, "62")
VALUES = {
    "00": "01",
    "01": "11|12",
    "52": r"\d{4}",
    "53": "170",
    "54": r"(?=.{1,13}\Z)\d+(\.\d{1,2})?",
    "58": "CO",
    "59": ".{1,25}",
    "60": ".{1,15}",
    "61": ".{1,10}",
    "63": "[0-9A-F]{4}",
}
AMOUNT = r"\d+(\.\d{1,2})?"
SECOND_VALUES = {
    "49": "|".join(ACQUIRERS),
    "50": ".+",
    "51": ".+",
    "80": "|".join(CHANNELS),
    "81": "0[123]",
    "82": AMOUNT,
    "83": AMOUNT,
    "84": r"0\d",
    "85": AMOUNT,
    "90": ".{1,19}",
    "91": ".{24,64}",
}
KEYS = {
    "01": "[A-Za-z0-9]{1,18}",
    "02": r"(\+57)?3\d{9}",
    "03": r"[^@ ]{1,30}@[^@ ]{1,61}",
    "04": "@[A-Za-z0-9]{5,20}",
    "05": r"\d{8,10}",
}


class QrError(ValueError):
    """The text cannot be divided into elements."""


def crc(text: str) -> str:
    """CRC-16/CCITT-FALSE of the UTF-8 bytes, bit by bit as the definition has it."""
    register = 0xFFFF
    for byte in text.encode():
        for bit in range(7, -1, -1):
            top = register >> 15 & 1
            register = register << 1 & 0xFFFF
            if top ^ (byte >> bit & 1):
                register ^= 0x1021
    return f"{register:04X}"


def elements(text: str) -> dict[str, str]:
    """Divide into tags and values; the order of the text is the order of the dictionary."""
    found: dict[str, str] = {}
    while text:
        tag, size = text[:2], text[2:4]
        if not re.fullmatch("[0-9]{2}", tag) or not re.fullmatch("[0-9]{2}", size):
            raise QrError(f"no tag and length at {text[:8]!r}")
        value, text = text[4 : 4 + int(size)], text[4 + int(size) :]
        if len(value) != int(size):
            raise QrError(f"tag {tag} ends after {len(value)} of {size} characters")
        if tag in found:
            raise QrError(f"tag {tag} twice")
        found[tag] = value
    return found


def nested(text: str) -> dict[str, dict[str, str]]:
    """The templates of a text, divided."""
    return {tag: elements(value) for tag, value in elements(text).items() if tag in NESTED}


def problems(text: str, *, is_registered: bool = False) -> list[str]:
    """Return all broken rules; a registered text has the network's tag 91, too."""
    try:
        found, templates = elements(text), nested(text)
    except QrError as broken:
        return [str(broken)]
    required = (*REQUIRED, "91") if is_registered else REQUIRED
    return [
        *(f"tag {tag} is missing" for tag in required if tag not in found),
        *_order_and_crc(text, found),
        *_values(found),
        *_templates(templates),
    ]


def _order_and_crc(text: str, found: dict[str, str]) -> Iterator[str]:
    tags = list(found)
    if tags[0] != "00":
        yield "tag 00 is not the first"
    if tags[-1] != "63":
        yield "tag 63 is not the last"
    elif found["63"] != crc(text[:-4]):
        yield f"the CRC is {crc(text[:-4])}, the text has {found['63']}"


def _values(found: dict[str, str]) -> Iterator[str]:
    for tag, rule in VALUES.items():
        if tag in found and not re.fullmatch(rule, found[tag]):
            yield f"tag {tag} holds {found[tag]!r}"


def _templates(templates: dict[str, dict[str, str]]) -> Iterator[str]:
    for tag, name in TEMPLATES.items():
        if tag not in templates:
            continue
        inside = templates[tag]
        if inside.get("00") not in [f"{network}.{name}" for network in NETWORKS]:
            yield f"template {tag} names {inside.get('00')!r}"
        if tag == "26":
            yield from _key(inside)
        elif not re.fullmatch(SECOND_VALUES[tag], inside.get("01", "")):
            yield f"template {tag} holds {inside.get('01')!r}"
    if len({value["00"].rpartition(".")[0] for tag, value in templates.items() if tag != "62"}) > 1:
        yield "the templates belong to two networks"
    yield from _additional(templates.get("62", {}))


def _key(inside: dict[str, str]) -> Iterator[str]:
    kinds = [tag for tag in inside if tag != "00"]
    if len(kinds) != 1 or kinds[0] not in KEYS:
        yield f"template 26 has the tags {kinds} instead of one key"
    elif not re.fullmatch(KEYS[kinds[0]], inside[kinds[0]]):
        yield f"template 26 holds the key {inside[kinds[0]]!r}"


def _additional(inside: dict[str, str]) -> Iterator[str]:
    for tag, rule in (("07", ".+"), ("08", r"\d{2}")):
        if not re.fullmatch(rule, inside.get(tag, "")):
            yield f"tag 62 {tag} holds {inside.get(tag)!r}"
    if "11" in inside and not re.fullmatch(r"\d{3}", inside["11"]):
        yield f"tag 62 11 holds {inside['11']!r}"
