"""The reference page, the OpenAPI document, the Postman collection."""

import json
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import activate, get_language
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView
from rest_framework.request import Request
from rest_framework.views import APIView

from payments.api.envelope import JSON
from payments.api.reference import page, postman
from payments.api.reference.document import document
from payments.api.reference.requests import Keys
from payments.api.renderers import EnvelopeRenderer
from payments.core import jsontext

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]
LOOPBACK = {"127.0.0.1", "::1"}
LOCAL = {"localhost", *LOOPBACK}
# Headers of proxies. A proxy on this machine may send its own address and Host.
FORWARDING = ("HTTP_X_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA", "HTTP_FORWARDED")


class OpenApiView(APIView):
    """GET {base_url}/openapi.json, without credentials."""

    renderer_classes = [EnvelopeRenderer]
    authentication_classes = []
    permission_classes = []
    schema = None  # no operation of the document

    def get(self, request: Request, *args: object, **kwargs: object) -> HttpResponse:
        return HttpResponse(_openapi(), JSON)


def in_language(view: View[P]) -> View[P]:
    """In the language of `?lang=`, which the browser remembers, else in that of the reader."""

    @wraps(view)
    def wrapped(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        chosen = request.GET.get("lang")
        if chosen in dict(settings.LANGUAGES):
            activate(chosen)
        response = view(request, *args, **kwargs)
        if chosen == get_language():
            name, year = settings.LANGUAGE_COOKIE_NAME, 31_536_000
            response.set_cookie(name, chosen, max_age=year, samesite="Lax")
        return response

    return wrapped


@require_safe
@in_language
def reference_view(request: HttpRequest) -> HttpResponse:
    """GET /docs. On a developer's machine the examples contain the demo keys."""
    keys = demo_keys(request)
    response = HttpResponse(_rendered(keys, settings.PUBLIC_URL, get_language()))
    response.headers["Cache-Control"] = "no-store" if keys.key else "no-cache"
    return response


@require_safe
def postman_view(request: HttpRequest) -> HttpResponse:
    name = 'attachment; filename="pasarela.postman_collection.json"'
    made = postman.collection(base_url=f"{settings.PUBLIC_URL}/api/v1")
    return HttpResponse(jsontext.pretty(made), JSON, headers={"Content-Disposition": name})


def demo_keys(request: HttpRequest) -> Keys:
    own = demo(request)
    return Keys(own.get("apiKey", ""), own.get("apiSecret", ""))


def demo(request: HttpRequest) -> dict[str, str]:
    """The texts in DATA_DIR/demo.json.

    None in production, or if the request comes from another machine.
    """
    if settings.PRODUCTION or not _is_local(request):
        return {}
    try:
        written = json.loads((settings.DATA_DIR / "demo.json").read_text())
        texts = {name: value for name, value in written.items() if isinstance(value, str)}
    except (OSError, ValueError, AttributeError):
        return {}
    return texts if {"apiKey", "apiSecret"} <= texts.keys() else {}


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
