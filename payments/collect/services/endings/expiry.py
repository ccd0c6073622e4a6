"""Unpaid orders end when their due time in the database has passed.

The rail is queried first, so that a payer who is at the bank can finish (docs/gaps.md, Orders).
"""

from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.db import transaction

from payments.collect.models import Charge, Order
from payments.collect.services.charges import reconciliation
from payments.collect.services.funds import unmatched_funds
from payments.collect.services.orders import order_events
from payments.collect.services.orders.lookup import lock_order
from payments.core import due, states
from payments.core.reasons import MoveReason, ReasonCode

CLAIM_SIZE = 50
DEADLINE_PASSED = MoveReason(ReasonCode.DEADLINE_PASSED)


def expire_due(*, now: datetime) -> int:
    """Checks due orders, oldest first, within a budget. Returns how many.

    Each order has its own transaction. An order that fails is due again after a minute.
    """
    return due.process_due(
        partial(_claim_due, now),
        lambda order_id: expire_if_due(order_id=order_id, now=now),
        batch_size=CLAIM_SIZE,
    )


def expire_if_due(*, order_id: str, now: datetime) -> None:
    for charge in Charge.objects.holding(Order(pk=order_id)):
        reconciliation.query_provider(charge=charge, now=now)
    with transaction.atomic():
        order = lock_order(order_id)
        if order.is_final or order.expires_at > now:
            _schedule_check(order, None if order.is_final else order.expires_at)
        elif (wait_until := _held_until(order)) and wait_until > now:
            _schedule_check(order, min(_recheck_at(now), wait_until))
        else:
            expire_order(order=order, now=now)


def expire_order(
    *, order: Order, now: datetime, actor: str = "clock", reason: str = DEADLINE_PASSED
) -> None:
    """Moves a locked, unpaid order to EXPIRED and publishes it. Raises states.IllegalMove."""
    states.move(
        order, Order.Status.EXPIRED, now=now, actor=actor, reason=reason, expire_check_at=None
    )
    unmatched_funds.release_partial(order=order, now=now)
    order_events.publish("payment.expired", order=order, now=now)


@transaction.atomic
def _claim_due(now: datetime) -> list[str]:
    rows = Order.objects.filter(expire_check_at__lte=now).order_by("expire_check_at")
    locked = rows.select_for_update(skip_locked=True, no_key=True)
    ids = list(locked.values_list("pk", flat=True)[:CLAIM_SIZE])
    Order.objects.filter(pk__in=ids).update(expire_check_at=_recheck_at(now))
    return ids


def _recheck_at(now: datetime) -> datetime:
    return now + timedelta(seconds=settings.COLLECT_PROCESSING_RECHECK_SECONDS)


def _held_until(order: Order) -> datetime | None:
    """The time until which the charges that may still bring money keep the order open."""
    return max((_limit(order, charge) for charge in Charge.objects.holding(order)), default=None)


def _limit(order: Order, charge: Charge) -> datetime:
    """30 minutes after the rail's own limit. For a coin, one day after the coin was seen."""
    if charge.is_debit:
        rail_limit = charge.expires_at or order.expires_at
        return rail_limit + timedelta(seconds=settings.COLLECT_PROCESSING_GRACE_SECONDS)
    seen_at = charge.seen_at or charge.created_at
    return seen_at + timedelta(seconds=settings.COLLECT_CONFIRMATION_LIMIT_SECONDS)


def _schedule_check(order: Order, at: datetime | None) -> None:
    order.expire_check_at = at
    order.save(update_fields=["expire_check_at"])  # no updated_at: merchants see no change
