"""What a merchant is told of a closed day (contract, Events: settlement.closed)."""

from datetime import datetime
from typing import Any

from merchants.models import Merchant, OptionalEvent
from payments.core import clock, money
from payments.settlement import days
from payments.settlement.models import Settlement
from webhooks import services as webhooks


def publish_closed(*, merchant: Merchant, settlement: Settlement, now: datetime) -> None:
    """Once for each settlement, in the transaction that closes it; only where it is enabled."""
    webhooks.publish(
        merchant=merchant,
        kind=OptionalEvent.SETTLEMENT_CLOSED,
        subject_id=settlement.pk,
        data=payload(settlement),
        now=now,
        dedupe_key=f"{OptionalEvent.SETTLEMENT_CLOSED.value}:{settlement.pk}",
    )


def payload(settlement: Settlement) -> dict[str, Any]:
    """`data` of the event (docs/gaps.md, Settlement). It moves no money."""
    return {
        "id": settlement.pk,
        "date": settlement.date.isoformat(),
        "timezone": days.TIMEZONE,
        "currency": settlement.currency,
        "collected": money.number(settlement.collected),
        "fee": money.number(settlement.fee),
        "tax": money.number(settlement.tax),
        "net": money.number(settlement.net),
        "refunded": money.number(settlement.refunded),
        "orderCount": settlement.order_count,
        "refundCount": settlement.refund_count,
        "closedAt": clock.iso(settlement.closed_at),
    }
