"""Every URL of the service."""

from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.utils.module_loading import import_string
from django.views.i18n import set_language

from config import health, pages
from config.metrics.views import metrics
from payments.api.docs import docs_view, openapi_view, postman_view, try_view
from payments.api.errors import not_found
from payments.api.guides import views as guides
from payments.collect.callbacks import dispute, payin
from payments.core.products import products
from payments.outgoing.callbacks import outgoing

engines = {each.name: {"engine": import_string(each.engine)} for each in products()}
api_v1: list[URLPattern | URLResolver] = [
    path("", include("payments.collect.urls")),
    path("", include("payments.ledger.urls")),
    path("", include("payments.payout_batches.urls")),
    *(path("", include(each.urls)) for each in products() if each.urls),
    path("", include("payments.settlement.urls")),
    path("", include("payments.links.urls")),
    path("", include("webhooks.urls")),
    path("openapi.json", openapi_view, name="openapi"),
]
if settings.SANDBOX and settings.PAYIN_PROVIDER == "simulator":
    api_v1.append(path("sandbox/", include("payments.sandbox.urls")))

beside_console = [
    path("api/v1/", include(api_v1)),
    re_path(r"^api/", not_found),
    path("callbacks/payin/<str:provider>", payin),
    path("callbacks/dispute/<str:provider>", dispute),
    *(path(f"callbacks/{name}/<str:provider>", outgoing, each) for name, each in engines.items()),
    path("pay/", include("payments.collect.checkout.pay_urls")),
    path("l/", include("payments.links.checkout.urls")),
    path("verify", include("payments.collect.checkout.verify_urls")),
    path("brand/", include("merchants.brand_urls")),
    path("language", set_language, name="set_language"),
    path("docs", docs_view, name="docs"),
    path("docs/try", try_view, name="docs-try"),
    path("docs/postman.json", postman_view, name="docs-postman"),
    path("docs/reference.md", guides.reference_view, name="docs-markdown"),
    path("docs/guides", guides.guides_view, name="guides"),
    path("docs/guides/index.json", guides.index_view, name="guides-index"),
    path("docs/guides/<slug:slug>", guides.guide_view, name="guide"),
    path("docs/guides/<slug:language>/<slug:slug>.md", guides.markdown_view, name="guide-markdown"),
    path("llms.txt", guides.llms_view),
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("metrics", metrics),
]
if settings.PAYIN_PROVIDER == "simulator":
    beside_console.append(path("simulator/", include("payments.simulator.urls")))
beside_console.append(path("", pages.home, name="home"))
urlpatterns = [path("admin/", admin.site.urls), *beside_console]
handler404 = "config.pages.not_found"
handler500 = "config.pages.failed"
