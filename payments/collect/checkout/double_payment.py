"""No payer pays twice by mistake: an open payment is shown before another one can start.

What may start at all is decided in services; here the payer confirms it.
"""

from datetime import datetime

from django.core.cache import cache
from django.db.models import QuerySet

from payments.api import limits
from payments.collect.models import Charge, Order
from payments.collect.services.charges import reconciliation
from payments.collect.services.charges.charge_creation import PaymentChoice

# A form that carries the open payment's id was sent by a payer who has seen it.
SEEN_FIELD = "seen"
QUERY_INTERVAL_SECONDS = 5


def find_open_debit(*, order: Order, choice: PaymentChoice, now: datetime) -> Charge | None:
    """The debit that the payer may be approving at this moment, unless it is this very choice.

    The rail is queried first: mostly the debit has ended long ago.
    """
    charge = _open_debit(order)
    if charge is None or (choice.is_of(charge) and not _is_past(charge, now)):
        return None
    if claim_query(charge):
        reconciliation.query_provider(charge=charge, now=now)
        charge = _open_debit(order)
    return charge


def can_start(*, order: Order, choice: PaymentChoice) -> bool:
    """Whether services would start the choice beside what is open."""
    return choice.flow.is_debit or not Charge.objects.at_bank(order).exists()


def claim_query(charge: Charge) -> bool:
    """Whether the rail may be queried about the charge: once in some seconds."""
    key = f"asked:{charge.pk}"
    return bool(limits.breaker.call(lambda: cache.add(key, 1, timeout=QUERY_INTERVAL_SECONDS)))


def _open_debit(order: Order) -> Charge | None:
    charges: QuerySet[Charge] = order.charges.filter(status__in=Charge.OPEN)
    return next(
        (charge for charge in charges.order_by("-created_at", "-id") if charge.is_debit), None
    )


def _is_past(charge: Charge, now: datetime) -> bool:
    return charge.expires_at is not None and charge.expires_at <= now
