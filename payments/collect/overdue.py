"""Charges and refunds that wait for a person: one condition for each queue and its list."""

from datetime import datetime, timedelta

from django.db.models import Q

CHARGE_OVERDUE = timedelta(days=1)
DESTINATION_OVERDUE = timedelta(days=7)
# For an operator with a wallet. The index refund_due serves it: an open refund has a due time.
TO_PAY = Q(status="PROCESSING", next_action_at__isnull=False, provider_id="") & ~Q(coin="")


def overdue_destinations(now: datetime) -> Q:
    """Refunds whose payers have named no account for so long that an operator looks at them."""
    waiting = Q(needs_approval=True, needs_destination=True)
    return waiting & Q(created_at__lt=now - DESTINATION_OVERDUE)


def overdue_charges(now: datetime) -> Q:
    """Charges that a worker has queried for so long that an operator calls the rail."""
    return Q(reconcile_at__isnull=False, created_at__lt=now - CHARGE_OVERDUE)


# Open disputes of which the merchant has given no file yet. Afterwards the bank decides.
WAITS_FOR_MERCHANT = Q(status="OPEN") & ~Q(files__is_of_merchant=True)
