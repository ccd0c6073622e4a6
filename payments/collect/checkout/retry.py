"""Try again: after a refusal the payer gets a sibling of the order, with the same data."""

from contextlib import suppress

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from payments.collect.checkout.decorators import SeeOther, payer_page
from payments.collect.models import Order
from payments.collect.services.errors import OrderNotRetryable
from payments.collect.services.orders import retries
from payments.core import clock


@require_http_methods(["GET", "HEAD", "POST"])
@payer_page
def try_again(request: HttpRequest, order: Order) -> HttpResponse:
    """A double click leads to the same sibling."""
    if request.method == "POST":
        with suppress(OrderNotRetryable):  # The page of the order says what is left to do.
            order = retries.retry_order(order=order, now=clock.now())
    return SeeOther(f"/pay/{order.token}")
