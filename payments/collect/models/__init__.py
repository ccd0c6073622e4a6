"""Tables of collections. What can be done with them is in services/."""

from payments.collect.models.charges import CHARGE_MOVES, Charge, ChargeQuerySet, ChargeStatus, Flow
from payments.collect.models.disputes import DISPUTE_MOVES, Dispute, DisputeStatus
from payments.collect.models.orders import ORDER_MOVES, Order, OrderStatus, OrderTally, new_token
from payments.collect.models.receipts import Receipt
from payments.collect.models.refunds import Refund
from payments.collect.models.unmatched import UnmatchedFunds

__all__ = [
    "CHARGE_MOVES",
    "DISPUTE_MOVES",
    "ORDER_MOVES",
    "Charge",
    "ChargeQuerySet",
    "ChargeStatus",
    "Dispute",
    "DisputeStatus",
    "Flow",
    "Order",
    "OrderStatus",
    "OrderTally",
    "Receipt",
    "Refund",
    "UnmatchedFunds",
    "new_token",
]
