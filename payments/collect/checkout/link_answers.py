"""What a payer answered to the questions of a payment link."""

from payments.collect.models import Order
from payments.core import jsontext


def answers_of(order: Order) -> dict[str, str]:
    """{question: answer}. The metadata of an order of the API is the merchant's alone."""
    found: dict[str, str] = jsontext.loads(order.metadata.encode()) if order.link_id else {}
    return found
