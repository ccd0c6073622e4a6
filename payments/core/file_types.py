"""Reads the type of an uploaded document from its bytes, not from its name or the request.

A file that passes may still be harmful to the program that opens it. So it is only ever sent as a
download.
"""

import io

from django.db import models


class MediaType(models.TextChoices):
    PDF = "application/pdf", "PDF"
    PNG = "image/png", "PNG"
    JPEG = "image/jpeg", "JPEG"


_OF_FORMAT = {"PNG": MediaType.PNG, "JPEG": MediaType.JPEG}
# The end of a PDF may be followed by some line breaks.
_PDF_TAIL = 1024
# Telephones write more data behind the picture.
_JPEG_END, _JPEG_TAIL = b"\xff\xd9", 256 * 1024


def read_type(content: bytes) -> MediaType | None:
    """None for anything but a whole PDF, PNG or JPEG."""
    if content.startswith(b"%PDF-"):
        return MediaType.PDF if b"%%EOF" in content[-_PDF_TAIL:] else None
    return _image_type(content)


def _image_type(content: bytes) -> MediaType | None:
    """Pixels are never decoded: a small file may have so many that they fill the memory."""
    from PIL import Image  # Imported late, because most processes never read an image.

    try:
        with Image.open(io.BytesIO(content), formats=list(_OF_FORMAT)) as image:
            found = _OF_FORMAT[str(image.format)]
            image.verify()  # the checksums of a PNG; nothing of a JPEG
    except Exception:  # damaged images and those that are too large raise many types
        return None
    if found == MediaType.JPEG and _JPEG_END not in content[-_JPEG_TAIL:]:
        return None
    return found
