"""The parts of a payment: the money of each charge, less refunds and disputes.

Reads only. Amounts are in the order's currency, and exact under the order's lock.
"""

from dataclasses import dataclass, field
from decimal import Decimal

from django.db.models import Q, Sum

from payments.collect.models import Charge, Dispute, Order, Refund, UnmatchedFunds
from payments.collect.services.orders.lookup import settling_charge

NOTHING = Decimal(0)
Status = Dispute.Status


@dataclass(slots=True)
class ChargeShare:
    """What came by one charge that the rail knows.

    charge    the charge of this order that stands for it; None for claims that name none.
    paid      what of its money pays the order: the excess waits in the operators' queue.
    refunded  by refunds that have taken it, or may still.
    claimed   by disputes, in all.
    answered  the part of that claim that is the merchant's.
    """

    charge: Charge | None = None
    paid: Decimal = NOTHING
    refunded: Decimal = NOTHING
    claimed: Decimal = NOTHING
    answered: Decimal = NOTHING

    @property
    def left(self) -> Decimal:
        return max(self.paid - self.refunded - self.claimed, NOTHING)


@dataclass(slots=True)
class RefundableAmounts:
    """Shares by the id of the charge that the rail knows, and the claims that name none."""

    amount: Decimal = NOTHING
    refunded: Decimal = NOTHING
    parts: dict[str, ChargeShare] = field(default_factory=dict)
    unnamed: ChargeShare = field(default_factory=ChargeShare)

    @property
    def refundable(self) -> Decimal:
        """The amount that was paid and is neither refunded nor claimed."""
        by_charge = sum((part.left for part in self.parts.values()), NOTHING)
        claims = sum((min(part.claimed, part.paid) for part in self.parts.values()), NOTHING)
        rest = min(by_charge, self.amount - self.refunded - claims)
        return max(rest - self.unnamed.claimed, NOTHING)

    def returnable(self, part: ChargeShare) -> Decimal:
        """The largest amount that one refund may return of this part.

        A claim that names no charge may be about this part.
        """
        return max(min(part.left - self.unnamed.claimed, self.refundable), NOTHING)


def for_order(order: Order, *, without: Dispute | None = None) -> RefundableAmounts:
    """Empty unless the order is paid. `without` leaves one dispute out."""
    if order.status != Order.Status.COMPLETED:
        return RefundableAmounts()
    amounts = RefundableAmounts(amount=order.amount, parts=_paid(order))
    for refund in Refund.objects.taking(order).select_related("charge"):
        amounts.refunded += refund.amount
        if (part := amounts.parts.get(refund.charge.root_id)) is not None:
            part.refunded += refund.amount
    for dispute in Dispute.objects.taking(order).select_related("charge"):
        if without is None or dispute.pk != without.pk:
            _add(amounts, dispute)
    return amounts


def refundable(order: Order) -> Decimal:
    """What was paid and is neither refunded nor contested, in the order's currency. Refunds that
    are only requested count as refunded.
    """
    return for_order(order).refundable


def disputable_headroom(order: Order, dispute: Dispute) -> Decimal:
    """How much `dispute.amount` could grow.

    It is the contested money that the merchant still has.
    """
    amounts = for_order(order, without=dispute)
    parts = [*amounts.parts.values(), amounts.unnamed]
    rest = amounts.amount - amounts.refunded - sum((part.answered for part in parts), NOTHING)
    if dispute.charge is not None:
        part = amounts.parts.get(dispute.charge.root_id, ChargeShare())
        own = part.paid - part.refunded - part.answered - amounts.unnamed.answered
        rest = min(rest, own)
    return max(rest - dispute.amount, NOTHING)


def concerns_merchant(order: Order, dispute: Dispute) -> bool:
    """Whether the contested money paid the order. If not, the merchant never had this money."""
    return dispute.charge is None or dispute.charge.root_id in _paid(order)


def paid_order_id(charge: Charge) -> str:
    """The order that the money of a charge paid. An operator may have applied it to another order.

    `charge` is the charge that the rail knows. If its money paid several orders, the charge's
    own order counts, or else the order with the largest part.
    """
    paid = [(charge.order_id, charge.order)]
    applied = Charge.objects.filter(origin=charge).select_related("order")
    paid += [(row.order_id, row.order) for row in applied.order_by("-credited", "pk")]
    for order_id, order in paid:
        if charge.pk in _paid(order):
            return order_id
    return charge.order_id


def _paid(order: Order) -> dict[str, ChargeShare]:
    if order.status != Order.Status.COMPLETED:
        return {}
    parts: dict[str, ChargeShare] = {}
    settled_id = order.settled_by_id or getattr(settling_charge(order=order), "pk", None)
    # The excess over the order's amount waits in the queue.
    is_excess = Q(unmatched_funds__reason=UnmatchedFunds.Reason.EXCESS)
    charges = order.charges.filter(credited__gt=0).annotate(
        excess=Sum("unmatched_funds__amount", filter=is_excess, default=NOTHING)
    )
    for charge in charges.order_by("created_at", "pk"):
        part = parts.setdefault(charge.root_id, ChargeShare())
        part.paid += charge.credited - charge.excess
        if part.charge is None or part.charge.pk != settled_id:
            part.charge = charge
    return {root: part for root, part in parts.items() if part.paid > NOTHING}


def _add(amounts: RefundableAmounts, dispute: Dispute) -> None:
    claimed, answered = dispute.claimed - dispute.suspended, dispute.amount
    if dispute.status == Status.WON:  # the service bears the loss
        claimed = answered = dispute.shortfall
    part: ChargeShare | None = amounts.unnamed
    if dispute.charge is not None:
        part = amounts.parts.get(dispute.charge.root_id)
    if part is not None:
        part.claimed += claimed
        part.answered += answered
