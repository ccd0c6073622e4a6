"""The first page, and the page for addresses that do not exist."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from payments.api import envelope


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return render(request, "site/home.html")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Programs get JSON, people get a page with links."""
    if request.path_info.startswith(settings.API_PREFIXES):
        return envelope.error_response(envelope.route_not_found())
    return render(request, "404.html", status=404)
