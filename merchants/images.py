"""The kind and size of an uploaded logo, from its bytes: never from its name or its sender.

Only whole, still PNG, JPEG and WebP pictures. An SVG is a program, and is never on a payer's page.
"""

import io
from dataclasses import dataclass

MAX_BYTES = 64 * 1024
MAX_SIDE = 1024
# Pillow also reads a PNG or JPEG that is cut off, or has other bytes at its end.
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
    """Returns None for anything but a whole picture. One that is too large is not decoded."""
    from PIL import Image  # here: most processes never read a logo, and save its memory

    try:
        with Image.open(io.BytesIO(content), formats=list(_ENDS)) as image:
            picture = Picture(f"image/{str(image.format).lower()}", *image.size)
            is_still = getattr(image, "n_frames", 1) == 1
            is_whole = content.endswith(_ENDS[str(image.format)])
            if not picture.is_too_large:
                image.load()
    except Exception:  # damaged bytes raise many types, also those of decompression bombs
        return None
    return picture if is_still and is_whole else None
