"""What a receipt proves, for whoever holds its code: that it was paid, and what became of it since.

Reads only, but for the code itself, which comes into being with the first look at the receipt.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from django.db.models import Sum

from payments.collect.models import Dispute, Order, Proof
from payments.core import masking, receipt_codes


class Verdict(StrEnum):
    """What can be said of a payment today."""

    PAID = "PAID"
    PARTLY_RETURNED = "PARTLY_RETURNED"
    DISPUTED = "DISPUTED"  # the payer asks it back at their bank, and nothing is decided
    RETURNED = "RETURNED"  # refunded or charged back: whoever delivers now delivers for nothing


@dataclass(frozen=True, slots=True)
class Answer:
    """A receipt that exists. Amounts are in the order's currency; names are masked."""

    verdict: Verdict
    order: Order
    returned: Decimal
    payer: str
    reference: str

    @property
    def is_true(self) -> bool:
        """Whether the shop still has money of it."""
        return self.verdict != Verdict.RETURNED

    @property
    def paid_at(self) -> datetime | None:
        """When the order was completed."""
        return self.order.paid_at


def code_of(*, order: Order) -> str | None:
    """The code of a paid order's receipt, None for any other order."""
    if order.status != Order.Status.COMPLETED:
        return None
    return Proof.objects.get_or_create(order=order)[0].code


def find(*, text: str) -> Answer | None:
    """What the typed code proves, None when there is no such receipt."""
    code = receipt_codes.read(text)
    if code is None:
        return None
    found = Proof.objects.filter(pk=code, order__status=Order.Status.COMPLETED)
    proof = found.select_related("order__merchant").defer("order__merchant__webhook_secret").first()
    return answer_for(proof.order) if proof else None


def answer_for(order: Order) -> Answer:
    """What can be said of a completed order today."""
    disputes = order.disputes.exclude(status=Dispute.Status.WON)
    lost = disputes.filter(status=Dispute.Status.LOST).aggregate(sum=Sum("amount"))["sum"]
    returned = order.refunded_amount + (lost or Decimal(0))
    if returned >= order.amount:
        verdict = Verdict.RETURNED
    elif disputes.filter(status=Dispute.Status.OPEN).exists():
        verdict = Verdict.DISPUTED
    else:
        verdict = Verdict.PARTLY_RETURNED if returned else Verdict.PAID
    return Answer(
        verdict=verdict,
        order=order,
        returned=returned,
        payer=masking.full_name(order.customer_name),
        reference=masking.end(order.reference) or "···",
    )
