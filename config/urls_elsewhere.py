"""Addresses that a process of another role serves (settings.WEB_ROLE).

Pages link to them by name. Who asks this process for one gets a 404 in the API's form.
"""

from django.urls import URLPattern, URLResolver, include, path, re_path

from payments.api.errors import not_found

_console = [path("", not_found, name="index"), path("login/", not_found, name="login")]
console: list[URLPattern | URLResolver] = [
    path("admin/", include((_console, "admin"))),
    re_path(r"^admin", not_found),
]
_verify = [path("", not_found, name="form")]
service: list[URLPattern | URLResolver] = [
    path("docs", not_found, name="docs"),
    path("docs/guides", not_found, name="guides"),
    path("docs/guides/<slug:slug>", not_found, name="guide"),
    path("verify", include((_verify, "verify"))),
    path("", not_found, name="home"),
    re_path(r"^(api/|callbacks/|pay/|l/|simulator/|brand/|docs/|verify/|llms\.txt$)", not_found),
]
