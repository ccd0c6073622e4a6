"""Erases the payers of old orders (Law 1581). Orders, amounts and books stay."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from payments.collect.models import Charge, Order, Refund
from payments.core.ids import first_of
from payments.outgoing.models import OPEN
from payments.rails.models import KeyCheck

BATCH = 500
FORGOTTEN = "-"


def forget_payers(*, now: datetime) -> int:
    """Erases the payers of ended orders older than DATA_RETENTION_DAYS; 0 days erase none.

    Returns the number of orders. It may be stopped and repeated.
    """
    days = settings.DATA_RETENTION_DAYS
    if days <= 0:
        return 0
    # Ids sort by time, so the primary key finds the old orders.
    border = first_of("col", now - timedelta(days=days))
    old = Order.objects.filter(pk__lt=border, status__in=Order.FINAL)
    old = old.exclude(customer_name=FORGOTTEN)
    forgotten, last = 0, ""
    while ids := list(old.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:BATCH]):
        _forget(ids)
        forgotten, last = forgotten + len(ids), ids[-1]
    return forgotten


@transaction.atomic
def _forget(order_ids: list[str]) -> None:
    # Locks in the order of all services: order, then charge.
    Order.objects.filter(pk__in=order_ids).update(
        customer_name=FORGOTTEN,
        customer_email="",
        customer_phone="",
        customer_doc_number="",
        customer_document="",
    )
    # What the payer wrote into a payment link. The metadata of other orders is the merchant's.
    Order.objects.filter(pk__in=order_ids).exclude(link_id="").update(metadata="{}")
    Charge.objects.filter(order__in=order_ids).update(
        payer={}, fields={}, client={}, accepted_terms={}
    )
    ended = Refund.objects.filter(order__in=order_ids).exclude(status__in=OPEN)
    KeyCheck.objects.filter(pk__in=ended.values("pk")).delete()
    ended.exclude(coin="").update(provider_state={})  # it has the address, too
    ended.update(destination={}, needs_destination=False)
