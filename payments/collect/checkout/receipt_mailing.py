"""The button under a receipt that mails it to the customer of the order."""

from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.views.decorators.http import require_POST

from payments.collect.checkout.decorators import SeeOther, payer_page
from payments.collect.models import Order
from payments.collect.services.orders import receipt_mail


@require_POST
@payer_page
def mail_receipt(request: HttpRequest, order: Order) -> HttpResponse:
    """Only to the address that the order has, so that no page sends mails to others."""
    receipt_mail.send(order=order, language=translation.get_language() or "es")
    return SeeOther(f"/pay/{order.token}")
