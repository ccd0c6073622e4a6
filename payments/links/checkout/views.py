"""The payer's page of a link. A successful POST redirects to the ordinary page of the order."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import wraps
from secrets import token_urlsafe

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from payments.api import limits
from payments.collect.checkout.decorators import SeeOther, visitor_page
from payments.collect.models import Order
from payments.core import clock, money
from payments.core.errors import ValidationFailed
from payments.core.ids import is_id
from payments.links.checkout import visitors
from payments.links.checkout.forms import PayForm
from payments.links.models import PaymentLink
from payments.links.services import payments, visits, ways
from payments.links.services.availability import Availability, figures, find_availability, left
from payments.links.services.errors import LinkNotFound, LinkNotPayable

FEW_LEFT = 10
View = Callable[..., HttpResponse]
TOO_LONG = _("The answers are too long. Write less in the fields of the shop.")


def link_page(view: View) -> View:
    """The page of the link with the code of the URL. Visits are limited by address."""

    @visitor_page
    @wraps(view)
    def page(request: HttpRequest, code: str, **kwargs: object) -> HttpResponse:
        try:
            limits.count(request, scope="link_page", key=limits.counted_address(request))
            link = payments.find_by_code(code=code)
        except limits.RateLimitExceeded as refusal:
            return slow(request, refusal)
        except LinkNotFound:
            return render(request, "pay/not_found.html", status=404)
        return view(request, link, **kwargs)

    return page


@require_http_methods(["GET", "HEAD", "POST"])
@link_page
def show(request: HttpRequest, link: PaymentLink) -> HttpResponse:
    now = clock.now()
    begun = payments.find_open_order(link=link, token=visitors.begun_token(request), now=now)
    if request.method == "POST":
        return _pay(request, link, begun, now)
    found = figures(link)
    availability = find_availability(link, found, now)
    # The use that this payer holds is given back when the form is sent again.
    is_own = availability is Availability.BUSY and begun and payments.may_be_replaced(begun)
    if availability is not Availability.PAYABLE and not is_own:
        return _closed(request, link, availability, begun)
    response = _form(request, link, PayForm(link=link, before=begun), begun=begun)
    if visitors.is_new(request):
        visits.count_visit(link=link, now=now)
        visitors.remember(response, link)
    return response


@require_safe
@visitor_page
def of_order(request: HttpRequest, link_id: str) -> HttpResponse:
    """From an order that ended unpaid back to its link."""
    link = PaymentLink.objects.filter(pk=link_id).first() if is_id(link_id, "lnk") else None
    if link is None:
        return render(request, "pay/not_found.html", status=404)
    return SeeOther(link.path)


def _pay(
    request: HttpRequest, link: PaymentLink, begun: Order | None, now: datetime
) -> HttpResponse:
    try:
        limits.count(request, scope="link_pay", key=limits.counted_address(request))
    except limits.RateLimitExceeded as refusal:
        return slow(request, refusal)
    form = PayForm(request.POST, link=link)
    if not form.is_valid():
        return _form(request, link, form, begun=begun)
    try:
        order = _make_order(link, form.payment(), begun, now)
    except LinkNotPayable as refusal:
        return _closed(request, link, Availability(refusal.availability), begun, status=409)
    except ValidationFailed:
        return _form(request, link, form, begun=begun, error=TOO_LONG)
    response = SeeOther(f"/pay/{order.token}")
    visitors.remember(response, link, order)
    return response


def _make_order(
    link: PaymentLink, payment: payments.NewPayment, begun: Order | None, now: datetime
) -> Order:
    """The payer's earlier order gives its use back, if no payment of it was started."""
    if begun and not payments.is_of_form(begun, payment):
        payments.abandon(order=begun, now=now)
    try:
        return payments.pay(link=link, payment=payment, now=now)
    except payments.FormChanged:
        if begun:
            payments.abandon(order=begun, now=now)
        payment = replace(payment, form_key=token_urlsafe(12))
        return payments.pay(link=link, payment=payment, now=now)


def _form(
    request: HttpRequest, link: PaymentLink, form: PayForm, **context: object
) -> HttpResponse:
    few = left(link, figures(link)) if link.stock is not None else None
    page = {
        **_context(link),
        "form": form,
        "left": few if few is not None and few <= FEW_LEFT else None,
        "counting": _counting(link) if link.is_open_amount else None,
        "ways": ways.list_ways(link, clock.now()),
        **context,
    }
    return render(request, "links/form.html", page)


def _counting(link: PaymentLink) -> dict[str, str]:
    """For hints.js, which shows the total of an amount while it is typed."""
    return {
        "rate": f"{settings.COLLECT_FEE_RATE:f}",
        "places": str(-int(money.quantum(link.currency).as_tuple().exponent)),
        "signs": "".join(money.signs()),
    }


def _closed(
    request: HttpRequest,
    link: PaymentLink,
    availability: Availability,
    begun: Order | None,
    status: int = 200,
) -> HttpResponse:
    page = {**_context(link), "reason": availability.value, "begun": begun}
    page["was_refused"] = request.method == "POST"
    return render(request, "links/closed.html", page, status=status)


def _context(link: PaymentLink) -> dict[str, object]:
    """`order` is what the frame of the payer's pages reads: the merchant with the brand."""
    return {
        "link": link,
        "order": {"merchant": link.merchant},
        "fee": link.fee,
        "total": link.total,
    }


def slow(request: HttpRequest, refusal: limits.RateLimitExceeded) -> HttpResponse:
    response = render(request, "links/slow.html", status=refusal.status)
    response.headers["Retry-After"] = refusal.headers["Retry-After"]
    return response
