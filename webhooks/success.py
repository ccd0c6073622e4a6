"""How many of a merchant's deliveries of 24 hours arrived."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count

from payments.core import days
from webhooks.models import Delivery, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class DaySuccess:
    """Deliveries created in 24 hours, by the state that they have now."""

    delivered: int = 0
    failed: int = 0
    pending: int = 0
    waiting: int = 0

    @property
    def ended(self) -> int:
        return self.delivered + self.failed

    @property
    def percent(self) -> str:
        """The share of the deliveries that ended. `-` if none ended."""
        return f"{100 * self.delivered / self.ended:.0f} %" if self.ended else "-"


def success_of_day(*, merchant_id: str, now: datetime) -> DaySuccess:
    recent = Delivery.objects.filter(merchant=merchant_id, created_at__gte=now - days.ONE_DAY)
    counted = recent.order_by().values("status").annotate(count=Count("*"))
    counts = {row["status"]: row["count"] for row in counted}
    return DaySuccess(
        delivered=counts.get(Status.DELIVERED, 0),
        failed=counts.get(Status.FAILED, 0),
        pending=counts.get(Status.PENDING, 0),
        waiting=counts.get(Status.WAITING, 0),
    )
