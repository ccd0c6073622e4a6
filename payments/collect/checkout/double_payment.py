"""Keeps payers from paying twice: an open payment is shown before another one can start.

Services decide whether another may start; here the payer confirms it.
"""

from datetime import datetime

from django.core.cache import cache
from django.db.models import QuerySet

from payments.api import limits
from payments.collect.models import Charge, Order
from payments.collect.services.charges import reconciliation
from payments.collect.services.charges.charge_creation import PaymentChoice
from payments.providers.ports import Flow

# The form field with the id of the open payment. It means that the payer has seen that payment.
SEEN_FIELD = "seen"
QUERY_INTERVAL_SECONDS = 5


def find_open_debit(*, order: Order, choice: PaymentChoice, now: datetime) -> Charge | None:
    """The debit that the payer may be approving now, unless it is for the same choice.

    The rail is queried first, because usually the debit has ended already.
    """
    charge = _open_debit(order)
    if charge is None or (choice.is_of(charge) and not _is_past(charge, now)):
        return None
    if claim_query(charge):
        reconciliation.query_provider(charge=charge, now=now)
        charge = _open_debit(order)
    return charge


def can_start(*, order: Order, flow: Flow) -> bool:
    """Whether a choice of this flow could start while another payment is open.

    A transfer, a key or a coin cannot: the payer could send it while the bank still approves.
    """
    return flow.is_debit or not Charge.objects.at_bank(order).exists()


def find_blocking_debit(*, order: Order, flow: Flow, now: datetime) -> Charge | None:
    """The open debit because of which a choice of this flow cannot start yet.

    The rail is queried first, as in `find_open_debit`.
    """
    if can_start(order=order, flow=flow):
        return None
    charge = _open_debit(order)
    if charge is not None and claim_query(charge):
        reconciliation.query_provider(charge=charge, now=now)
    return None if can_start(order=order, flow=flow) else _open_debit(order)


def claim_query(charge: Charge, *, every_seconds: int = QUERY_INTERVAL_SECONDS) -> bool:
    """Whether the rail may be queried now."""
    key = f"asked:{charge.pk}"
    return bool(limits.breaker.call(lambda: cache.add(key, 1, timeout=every_seconds)))


def _open_debit(order: Order) -> Charge | None:
    charges: QuerySet[Charge] = order.charges.filter(status__in=Charge.OPEN)
    return next(
        (charge for charge in charges.order_by("-created_at", "-id") if charge.is_debit), None
    )


def _is_past(charge: Charge, now: datetime) -> bool:
    return charge.expires_at is not None and charge.expires_at <= now
