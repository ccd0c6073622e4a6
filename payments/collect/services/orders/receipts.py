"""The content of a receipt: that the order was paid, and whether the money was returned later."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from django.conf import settings
from django.db.models import Sum

from payments.collect.models import Charge, Dispute, Order, Receipt
from payments.core import masking, receipt_codes
from payments.providers import registry


class Verdict(StrEnum):
    PAID = "PAID"
    PARTLY_RETURNED = "PARTLY_RETURNED"
    DISPUTED = "DISPUTED"  # the payer disputes it at the bank, without a decision yet
    RETURNED = "RETURNED"  # refunded or charged back


@dataclass(frozen=True, slots=True)
class ReceiptCheck:
    """A receipt that exists. Amounts are in the order's currency; names are masked.

    is_test  it was paid over a simulated rail.
    """

    verdict: Verdict
    order: Order
    returned: Decimal
    payer: str
    reference: str
    is_test: bool


def uses_play_money(charge: Charge | None = None) -> bool:
    """Whether no real money moves: in a sandbox, over a simulated rail, or by this charge."""
    simulated = registry.is_simulated(registry.PAYIN.configured_code)
    by_charge = charge is not None and registry.is_simulated(charge.provider)
    return bool(settings.SANDBOX) or simulated or by_charge


def get_code(*, order: Order) -> str | None:
    if order.status != Order.Status.COMPLETED:
        return None
    return Receipt.objects.get_or_create(order=order)[0].code


def find_receipt(*, text: str) -> ReceiptCheck | None:
    code = receipt_codes.read(text)
    if code is None:
        return None
    paid = Receipt.objects.filter(pk=code, order__status=Order.Status.COMPLETED)
    paid = paid.select_related("order__merchant__legal_data", "order__settled_by")
    paid = paid.defer("order__merchant__webhook_secret")
    receipt = paid.first()
    return check_receipt(receipt.order) if receipt else None


def check_receipt(order: Order) -> ReceiptCheck:
    """`order` must be COMPLETED."""
    disputes = order.disputes.exclude(status=Dispute.Status.WON)
    lost = disputes.filter(status=Dispute.Status.LOST)
    returned = order.refunded_amount + lost.aggregate(sum=Sum("amount", default=Decimal(0)))["sum"]
    if returned >= order.amount:
        verdict = Verdict.RETURNED
    elif disputes.filter(status=Dispute.Status.OPEN).exists():
        verdict = Verdict.DISPUTED
    else:
        verdict = Verdict.PARTLY_RETURNED if returned else Verdict.PAID
    return ReceiptCheck(
        verdict=verdict,
        order=order,
        returned=returned,
        payer=masking.full_name(order.customer_name),
        reference=masking.end(order.reference) or "···",
        is_test=uses_play_money(order.settled_by),
    )
