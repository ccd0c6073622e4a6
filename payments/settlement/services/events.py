"""What a merchant is told of a closed day (contract, Events: settlement.closed)."""

from datetime import datetime

from merchants.models import Merchant
from payments.settlement.models import Settlement
from payments.settlement.payloads import SettlementPayload
from webhooks import services as webhooks

KIND = "settlement.closed"


def publish_closed(*, merchant: Merchant, settlement: Settlement, now: datetime) -> None:
    """Once for each settlement, in the transaction that closes it; only where it is enabled."""
    webhooks.publish(
        webhooks.NewEvent(
            merchant=merchant,
            kind=KIND,
            subject_id=settlement.pk,
            data=SettlementPayload(settlement).data,
            now=now,
            dedupe_key=f"{KIND}:{settlement.pk}",
        )
    )
