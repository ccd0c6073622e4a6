"""How an order of a link can be paid, before there is one."""

from django.conf import settings

from merchants.models import Method
from payments.collect.models import Order
from payments.collect.services.charges import payin_accounts
from payments.links.models import PaymentLink


def list_ways(link: PaymentLink) -> list[str]:
    """Names of the page's methods that a payer would be offered now."""
    least = link.total or link.min_amount or settings.COLLECT_MIN_AMOUNT
    merchant = link.merchant
    order = Order(merchant=merchant, currency=link.currency, amount=least)
    order.allowed_methods = merchant.methods
    return [str(Method(one).label) for one in payin_accounts.offered_methods(order)]
