"""Reads type and size of an uploaded logo from its bytes, not from its name or the request.

Accepts complete PNG, JPEG and WebP images without animation. An SVG may contain scripts.
"""

import io
from dataclasses import dataclass

MAX_BYTES = 64 * 1024
MAX_SIDE = 1024
# Pillow also reads a PNG or JPEG that is cut off or has other bytes at its end.
_ENDS = {"PNG": b"IEND\xaeB`\x82", "JPEG": b"\xff\xd9", "WEBP": b""}


@dataclass(frozen=True, slots=True)
class Picture:
    media_type: str
    width: int
    height: int

    @property
    def is_too_large(self) -> bool:
        return max(self.width, self.height) > MAX_SIDE


def read(content: bytes) -> Picture | None:
    """Returns None for anything but a complete image. Does not decode one that is too large."""
    from PIL import Image  # Imported late, because most processes never read a logo.

    try:
        with Image.open(io.BytesIO(content), formats=list(_ENDS)) as image:
            picture = Picture(f"image/{str(image.format).lower()}", *image.size)
            is_still = getattr(image, "n_frames", 1) == 1
            is_whole = content.endswith(_ENDS[str(image.format)])
            if not picture.is_too_large:
                image.load()
    except Exception:  # damaged images and decompression bombs raise many types
        return None
    return picture if is_still and is_whole else None
