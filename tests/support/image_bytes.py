"""Pictures made by hand, so that no test needs a library for them."""

import struct
import zlib


def png(width: int = 120, height: int = 60, colour: tuple[int, int, int] = (200, 16, 46)) -> bytes:
    """A rectangle of one colour, which a browser really shows."""
    rows = (b"\x00" + bytes(colour) * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return _png((b"IHDR", header), (b"IDAT", zlib.compress(rows)))


def jpeg(width: int = 120, height: int = 60) -> bytes:
    """The frame of a JPEG: what tells its size."""
    app0 = b"\xff\xe0" + struct.pack(">H", 16) + b"JFIF\x00\x01\x01" + bytes(7)
    frame = b"\xff\xc2" + struct.pack(">HBHHB", 11, 8, height, width, 1) + b"\x01\x11\x00"
    return b"\xff\xd8" + app0 + frame + b"\xff\xd9"


def webp(kind: bytes = b"VP8 ", width: int = 120, height: int = 60) -> bytes:
    """The head of a WebP of each of its three kinds."""
    bodies = {
        b"VP8 ": b"\x00\x00\x00\x9d\x01\x2a" + struct.pack("<HH", width, height),
        b"VP8L": b"\x2f" + struct.pack("<I", (width - 1) | (height - 1) << 14),
        b"VP8X": bytes(4) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little"),
    }
    body = kind + struct.pack("<I", len(bodies[kind])) + bodies[kind] + bytes(8)
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


def png_of_indices(width: int, palette: list[list[int]], indices: bytes) -> bytes:
    """A picture of at most 256 colours, each pixel one byte."""
    height = len(indices) // width
    rows = b"".join(b"\x00" + indices[y * width : (y + 1) * width] for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    colours = b"".join(bytes(colour) for colour in palette)
    return _png((b"IHDR", header), (b"PLTE", colours), (b"IDAT", zlib.compress(rows, 9)))


def _png(*parts: tuple[bytes, bytes]) -> bytes:
    chunks = [*parts, (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )
