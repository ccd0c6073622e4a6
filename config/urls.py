"""Every URL of the service."""

from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.i18n import set_language

from config import health
from config.metrics.views import metrics
from payments.api.docs import docs_view, openapi_view, postman_view, try_view
from payments.api.errors import not_found
from payments.bills.services.engine import engine as bills_engine
from payments.collect.callbacks import dispute, payin
from payments.collect.services.refunds.refund_engine import engine as refund_engine
from payments.outgoing.callbacks import outgoing
from payments.payout.services.engine import engine as payout_engine
from payments.topup.services.engine import engine as topup_engine

api_v1: list[URLPattern | URLResolver] = [
    path("", include("payments.collect.urls")),
    path("", include("payments.ledger.urls")),
    path("", include("payments.payout.urls")),
    path("", include("payments.topup.urls")),
    path("", include("payments.bills.urls")),
    path("", include("payments.settlement.urls")),
    path("", include("webhooks.urls")),
    path("openapi.json", openapi_view, name="openapi"),
]
if settings.SANDBOX and settings.PAYIN_PROVIDER == "simulator":
    api_v1.append(path("sandbox/", include("payments.sandbox.urls")))

urlpatterns = [
    path("api/v1/", include(api_v1)),
    re_path(r"^api/", not_found),
    path("callbacks/payin/<str:provider>", payin),
    path("callbacks/dispute/<str:provider>", dispute),
    path("callbacks/payout/<str:provider>", outgoing, {"engine": payout_engine}),
    path("callbacks/refund/<str:provider>", outgoing, {"engine": refund_engine}),
    path("callbacks/topup/<str:provider>", outgoing, {"engine": topup_engine}),
    path("callbacks/bill/<str:provider>", outgoing, {"engine": bills_engine}),
    path("pay/", include("payments.collect.checkout.pay_urls")),
    path("verify", include("payments.collect.checkout.verify_urls")),
    path("brand/", include("merchants.brand_urls")),
    path("language", set_language, name="set_language"),
    path("docs", docs_view, name="docs"),
    path("docs/try", try_view, name="docs-try"),
    path("docs/postman.json", postman_view, name="docs-postman"),
    path("admin/", admin.site.urls),
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("metrics", metrics),
]
if settings.PAYIN_PROVIDER == "simulator":
    urlpatterns.append(path("simulator/", include("payments.simulator.urls")))
