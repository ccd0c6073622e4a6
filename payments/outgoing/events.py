"""Webhooks about the status of a payment, for merchants who have enabled them.

An account without them costs no statement.
"""

from datetime import datetime

from django.utils.module_loading import import_string

from payments.api.serializing import serialize
from payments.core import products
from payments.outgoing.product import P, Product
from webhooks import services as webhooks


def publish(product: Product[P], payment: P, now: datetime) -> None:
    """Call it in the transaction that has changed the status, with the row locked or new."""
    declared = products.named(product.name)
    if not declared.payload:
        return
    kind = declared.event_kind(payment.status)
    if not webhooks.is_enabled(payment.merchant, kind):
        return
    webhooks.publish(
        webhooks.NewEvent(
            merchant=payment.merchant,
            kind=kind,
            subject_id=payment.pk,
            data=serialize(import_string(declared.payload), payment),
            now=now,
            dedupe_key=f"{payment.pk}:{kind}",
        )
    )
