"""The document of an order whose merchant left it to the payment page."""

from django.db.models import Q

from payments.collect.models import Charge, Order
from payments.core import audit
from payments.core.text import normalised_document
from payments.providers.ports import Payer

PAYER = "payer"
# Ended, and the rail never took them: the payer may correct what the rail refused.
_NOT_TAKEN = (Charge.Status.FAILED, Charge.Status.ABANDONED)


def keep(order: Order, payer: Payer) -> None:
    """Writes the payer's document into the order, which is locked, before a charge is made.

    A document that the merchant gave never changes. The payer's stays as soon as the rail took a
    payment with it. A later payer may be another person, as with any order, and is named in the
    charge alone.
    """
    if not order.document_by_payer or not payer.document_type or not payer.document_number:
        return
    if order.customer_doc_type and _was_taken(order):
        return
    is_correction = bool(order.customer_doc_type)
    number = normalised_document(payer.document_number)
    given = (payer.document_type, number)
    if given == (order.customer_doc_type, order.customer_document):
        return
    order.customer_doc_type, order.customer_doc_number = payer.document_type, payer.document_number
    order.customer_document = number
    order.save(
        update_fields=[
            "customer_doc_type",
            "customer_doc_number",
            "customer_document",
            "updated_at",
        ]
    )
    action = "order.document_corrected" if is_correction else "order.document_given"
    audit.record(actor=PAYER, action=action, subject=order)


def _was_taken(order: Order) -> bool:
    """Of this order, or of one with whose document it began: an order that repeats another."""
    first = order.retry_of_id or order.pk
    tries = Charge.objects.filter(Q(order=first) | Q(order__retry_of=first))
    return tries.exclude(status__in=_NOT_TAKEN, expires_at=None).exists()
