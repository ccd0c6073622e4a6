"""The first page, and the pages for addresses that do not exist and for our own failures."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.views.decorators.http import require_safe

from payments.api import errors
from payments.collect.checkout.decorators import in_visitors_language


@require_safe
@in_visitors_language
def home(request: HttpRequest) -> HttpResponse:
    return render(request, "site/home.html")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Programs get JSON, people get a page with links."""
    if request.path_info.startswith(settings.API_PREFIXES):
        return errors.not_found(request)
    return _not_found_page(request)


@in_visitors_language
def _not_found_page(request: HttpRequest) -> HttpResponse:
    return render(request, "404.html", status=404)


@in_visitors_language
def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Of people. Programs get the JSON of the API, which answers for itself."""
    return render(request, "403.html", status=403)


def failed(request: HttpRequest, status: int = 500) -> HttpResponse:
    """Needs no database and no session, which may be what failed.

    The language is that of the cookie or of the browser: the failure may come before it is active.
    """
    with translation.override(translation.get_language_from_request(request)):
        facts = {
            "request_id": request.META.get("pasarela.request_id", ""),
            "is_console": request.path_info.startswith("/admin/"),
        }
        return HttpResponse(render_to_string("500.html", facts), status=status)
