"""Refunds that wait for the payer too long: one condition for the queue and the list."""

from datetime import datetime, timedelta

from django.db.models import Q

DESTINATION_OVERDUE = timedelta(days=7)


def overdue_destinations(now: datetime) -> Q:
    """Refunds whose payers have named no account for so long that an operator looks at them."""
    waiting = Q(needs_approval=True, needs_destination=True)
    return waiting & Q(created_at__lt=now - DESTINATION_OVERDUE)
