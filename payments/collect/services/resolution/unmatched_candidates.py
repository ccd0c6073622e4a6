"""Orders that unmatched funds may be for."""

from datetime import datetime

from django.db.models import Q

from payments.collect.models import Order, UnmatchedFunds
from payments.core.text import normalised_document

MOST = 5
_OPEN = sorted(set(Order.Status.values) - Order.FINAL)


def candidates(*, funds: UnmatchedFunds, now: datetime) -> list[Order]:
    """Open orders of the merchant with the same sum or the same payer, the newest first."""
    payer = funds.charge.payer or {}
    document = normalised_document(str(payer.get("document_number") or ""))
    document = document or funds.order.customer_document
    alike = Q(amount=funds.amount)
    if document:
        alike |= Q(customer_document=document)
    orders = Order.objects.filter(
        alike,
        merchant=funds.order.merchant_id,
        status__in=_OPEN,
        currency=funds.currency,
        expires_at__gt=now,
    )
    return list(orders.exclude(pk=funds.order_id).order_by("-created_at", "-id")[:MOST])
