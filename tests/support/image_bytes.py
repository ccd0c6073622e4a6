"""Pictures: PNG made by hand, for exact bytes; other kinds made by Pillow."""

import io
import struct
import zlib
from typing import Any

from PIL import Image


def png(
    width: int = 120,
    height: int = 60,
    colour: tuple[int, int, int] = (200, 16, 46),
    rows: int | None = None,
) -> bytes:
    """A rectangle of one colour. With fewer `rows` than `height`, the header promises more."""
    data = (b"\x00" + bytes(colour) * width) * (height if rows is None else rows)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return _png((b"IHDR", header), (b"IDAT", zlib.compress(data)))


def jpeg(width: int = 120, height: int = 60) -> bytes:
    return encoded("JPEG", width, height)


def webp(width: int = 120, height: int = 60, **options: Any) -> bytes:
    return encoded("WEBP", width, height, **options)


def encoded(
    kind: str, width: int = 120, height: int = 60, frames: int = 1, **options: Any
) -> bytes:
    """A picture as Pillow writes it; of several frames it is animated."""
    colours = [(200, 16, 46), (10, 122, 102)] * frames
    first, *others = [Image.new("RGB", (width, height), colour) for colour in colours[:frames]]
    file = io.BytesIO()
    animation = {"save_all": True, "append_images": others, "duration": 100} if others else {}
    first.save(file, kind, **animation, **options)
    return file.getvalue()


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
