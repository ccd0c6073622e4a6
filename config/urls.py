"""Every URL that this process serves: docs/decisions/0018."""

from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, path
from django.views.i18n import set_language

from config import health, urls_elsewhere
from config.metrics.views import metrics

Urls = list[URLPattern | URLResolver]


def _service() -> Urls:
    if not settings.SERVES_API:
        return urls_elsewhere.service
    from config.urls_service import routes

    return routes


def _console() -> Urls:
    if not settings.SERVES_CONSOLE:
        return urls_elsewhere.console
    # A worker registers the pages here, when it first makes a link or an export.
    admin.autodiscover()
    return [path("admin/", admin.site.urls)]


beside_console: Urls = [
    path("language", set_language, name="set_language"),
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("metrics", metrics),
    *_service(),
]
urlpatterns = [*_console(), *beside_console]
handler403 = "config.pages.forbidden"
handler404 = "config.pages.not_found"
handler500 = "config.pages.failed"
