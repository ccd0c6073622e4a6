"""Reads type and size of an uploaded logo from its bytes, not from its name or the request.

Accepts complete PNG, JPEG and WebP images without animation. An SVG may contain scripts.
"""

import io
from dataclasses import dataclass

from django.utils.translation import gettext_noop

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


class WrongPicture(ValueError):
    """The text says why, in English: a msgid."""


NO_PICTURE = gettext_noop("This is no PNG, JPEG or WebP picture.")
TOO_LONG = gettext_noop("A side is longer than 1024 pixels.")
TOO_LARGE = gettext_noop("The file is larger than 64 KB.")
# For one that is larger when it is encoded again.
_QUALITIES = (88, 75, 60)


def rewritten(content: bytes) -> bytes:
    """The same picture without what else the file has: place, device, owner, hidden parts.

    Raises WrongPicture.
    """
    if len(content) > MAX_BYTES:
        raise WrongPicture(TOO_LARGE)
    if (picture := read(content)) is None:
        raise WrongPicture(NO_PICTURE)
    if picture.is_too_large:
        raise WrongPicture(TOO_LONG)
    for quality in _QUALITIES:
        if len(found := _written(content, quality)) <= MAX_BYTES:
            return found
    raise WrongPicture(TOO_LARGE)


def _written(content: bytes, quality: int) -> bytes:
    from PIL import Image, ImageOps

    file = io.BytesIO()
    with Image.open(io.BytesIO(content), formats=list(_ENDS)) as image:
        kind = str(image.format)
        upright = ImageOps.exif_transpose(image)
    if kind == "JPEG" and upright.mode not in ("L", "RGB"):
        upright = upright.convert("RGB")
    # Pillow writes from here what it has read beside the pixels.
    upright.info = {k: v for k, v in upright.info.items() if k == "transparency"}
    options = {"optimize": True} if kind == "PNG" else {"quality": quality}
    upright.save(file, kind, **options)
    return file.getvalue()
