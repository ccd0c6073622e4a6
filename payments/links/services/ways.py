"""How an order of a link can be paid, before there is one."""

from datetime import datetime, timedelta

from django.conf import settings

from payments.collect.checkout import view_models
from payments.collect.models import Order
from payments.links.models import PaymentLink


def list_ways(link: PaymentLink, now: datetime) -> list[str]:
    """Names of the methods that the payer would choose from now, in the order of their page.

    With an open amount, those of any amount that the link takes.
    """
    least = link.total or link.min_amount or settings.COLLECT_MIN_AMOUNT
    most = (link.max_amount or settings.MAX_AMOUNT) if link.is_open_amount else None
    merchant = link.merchant
    order = Order(
        merchant=merchant,
        currency=link.currency,
        amount=least,
        allowed_methods=merchant.methods,
        expires_at=now + timedelta(minutes=settings.LINK_ORDER_MINUTES),
    )
    return view_models.method_names(order, now, most)
