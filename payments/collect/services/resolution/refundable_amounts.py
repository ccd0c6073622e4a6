"""What a payment consists of: what came by each try, and what refunds and disputes take of it.

Reads only. Amounts are in the order's currency, and exact for whoever holds the order's lock.
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
    """What came by one try that the rail knows.

    charge    the try of this order that stands for it; None for claims that name no try.
    paid      what of its money pays the order: what was too much lies in the operators' queue.
    refunded  by refunds that have taken it, or may still.
    claimed   by disputes, whoever answers for it.
    answered  the part of that claim that is the merchant's.
    """

    charge: Charge | None = None
    paid: Decimal = NOTHING
    refunded: Decimal = NOTHING
    claimed: Decimal = NOTHING
    answered: Decimal = NOTHING

    @property
    def left(self) -> Decimal:
        """Neither refunded nor claimed."""
        return max(self.paid - self.refunded - self.claimed, NOTHING)


@dataclass(slots=True)
class RefundableAmounts:
    """All of an order's parts by the try that the rail knows, and the claims that name none."""

    amount: Decimal = NOTHING
    refunded: Decimal = NOTHING
    parts: dict[str, ChargeShare] = field(default_factory=dict)
    unnamed: ChargeShare = field(default_factory=ChargeShare)

    @property
    def refundable(self) -> Decimal:
        """What was paid and is neither refunded nor claimed."""
        by_try = sum((part.left for part in self.parts.values()), NOTHING)
        claims = sum((min(part.claimed, part.paid) for part in self.parts.values()), NOTHING)
        rest = min(by_try, self.amount - self.refunded - claims)
        return max(rest - self.unnamed.claimed, NOTHING)

    def returnable(self, part: ChargeShare) -> Decimal:
        """What one refund may return of this part. A claim that names no try may be for it."""
        return max(min(part.left - self.unnamed.claimed, self.refundable), NOTHING)


def for_order(order: Order, *, without: Dispute | None = None) -> RefundableAmounts:
    """Nothing unless the order is paid. `without` leaves one dispute out."""
    if order.status != Order.Status.COMPLETED:
        return RefundableAmounts()
    stakes = RefundableAmounts(amount=order.amount, parts=_paid(order))
    for refund in Refund.objects.taking(order).select_related("charge"):
        stakes.refunded += refund.amount
        if (part := stakes.parts.get(refund.charge.root_id)) is not None:
            part.refunded += refund.amount
    for dispute in Dispute.objects.taking(order).select_related("charge"):
        if without is None or dispute.pk != without.pk:
            _add(stakes, dispute)
    return stakes


def refundable(order: Order) -> Decimal:
    """What was paid and is neither refunded nor contested, in the order's currency.

    Counts what is only asked for.
    """
    return for_order(order).refundable


def disputable_headroom(order: Order, dispute: Dispute) -> Decimal:
    """How much more than `dispute.amount` the merchant still has of what is contested."""
    stakes = for_order(order, without=dispute)
    parts = [*stakes.parts.values(), stakes.unnamed]
    rest = stakes.amount - stakes.refunded - sum((part.answered for part in parts), NOTHING)
    if dispute.charge is not None:
        part = stakes.parts.get(dispute.charge.root_id, ChargeShare())
        own = part.paid - part.refunded - part.answered - stakes.unnamed.answered
        rest = min(rest, own)
    return max(rest - dispute.amount, NOTHING)


def concerns_merchant(order: Order, dispute: Dispute) -> bool:
    """Whether the contested money has paid the order: else the merchant never had it."""
    return dispute.charge is None or dispute.charge.root_id in _paid(order)


def paid_order_id(charge: Charge) -> str:
    """The order that the money of a try has paid, which an operator may have chosen; else its own.

    `charge` is the one that the rail knows. Where it has paid several, its own, or the largest.
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
    # What came with a try's money and was more than the order asked waits in the queue.
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


def _add(stakes: RefundableAmounts, dispute: Dispute) -> None:
    claimed, answered = dispute.claimed - dispute.suspended, dispute.amount
    if dispute.status == Status.WON:  # and lost all the same: the service bears it
        claimed = answered = dispute.shortfall
    part: ChargeShare | None = stakes.unnamed
    if dispute.charge is not None:
        part = stakes.parts.get(dispute.charge.root_id)
    if part is not None:
        part.claimed += claimed
        part.answered += answered
