"""The content of a receipt: that the order was paid, and whether the money was returned later."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from django.conf import settings
from django.db.models import Max, OuterRef, Subquery, Sum
from django.utils.translation import gettext_lazy as _

from merchants.models import Method
from payments.collect.models import Charge, Dispute, Order, Receipt, Refund, UnmatchedFunds
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

    paid         everything that came in: the order's amount, and a surplus.
    surplus      what came in above the order's amount.
    returned     of the order's amount. `remaining` is the rest of it.
    returned_at  when the newest part of it was returned. None if that is not known.
    is_test      it was paid over a simulated rail.
    """

    verdict: Verdict
    order: Order
    paid: Decimal
    surplus: Decimal
    returned: Decimal
    remaining: Decimal
    returned_at: datetime | None
    payer: str
    reference: str
    is_test: bool


@dataclass(frozen=True, slots=True)
class Paid:
    """What came in for a COMPLETED order, in its currency."""

    total: Decimal
    surplus: Sequence[UnmatchedFunds]


_NAMES_OF_SURPLUS = {
    UnmatchedFunds.Status.OPEN: _("Surplus, to be settled"),
    UnmatchedFunds.Status.RETURNED: _("Surplus, returned to you"),
}


def surplus_name(funds: UnmatchedFunds) -> str:
    """The label of its row. An operator may have decided where the surplus goes."""
    status = UnmatchedFunds.Status(funds.status)
    return str(_NAMES_OF_SURPLUS.get(status, _("Surplus, handed to the shop")))


def paid_of(order: Order, funds: Sequence[UnmatchedFunds] | None = None) -> Paid:
    """`funds` are the order's, if they are loaded."""
    found = order.unmatched_funds.all() if funds is None else funds
    surplus = [one for one in found if _is_surplus(one, order)]
    return Paid(order.amount + sum((one.amount for one in surplus), Decimal(0)), surplus)


def _is_surplus(funds: UnmatchedFunds, order: Order) -> bool:
    is_excess = funds.reason == UnmatchedFunds.Reason.EXCESS
    return is_excess and funds.currency == order.currency


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
    receipt = paid.annotate(surplus=_sum_of_surplus()).first()
    return _check(receipt.order, receipt.surplus or Decimal(0)) if receipt else None


def _sum_of_surplus() -> Subquery:
    excess = UnmatchedFunds.objects.filter(
        order=OuterRef("order"),
        currency=OuterRef("order__currency"),
        reason=UnmatchedFunds.Reason.EXCESS,
    )
    return Subquery(excess.values("order").annotate(sum=Sum("amount")).values("sum"))


def _check(order: Order, surplus: Decimal) -> ReceiptCheck:
    disputes = order.disputes.exclude(status=Dispute.Status.WON)
    lost = disputes.filter(status=Dispute.Status.LOST)
    claimed = lost.aggregate(sum=Sum("amount", default=Decimal(0)), at=Max("closed_at"))
    returned = order.refunded_amount + claimed["sum"]
    verdict = _by_returned(order, returned)
    if verdict is not Verdict.RETURNED:
        is_open = disputes.filter(status=Dispute.Status.OPEN).exists()
        verdict = Verdict.DISPUTED if is_open else verdict
    return ReceiptCheck(
        verdict=verdict,
        order=order,
        paid=order.amount + surplus,
        surplus=surplus,
        returned=returned,
        remaining=max(order.amount - returned, Decimal(0)),
        returned_at=_returned_at(order, claimed["at"]),
        payer=masking.full_name(order.customer_name, hidden="***"),
        reference=_end_of(order.reference),
        is_test=uses_play_money(order.settled_by),
    )


def verdict_of(order: Order) -> Verdict:
    """For the payer: what the shop returned. Disputes are between the payer and the bank."""
    return _by_returned(order, order.refunded_amount)


def _by_returned(order: Order, returned: Decimal) -> Verdict:
    if returned >= order.amount:
        return Verdict.RETURNED
    return Verdict.PARTLY_RETURNED if returned else Verdict.PAID


def _returned_at(order: Order, claimed_at: datetime | None) -> datetime | None:
    times = [claimed_at]
    if order.refunded_amount:
        times.append(refunded_at(order))
    return max((at for at in times if at), default=None)


def refunded_at(order: Order) -> datetime | None:
    """When the newest refund was paid."""
    done = order.refunds.filter(status=Refund.Status.COMPLETED)
    at: datetime | None = done.aggregate(at=Max("completed_at"))["at"]
    return at


def paying_charges(order: Order, settling: Charge | None) -> list[Charge]:
    """The coin charges whose money paid the order: a new price for the rest is a new charge."""
    charges = order.charges.filter(method=Method.CRYPTO, origin=None)
    found = list(charges.filter(credited__gt=0).order_by("created_at", "id"))
    if settling is not None and settling not in found and settling.method == Method.CRYPTO:
        found.append(settling)
    return found


def _end_of(reference: str) -> str:
    """`***1042` of `PEDIDO-1042`: at most four characters, and at most half of the reference."""
    longest = min(4, len(reference) // 2)
    ending = re.search(r"[^\W_]*$", reference)
    shown = ending[0][-longest:] if ending and longest else ""
    return f"***{shown}"
