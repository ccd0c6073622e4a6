"""Money that belongs to no open order. It waits in suspense for an operator's decision."""

from datetime import datetime

from payments.collect.models import Order, UnmatchedFunds
from payments.core import money
from payments.ledger import recipes


def receive(funds: UnmatchedFunds, now: datetime) -> None:
    """Posts new money to suspense and queues it for an operator. The order does not change."""
    queue(funds, now)
    recipes.unmatched_received(
        recipes.ReceivedFunds(
            merchant_id=funds.order.merchant_id,
            order_id=funds.order_id,
            charge_id=funds.charge_id,
            rail=funds.charge.method,
            account=funds.account or funds.charge.provider,
            currency=money.balance_currency(funds.currency),
            amount=funds.amount,
            idempotency_key=funds.pk,
        ),
        now=now,
    )


def queue(funds: UnmatchedFunds, now: datetime) -> None:
    """Queues money that was posted to suspense earlier."""
    funds.created_at = now
    funds.save(force_insert=True)


def release_partial(*, order: Order, now: datetime) -> None:
    """Queues the partial payments of an order that ended unpaid."""
    for charge in order.charges.filter(credited__gt=0):
        funds = UnmatchedFunds(
            order=order,
            charge=charge,
            amount=charge.credited,
            currency=order.currency,
            reason=UnmatchedFunds.Reason.PARTIAL_EXPIRED,
            trace_code=charge.trace_code,
        )
        queue(funds, now)
