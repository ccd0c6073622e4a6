"""Orders end unpaid when their time is over, by their due date in the database.

A payer who is at the bank is never cut off: the rail is asked first (docs/gaps.md, Orders).
"""

from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.db import transaction

from payments.collect.models import Charge, Order
from payments.collect.services import reconcile
from payments.collect.services.orders import expire_order, lock_order

log = structlog.get_logger(__name__)
Status = Order.Status


def expire_due(*, now: datetime, limit: int = 200) -> int:
    """Looks at every order whose time has come, oldest first. Returns how many it looked at.

    Each order is a transaction of its own: one that fails holds up no other.
    """
    due = Order.objects.filter(expire_check_at__lte=now).order_by("expire_check_at")
    ids = list(due.values_list("pk", flat=True)[:limit])
    for order_id in ids:
        try:
            expire_if_due(order_id=order_id, now=now)
        except Exception:
            log.exception("order.expiry_failed", order=order_id)
    return len(ids)


def expire_if_due(*, order_id: str, now: datetime) -> None:
    """Ends one order if it is unpaid and past its deadline, or sets when to look again."""
    for charge in _charges_at_bank(order_id):
        reconcile.ask_provider(charge=charge, now=now)
    with transaction.atomic():
        order = lock_order(order_id)
        if order.is_final or order.expires_at > now:
            _look_again(order, None if order.is_final else order.expires_at)
        elif (wait_until := _bank_may_answer_until(order)) and wait_until > now:
            retry = now + timedelta(seconds=settings.COLLECT_PROCESSING_RECHECK_SECONDS)
            _look_again(order, min(retry, wait_until))
        else:
            expire_order(order=order, now=now)


def _charges_at_bank(order_id: str) -> list[Charge]:
    charges = Charge.objects.filter(order_id=order_id, status__in=Charge.OPEN)
    return list(charges.filter(order__status=Status.PROCESSING))


def _bank_may_answer_until(order: Order) -> datetime | None:
    """How long an open try holds the order: 30 minutes past the rail's own limit."""
    if order.status != Status.PROCESSING:
        return None
    charges = order.charges.filter(status__in=Charge.OPEN)
    limits = [charge.expires_at or order.expires_at for charge in charges]
    if not limits:
        return None
    return max(limits) + timedelta(seconds=settings.COLLECT_PROCESSING_GRACE_SECONDS)


def _look_again(order: Order, at: datetime | None) -> None:
    order.expire_check_at = at
    order.save(update_fields=["expire_check_at", "updated_at"])
