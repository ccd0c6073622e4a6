"""Small files of the types that people upload."""

import io

from django.core.files.uploadedfile import SimpleUploadedFile

PDF = b"%PDF-1.4\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF\n"


def image(kind: str) -> bytes:
    from PIL import Image

    made = io.BytesIO()
    Image.new("RGB", (40, 30), "white").save(made, kind)
    return made.getvalue()


def uploaded(content: bytes = PDF, name: str = "certificado.pdf") -> SimpleUploadedFile:
    """As a browser sends it. The type that it claims is never believed."""
    return SimpleUploadedFile(name, content, "text/html")
