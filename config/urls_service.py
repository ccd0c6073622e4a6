"""The URLs of the API, of payers' pages and of the documentation."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.utils.module_loading import import_string

from config import pages
from payments.api.errors import not_found
from payments.collect.callbacks import dispute, payin
from payments.core.products import products
from payments.outgoing.callbacks import outgoing


def _late(view: str) -> Callable[..., HttpResponse]:
    """A view whose modules are imported by its first request: few processes get one."""

    def respond(request: HttpRequest, **arguments: str) -> HttpResponse:
        response: HttpResponse = import_string(view)(request, **arguments)
        return response

    return respond


DOCS, GUIDES = "payments.api.docs", "payments.api.guides.views"
engines = {each.name: {"engine": import_string(each.engine)} for each in products()}
api_v1: list[URLPattern | URLResolver] = [
    path("", include("payments.collect.urls")),
    path("", include("payments.ledger.urls")),
    path("", include("payments.payout_batches.urls")),
    *(path("", include(each.urls)) for each in products() if each.urls),
    path("", include("payments.settlement.urls")),
    path("", include("payments.links.urls")),
    path("", include("webhooks.urls")),
    path("openapi.json", _late(f"{DOCS}.openapi_view"), name="openapi"),
]
if settings.SANDBOX and settings.PAYIN_PROVIDER == "simulator":
    api_v1.append(path("sandbox/", include("payments.sandbox.urls")))

routes: list[URLPattern | URLResolver] = [
    path("api/v1/", include(api_v1)),
    re_path(r"^api/", not_found),
    path("callbacks/payin/<str:provider>", payin),
    path("callbacks/dispute/<str:provider>", dispute),
    *(path(f"callbacks/{name}/<str:provider>", outgoing, each) for name, each in engines.items()),
    path("pay/", include("payments.collect.checkout.pay_urls")),
    path("l/", include("payments.links.checkout.urls")),
    path("verify", include("payments.collect.checkout.verify_urls")),
    path("brand/", include("merchants.brand_urls")),
    path("docs", _late(f"{DOCS}.docs_view"), name="docs"),
    path("docs/try", _late(f"{DOCS}.try_view"), name="docs-try"),
    path("docs/postman.json", _late(f"{DOCS}.postman_view"), name="docs-postman"),
    path("docs/reference.md", _late(f"{GUIDES}.reference_view"), name="docs-markdown"),
    path("docs/guides", _late(f"{GUIDES}.guides_view"), name="guides"),
    path("docs/guides/index.json", _late(f"{GUIDES}.index_view"), name="guides-index"),
    path("docs/guides/<slug:slug>", _late(f"{GUIDES}.guide_view"), name="guide"),
    path(
        "docs/guides/<slug:language>/<slug:slug>.md",
        _late(f"{GUIDES}.markdown_view"),
        name="guide-markdown",
    ),
    path("llms.txt", _late(f"{GUIDES}.llms_view")),
]
if settings.PAYIN_PROVIDER == "simulator":
    routes.append(path("simulator/", include("payments.simulator.urls")))
routes.append(path("", pages.home, name="home"))
