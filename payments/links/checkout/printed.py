"""The QR code of a link, and sheets to print with it. Who knows the link may have them."""

import io

import segno
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from merchants.models import Method
from payments.core import money
from payments.links.checkout.views import link_page
from payments.links.models import PaymentLink

# About 800 pixels a side: sharp on paper and in a message.
PNG_SCALE = 24


@require_safe
@link_page
def qr(request: HttpRequest, link: PaymentLink, kind: str) -> HttpResponse:
    """`?download` saves it under a name."""
    picture, written = segno.make(link.url, error="q", micro=False), io.BytesIO()
    if kind == "svg":
        picture.save(written, kind="svg", scale=8, border=4, dark="#000", light="#fff")
    else:
        picture.save(written, kind="png", scale=PNG_SCALE, border=4)
    media_type = {"svg": "image/svg+xml", "png": "image/png"}[kind]
    response = HttpResponse(written.getvalue(), content_type=media_type)
    way = "attachment" if "download" in request.GET else "inline"
    response.headers["Content-Disposition"] = f'{way}; filename="pasarela-{link.code}.{kind}"'
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


def _methods(link: PaymentLink) -> list[str]:
    """Paper outlives an outage: what the merchant takes, and not what is available now."""
    is_pesos = link.currency == money.FIAT
    return [one for one in link.merchant.methods if is_pesos or one == Method.CRYPTO]


@require_safe
@link_page
def sheet(request: HttpRequest, link: PaymentLink, kind: str) -> HttpResponse:
    """A6 is one card. The table tent is a sheet, of letter paper or A4, that is folded to stand."""
    names = dict(Method.choices)
    page = {
        "link": link,
        "kind": kind,
        "sides": range(2 if kind == "tent" else 1),
        "folds": range(1, 4),
        "ways": [names[Method(method)] for method in _methods(link)],
    }
    return render(request, "links/sheet.html", page)
