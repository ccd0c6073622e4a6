"""The reference: its page, the OpenAPI document, the page to try it, the Postman collection.

Nothing is loaded from elsewhere.
"""

import json
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from csp.decorators import csp_replace
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import get_language
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularJSONAPIView, SpectacularSwaggerSplitView

from payments.api.envelope import JSON
from payments.api.reference import page, postman
from payments.api.reference.document import document
from payments.api.renderers import EnvelopeRenderer
from payments.core import jsontext

LOOPBACK = {"127.0.0.1", "::1"}
HERE = {"localhost", *LOOPBACK}
# What proxies add; one on the same machine may well send its own address and Host.
FORWARDING = ("HTTP_X_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA", "HTTP_FORWARDED")


class OpenApiView(SpectacularJSONAPIView):
    """GET {base_url}/openapi.json, for everyone."""

    renderer_classes = [EnvelopeRenderer]
    authentication_classes = []

    @extend_schema(exclude=True)
    def get(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        """Made once in a process: it takes a while, and nothing in it changes."""
        return HttpResponse(_openapi(), JSON)


class TryView(SpectacularSwaggerSplitView):
    """GET /docs/try: the document as a page that sends requests, and its script with ?script."""

    authentication_classes = []
    url_name = "openapi"
    template_name = "docs/swagger.html"


@require_safe
def reference_view(request: HttpRequest) -> HttpResponse:
    """GET /docs. On a bare machine the examples have the demo keys, for whoever sits there."""
    keys = demo_keys(request)
    response = HttpResponse(_rendered(keys, settings.PUBLIC_URL, get_language()))
    # Nobody in between keeps the keys; a browser may ask again whether anything is new.
    response.headers["Cache-Control"] = "no-store" if keys.key else "no-cache"
    return response


@require_safe
def postman_view(request: HttpRequest) -> HttpResponse:
    """GET /docs/postman.json: the collection for this service."""
    name = 'attachment; filename="pasarela.postman_collection.json"'
    made = postman.collection(base_url=f"{settings.PUBLIC_URL}/api/v1")
    return HttpResponse(jsontext.pretty(made), JSON, headers={"Content-Disposition": name})


def demo_keys(request: HttpRequest) -> page.Keys:
    """Those of demo.json: never in production, and only over loopback, as the file is private."""
    if settings.PRODUCTION or not _is_here(request):
        return page.Keys()
    try:
        demo = json.loads((settings.DATA_DIR / "demo.json").read_text())
        return page.Keys(str(demo["apiKey"]), str(demo["apiSecret"]))
    except (OSError, ValueError, KeyError, TypeError):
        return page.Keys()


def _is_here(request: HttpRequest) -> bool:
    """Whether a browser on this machine asks, without anything in between."""
    names = {urlsplit(f"//{request.get_host()}").hostname, urlsplit(settings.PUBLIC_URL).hostname}
    if any(name.startswith(FORWARDING) for name in request.META):
        return False
    return names <= HERE and request.META.get("REMOTE_ADDR") in LOOPBACK


@lru_cache(maxsize=1)
def _openapi() -> str:
    return jsontext.dumps(document())


@lru_cache(maxsize=8)
def _rendered(keys: page.Keys, address: str, _language: str | None) -> str:
    return render_to_string("docs/reference.html", page.context(keys, address))


openapi_view = OpenApiView.as_view()
try_view = csp_replace(settings.DOCS_CONTENT_SECURITY_POLICY)(TryView.as_view())
docs_view = gzip_page(reference_view)
