"""Chooses the site of the console for each request, by its user."""

import re
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import set_urlconf

from payments.console import tenancy

_NUL = re.compile("%00")


class ConsoleSiteMiddleware:
    """Runs after the authentication and chooses the site.

    Operators get their own site, all other users the merchants' site. The login has the same
    URL on both.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith("/admin/"):
            return self.get_response(request)
        # Filters of Django's lists hand what they get to PostgreSQL, which refuses NUL.
        request.META["QUERY_STRING"] = _NUL.sub("%20", request.META.get("QUERY_STRING", ""))
        site: Any = admin.site
        tenancy.set_scope(request, site.scope_of(request.user))
        if tenancy.is_merchant_user(request):
            request.urlconf = settings.MERCHANTS_URLCONF
        response = self.get_response(request)
        # Django does it when the response is closed, and of a stream that may be never.
        set_urlconf(None)
        return response
