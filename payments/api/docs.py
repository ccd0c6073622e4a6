"""The reference page, the OpenAPI document, the Postman collection."""

import json
from functools import lru_cache
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import activate, get_language
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularJSONAPIView
from rest_framework.request import Request

from payments.api.envelope import JSON
from payments.api.reference import page, postman
from payments.api.reference.document import document
from payments.api.reference.requests import Keys
from payments.api.renderers import EnvelopeRenderer
from payments.core import jsontext

LOOPBACK = {"127.0.0.1", "::1"}
LOCAL = {"localhost", *LOOPBACK}
# Headers of proxies. A proxy on this machine may send its own address and Host.
FORWARDING = ("HTTP_X_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA", "HTTP_FORWARDED")


class OpenApiView(SpectacularJSONAPIView):
    """GET {base_url}/openapi.json, without credentials."""

    renderer_classes = [EnvelopeRenderer]
    authentication_classes = []

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: object, **kwargs: object) -> HttpResponse:
        return HttpResponse(_openapi(), JSON)


@require_safe
def reference_view(request: HttpRequest) -> HttpResponse:
    """GET /docs. On a developer's machine the examples contain the demo keys."""
    keys, chosen = demo_keys(request), request.GET.get("lang")
    if chosen in dict(settings.LANGUAGES):
        activate(chosen)
    response = HttpResponse(_rendered(keys, settings.PUBLIC_URL, get_language()))
    if chosen == get_language():
        _remember(response, chosen)
    response.headers["Cache-Control"] = "no-store" if keys.key else "no-cache"
    return response


def _remember(response: HttpResponse, language: str) -> None:
    response.set_cookie(settings.LANGUAGE_COOKIE_NAME, language, max_age=31_536_000, samesite="Lax")


@require_safe
def postman_view(request: HttpRequest) -> HttpResponse:
    name = 'attachment; filename="pasarela.postman_collection.json"'
    made = postman.collection(base_url=f"{settings.PUBLIC_URL}/api/v1")
    return HttpResponse(jsontext.pretty(made), JSON, headers={"Content-Disposition": name})


def demo_keys(request: HttpRequest) -> Keys:
    """The keys in DATA_DIR/demo.json.

    None in production, or if the request comes from another machine.
    """
    if settings.PRODUCTION or not _is_local(request):
        return Keys()
    try:
        demo = json.loads((settings.DATA_DIR / "demo.json").read_text())
        return Keys(str(demo["apiKey"]), str(demo["apiSecret"]))
    except (OSError, ValueError, KeyError, TypeError):
        return Keys()


def _is_local(request: HttpRequest) -> bool:
    """Whether a browser on this machine sent the request without a proxy."""
    names = {urlsplit(f"//{request.get_host()}").hostname, urlsplit(settings.PUBLIC_URL).hostname}
    if any(name.startswith(FORWARDING) for name in request.META):
        return False
    return names <= LOCAL and request.META.get("REMOTE_ADDR") in LOOPBACK


@lru_cache(maxsize=1)  # it takes seconds and does not change
def _openapi() -> str:
    return jsontext.dumps(document())


@lru_cache(maxsize=8)
def _rendered(keys: Keys, address: str, _language: str | None) -> str:
    return render_to_string("docs/reference.html", page.context(keys, address))


openapi_view = OpenApiView.as_view()
try_view = RedirectView.as_view(pattern_name="docs", permanent=True)
docs_view = gzip_page(reference_view)
