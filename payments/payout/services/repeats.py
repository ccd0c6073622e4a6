"""Payouts of one merchant that go to the same place with the same amount."""

import hashlib
from datetime import datetime, timedelta

from django.db.models import QuerySet

from payments.payout.models import Payout

Status = Payout.Status
# Within it the console asks before the same is paid again.
PERIOD = timedelta(days=3)
# What to_same_place compares.
DESTINATION = ("network", "bank_id", "account_number", "key_value")


def to_same_place(merchant_id: str, payout: Payout) -> QuerySet[Payout]:
    """Payouts to the same account or key, with any name of its owner. Newest first."""
    rows = Payout.objects.filter(merchant=merchant_id, network=payout.network)
    if payout.key_value:
        found = rows.filter(key_value=payout.key_value)
    else:
        found = rows.filter(bank=payout.bank_id, account_number=payout.account_number)
    return found.order_by("-created_at", "-id")


def newest(merchant_id: str, payout: Payout, *, since: datetime) -> Payout | None:
    """The last one with the same amount. One that failed or came back does not count."""
    found = to_same_place(merchant_id, payout).filter(amount=payout.amount, created_at__gte=since)
    return found.exclude(status__in=(Status.FAILED, Status.REFUNDED)).first()


def digest(merchant_id: str, payout: Payout) -> int:
    """Of merchant and destination, for an advisory lock: 64 bits with a sign."""
    place = [str(getattr(payout, name) or "") for name in DESTINATION]
    text = "\x1f".join([merchant_id, *place])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], signed=True)
