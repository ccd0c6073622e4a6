"""The document of an order whose merchant left it to the payment page."""

from payments.collect.models import Charge, Order
from payments.core import audit
from payments.core.text import normalised_document

PAYER = "payer"


def from_payment(order: Order, charge: Charge) -> dict[str, str]:
    """What the order learns from the payment that completes it: columns for the same UPDATE.

    Not before: another person may pay than the one who began, and all who have the link would read
    the document of the one before. A document that the merchant gave never changes.
    """
    kind, number = (charge.payer.get(part, "") for part in ("document_type", "document_number"))
    if not order.awaits_document or not kind or not number:
        return {}
    audit.record(actor=PAYER, action="order.document_given", subject=order)
    return {
        "customer_doc_type": kind,
        "customer_doc_number": number,
        "customer_document": normalised_document(number),
    }
