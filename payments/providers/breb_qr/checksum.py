"""CRC-16/CCITT-FALSE at the end of a text: over its bytes in UTF-8 up to and including "6304"."""

import binascii

from payments.providers.breb_qr.refusals import QRRefused, Reason

HEAD = "6304"
_DIGITS = 4


def crc16(data: bytes) -> int:
    """The polynomial 0x1021 from 0xFFFF, not reflected."""
    return binascii.crc_hqx(data, 0xFFFF)


def sealed(body: str) -> str:
    """The body, without field 63, and its checksum."""
    told = body + HEAD
    return f"{told}{crc16(told.encode()):04X}"


def unsealed(text: str) -> str:
    """The text before field 63. Raises QRRefused: small letters in the checksum are wrong, too."""
    body = text[: -len(HEAD) - _DIGITS]
    if not text.endswith(HEAD, 0, -_DIGITS):
        raise QRRefused(Reason.NO_CRC, "63")
    if sealed(body) != text:
        raise QRRefused(Reason.BAD_CRC, "63")
    return body
