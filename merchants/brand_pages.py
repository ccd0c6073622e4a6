"""The merchant's colour and logo, which browsers cache for ever: each URL names its content."""

import re

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from merchants import brand
from merchants.models import Logo

_DIGEST = re.compile(r"[0-9a-f]{64}")


@require_safe
def stylesheet(request: HttpRequest, version: int, colour: str) -> HttpResponse:
    parsed = brand.parse(colour)
    if parsed is None or version != brand.STYLESHEET_VERSION:
        raise Http404
    return _cacheable(brand.stylesheet(parsed).encode(), "text/css; charset=utf-8")


@require_safe
def logo(request: HttpRequest, digest: str) -> HttpResponse:
    found = Logo.objects.filter(pk=digest).first() if _DIGEST.fullmatch(digest) else None
    if found is None:
        raise Http404
    return _cacheable(bytes(found.content), found.media_type)


def _cacheable(content: bytes, media_type: str) -> HttpResponse:
    response = HttpResponse(content, content_type=media_type)
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["X-Robots-Tag"] = "noindex"
    # A browser that opens the image in a window must run no script in it.
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    return response
