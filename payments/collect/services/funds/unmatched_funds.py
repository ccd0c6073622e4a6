"""Money that belongs to no open order: it waits in suspense, in the operators' queue."""

from datetime import datetime
from decimal import Decimal

from payments.collect.models import Charge, Order, UnmatchedFunds
from payments.core import money
from payments.ledger import recipes

Reason = UnmatchedFunds.Reason


def receive(
    *,
    order: Order,
    charge: Charge,
    amount: Decimal,
    currency: str,
    reason: Reason,
    trace_code: str,
    now: datetime,
) -> UnmatchedFunds:
    """Books money that just arrived into suspense and queues it. `order` stays as it is."""
    row = queue(
        order=order,
        charge=charge,
        amount=amount,
        currency=currency,
        reason=reason,
        trace_code=trace_code,
        now=now,
    )
    recipes.unmatched_received(
        merchant_id=order.merchant_id,
        order_id=order.pk,
        charge_id=charge.pk,
        rail=charge.method,
        currency=money.balance_currency(currency),
        amount=amount,
        idempotency_key=row.pk,
        now=now,
    )
    return row


def queue(
    *,
    order: Order,
    charge: Charge,
    amount: Decimal,
    currency: str,
    reason: Reason,
    trace_code: str,
    now: datetime,
) -> UnmatchedFunds:
    """Queues money that is in suspense already."""
    return UnmatchedFunds.objects.create(
        order=order,
        charge=charge,
        amount=amount,
        currency=currency,
        reason=reason,
        trace_code=trace_code,
        created_at=now,
    )


def release_partial(*, order: Order, now: datetime) -> None:
    """The order ended unpaid: what arrived for it is nobody's until an operator decides."""
    for charge in order.charges.filter(credited__gt=0):
        queue(
            order=order,
            charge=charge,
            amount=charge.credited,
            currency=order.currency,
            reason=Reason.PARTIAL_EXPIRED,
            trace_code=charge.trace_code,
            now=now,
        )
