"""What all public pages share: the visitor's language, and headers that prevent caching."""

from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import translation

from payments.collect.services.errors import OrderNotFound
from payments.collect.services.orders import lookup

View = Callable[..., HttpResponse]


class SeeOther(HttpResponseRedirect):
    """303: the browser follows with a GET, also after a repeated POST."""

    status_code = 303


def in_visitors_language(view: View) -> View:
    """A page in the language that the visitor chose, which a cookie stores."""

    @wraps(view)
    def page(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        language = _activate_language(request)
        response = view(request, *args, **kwargs)
        if request.GET.get("lang") == language:
            response.set_cookie(
                settings.LANGUAGE_COOKIE_NAME, language, max_age=31_536_000, samesite="Lax"
            )
        return response

    return page


def visitor_page(view: View) -> View:
    """A private page in the visitor's language."""

    @in_visitors_language
    @wraps(view)
    def page(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        return add_privacy_headers(view(request, *args, **kwargs))

    return page


def payer_page(view: View) -> View:
    """A visitor's page for the order of the link. If there is no order, a page with status 404."""

    @visitor_page
    @wraps(view)
    def page(request: HttpRequest, token: str = "", **kwargs: object) -> HttpResponse:
        try:
            order = lookup.find_by_token(token=token)
        except OrderNotFound:
            return render(request, "pay/not_found.html", status=404)
        return view(request, order, **kwargs)

    return page


def add_privacy_headers(response: HttpResponse) -> HttpResponse:
    """Keeps the page out of caches and search engines, and its URL from other sites."""
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    # With no-referrer browsers send `Origin: null` with a form, which the CSRF check refuses.
    response.headers["Referrer-Policy"] = "same-origin"
    return response


def _activate_language(request: HttpRequest) -> str:
    """What the visitor chose; else the browser's first language that we have; else Spanish."""
    chosen = request.GET.get("lang")
    known = chosen in dict(settings.LANGUAGES)
    language = chosen if chosen and known else translation.get_language_from_request(request)
    translation.activate(language)
    request.LANGUAGE_CODE = language
    return language
