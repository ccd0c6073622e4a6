"""Reads the type of an evidence file from its bytes, not from its name or the request.

A file that passes may still be harmful to the program that opens it. So it is only ever sent as a
download.
"""

import io

from payments.collect.models.dispute_files import DisputeFile

MediaType = DisputeFile.MediaType
# A photo of a telephone has some 50 million pixels. A decompression bomb has many more.
PIXELS_MAX = 64_000_000
_OF_FORMAT = {"PNG": MediaType.PNG, "JPEG": MediaType.JPEG}
# The end of a PDF may be followed by some line breaks.
_PDF_TAIL = 1024


def read_type(content: bytes) -> DisputeFile.MediaType | None:
    """None for anything but a whole PDF, PNG or JPEG."""
    if content.startswith(b"%PDF-"):
        return MediaType.PDF if b"%%EOF" in content[-_PDF_TAIL:] else None
    return _image_type(content)


def _image_type(content: bytes) -> DisputeFile.MediaType | None:
    from PIL import Image  # Imported late, because most processes never read an image.

    try:
        with Image.open(io.BytesIO(content), formats=list(_OF_FORMAT)) as image:
            width, height = image.size
            if width * height > PIXELS_MAX:
                return None
            found = _OF_FORMAT[str(image.format)]
            image.verify()
        # verify() reads no pixels of a JPEG.
        with Image.open(io.BytesIO(content), formats=list(_OF_FORMAT)) as image:
            image.load()
    except Exception:  # damaged images and decompression bombs raise many types
        return None
    return found
