"""The effects of opening and closing a dispute on the ledger and the merchant.

The callers hold the locks of the order and the dispute; `dispute.order` is the locked row.
"""

from datetime import datetime

import structlog

from payments.collect.models import Dispute
from payments.collect.services.errors import OrderNotDisputable
from payments.collect.services.orders import order_events
from payments.collect.services.resolution import dispute_ledger, refundable_amounts
from payments.core import money, states

log = structlog.get_logger(__name__)
Status = Dispute.Status


def open_dispute(dispute: Dispute, now: datetime) -> None:
    """Saves and publishes the dispute, and holds the claimed amount. Raises OrderNotDisputable."""
    order = dispute.order
    if dispute.claimed <= 0:
        log.error("dispute.without_amount", order=order.pk, provider=dispute.provider)
        raise OrderNotDisputable
    dispute.currency = money.balance_currency(order.currency)
    dispute.opened_at = now
    dispute.save(force_insert=True)
    is_chargeback = dispute.kind == Dispute.Kind.CHARGEBACK
    kind = "payment.chargeback" if is_chargeback else "payment.disputed"
    publish(kind, dispute, now)
    dispute_ledger.hold_funds(order, dispute, now)


def close_dispute(
    dispute: Dispute, outcome: str, *, actor: str, reason: str, now: datetime
) -> None:
    """WON releases the hold. LOST debits what the payer's bank takes."""
    order = dispute.order
    if outcome == Status.LOST:
        # A refund that ended after the opening may have left more money to hold.
        dispute_ledger.increase_claim(order, dispute)
    states.move(dispute, outcome, now=now, actor=actor, reason=reason, closed_at=now)
    if outcome == Status.WON:
        dispute_ledger.release_hold(order, dispute, now)
        return
    publish("payment.chargeback", dispute, now)
    dispute_ledger.debit_lost(order, dispute, actor=actor, now=now)


def publish(kind: str, dispute: Dispute, now: datetime) -> None:
    """Publishes an event, unless the merchant never had the contested money."""
    if refundable_amounts.concerns_merchant(dispute.order, dispute):
        order_events.publish(kind, order=dispute.order, of=dispute, now=now)
