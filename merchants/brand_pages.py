"""The merchant's colour and logo as the payer's browser fetches them: once, then from its cache.

Both addresses name their content, so what they answer never changes.
"""

import re

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from merchants import brand
from merchants.models import Logo

_DIGEST = re.compile(r"[0-9a-f]{64}")
_FOR_EVER = "public, max-age=31536000, immutable"


@require_safe
def colours(request: HttpRequest, rules: int, colour: str) -> HttpResponse:
    """The page's variables in that colour."""
    parsed = brand.parse(colour)
    if parsed is None or rules != brand.RULES:
        raise Http404
    return _kept(brand.stylesheet(parsed).encode(), "text/css; charset=utf-8")


@require_safe
def logo(request: HttpRequest, digest: str) -> HttpResponse:
    """The picture, as what its bytes were found to be."""
    found = Logo.objects.filter(pk=digest).first() if _DIGEST.fullmatch(digest) else None
    if found is None:
        raise Http404
    return _kept(bytes(found.content), found.media_type)


def _kept(content: bytes, media_type: str) -> HttpResponse:
    response = HttpResponse(content, content_type=media_type)
    response.headers["Cache-Control"] = _FOR_EVER
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["X-Robots-Tag"] = "noindex"
    # Opened by itself it is a picture or a text, and can do nothing.
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    return response
