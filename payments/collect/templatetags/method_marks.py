"""The small mark of a way to pay: a neutral drawing, or the operator's picture of it.

Logos of PSE, Nequi and others belong to their owners: the operator supplies them (PAY_MARKS_DIR).
"""

import base64
from functools import cache
from pathlib import Path

import structlog
from django import template
from django.conf import settings

from merchants import images
from payments.providers import ports

register = template.Library()
log = structlog.get_logger(__name__)
# All pictures of a page together stay below its weight limit.
MAX_BYTES = 4096
ENDINGS = (".png", ".webp", ".jpg")
# The first that is in the key of a method names its mark.
NAMED = ("pse", "nequi", "daviplata", "breb", "bancolombia")
OF_FLOWS = {
    ports.Flow.PUSH: "wallet",
    ports.Flow.KEY: "breb",
    ports.Flow.QR: "qr",
    ports.Flow.REDIRECT: "bank",
}


@register.inclusion_tag("pay/_mark.html")
def method_mark(mark: str) -> dict[str, str]:
    return {"mark": mark, "picture": _picture(settings.PAY_MARKS_DIR, mark)}


@register.inclusion_tag("pay/_mark.html")
def direct_mark(method: ports.DirectMethod) -> dict[str, str]:
    """`wompi_nequi` has the mark of Nequi; a code to scan keeps the drawing of a code."""
    named = next((name for name in NAMED if name in method.key), "")
    mark = named if method.flow is not ports.Flow.QR else "qr"
    return method_mark(mark or OF_FLOWS.get(method.flow, "bank"))


@cache
def _picture(directory: str, mark: str) -> str:
    """A `data:` URI, which needs no request. Empty without a picture. Read once in each process."""
    if not directory:
        return ""
    found = (Path(directory) / f"{mark}{ending}" for ending in ENDINGS)
    path = next((one for one in found if one.is_file()), None)
    if path is None:
        return ""
    content = path.read_bytes()
    picture = images.read(content) if len(content) <= MAX_BYTES else None
    if picture is None or picture.is_too_large:
        log.error("payer_page.mark_refused", file=path.name, bytes=len(content))
        return ""
    return f"data:{picture.media_type};base64,{base64.b64encode(content).decode()}"
