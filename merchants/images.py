"""What an uploaded picture really is, told by its bytes: never by its name or its sender.

PNG, JPEG and WebP only. An SVG is a program, and no program of others stands on the payer's page.
"""

import struct
from dataclasses import dataclass

MAX_BYTES = 64 * 1024
MAX_SIDE = 1024
_START_OF_FRAME = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
_WITHOUT_LENGTH = {0x01, *range(0xD0, 0xD9)}


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture's kind and its size in pixels."""

    media_type: str
    width: int
    height: int


def read(content: bytes) -> Picture | None:
    """What the bytes are; None for anything but a whole PNG, JPEG or WebP."""
    try:
        picture = _png(content) or _jpeg(content) or _webp(content)
    except (IndexError, struct.error):
        return None
    return picture if picture and picture.width > 0 and picture.height > 0 else None


def _png(content: bytes) -> Picture | None:
    if content[:8] != b"\x89PNG\r\n\x1a\n" or content[12:16] != b"IHDR":
        return None
    if content[-8:-4] != b"IEND":
        return None
    return Picture("image/png", *struct.unpack(">II", content[16:24]))


def _jpeg(content: bytes) -> Picture | None:
    """Walks the segments to the frame header, which alone knows the size."""
    if content[:3] != b"\xff\xd8\xff" or content[-2:] != b"\xff\xd9":
        return None
    at = 2
    while content[at] == 0xFF:
        marker = content[at + 1]
        if marker in _START_OF_FRAME:
            height, width = struct.unpack(">HH", content[at + 5 : at + 9])
            return Picture("image/jpeg", width, height)
        if marker == 0xFF:
            at += 1
        elif marker in _WITHOUT_LENGTH:
            at += 2
        else:
            at += 2 + struct.unpack(">H", content[at + 2 : at + 4])[0]
    return None


def _webp(content: bytes) -> Picture | None:
    if content[:4] != b"RIFF" or content[8:12] != b"WEBP":
        return None
    if struct.unpack("<I", content[4:8])[0] + 8 > len(content):
        return None
    kind = content[12:16]
    if kind == b"VP8X":
        width = int.from_bytes(content[24:27], "little") + 1
        return Picture("image/webp", width, int.from_bytes(content[27:30], "little") + 1)
    if kind == b"VP8L" and content[20] == 0x2F:
        bits = struct.unpack("<I", content[21:25])[0]
        return Picture("image/webp", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    if kind == b"VP8 " and content[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack("<HH", content[26:30])
        return Picture("image/webp", width & 0x3FFF, height & 0x3FFF)
    return None
