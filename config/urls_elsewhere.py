"""Addresses that a process of another role serves (settings.WEB_ROLE).

Pages link to them by name. A request for one gets a 404 in the API's form.
"""

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path, re_path

from payments.api.errors import not_found


def elsewhere(request: HttpRequest, **arguments: str) -> HttpResponse:
    return not_found(request)


_console = [path("", elsewhere, name="index"), path("login/", elsewhere, name="login")]
console: list[URLPattern | URLResolver] = [
    path("admin/", include((_console, "admin"))),
    re_path(r"^admin", elsewhere),
]
_verify = [path("", elsewhere, name="form")]
service: list[URLPattern | URLResolver] = [
    path("docs", elsewhere, name="docs"),
    path("docs/guides", elsewhere, name="guides"),
    path("docs/guides/<slug:slug>", elsewhere, name="guide"),
    path("verify", include((_verify, "verify"))),
    path("", elsewhere, name="home"),
    re_path(r"^(?:api/|callbacks/|pay/|l/|simulator/|brand/|docs/|verify/|llms\.txt$)", elsewhere),
]
