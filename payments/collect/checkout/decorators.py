"""What all public pages share: the visitor's language, and staying out of caches."""

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
    """303: the browser comes back with a GET, also after a repeated POST."""

    status_code = 303


def visitor_page(view: View) -> View:
    """In the visitor's language, which a cookie keeps, and private."""

    @wraps(view)
    def page(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        language = _activate_language(request)
        response = view(request, *args, **kwargs)
        if request.GET.get("lang") == language:
            response.set_cookie(
                settings.LANGUAGE_COOKIE_NAME, language, max_age=31_536_000, samesite="Lax"
            )
        return add_privacy_headers(response)

    return page


def payer_page(view: View) -> View:
    """A visitor's page of the order behind the link; a page with status 404 where there is none."""

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
    """Neither stored, nor indexed, nor sent to other sites."""
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    # With no-referrer browsers send `Origin: null` with a form, which the CSRF check refuses.
    response.headers["Referrer-Policy"] = "same-origin"
    return response


def _activate_language(request: HttpRequest) -> str:
    """Spanish, unless the visitor chose English."""
    known = dict(settings.LANGUAGES)
    wanted = (request.GET.get("lang"), request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME))
    language = next((code for code in wanted if code in known), settings.LANGUAGE_CODE)
    translation.activate(language)
    request.LANGUAGE_CODE = language
    return language
