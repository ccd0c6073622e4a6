"""Who visits: a cookie of this link alone, and programs that only show a preview."""

import re

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from payments.collect.models import Order
from payments.links.models import PaymentLink

COOKIE = "link"
ONE_DAY = 86_400
SEEN = "seen"
# Messengers and search engines fetch a link to show its preview. They are no payers.
_PROGRAMS = re.compile(
    r"bot\b|bot/|crawl|spider|preview|whatsapp/|facebookexternalhit|telegram|slack|skype|curl|wget|"
    r"python|^$",
    re.I,
)


def is_new(request: HttpRequest) -> bool:
    """A browser on its first visit today."""
    agent = request.headers.get("User-Agent", "")
    return request.method == "GET" and COOKIE not in request.COOKIES and not _PROGRAMS.search(agent)


def begun_token(request: HttpRequest) -> str:
    """The token of the order that this browser made with the link. Others know no token."""
    return request.COOKIES.get(COOKIE, SEEN)


def remember(response: HttpResponse, link: PaymentLink, order: Order | None = None) -> None:
    """The path limits the cookie to this link."""
    response.set_cookie(
        COOKIE,
        order.token if order else SEEN,
        max_age=ONE_DAY,
        path=link.path,
        secure=settings.PUBLIC_URL.startswith("https:"),
        httponly=True,
        samesite="Lax",
    )
