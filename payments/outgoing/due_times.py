"""When a payment is queried next, and when an operator has to look at it."""

from datetime import datetime, timedelta

from django.conf import settings

from payments.outgoing.models import OutgoingPayment
from payments.providers import registry

Status = OutgoingPayment.Status


def next_query_at(payment: OutgoingPayment, now: datetime) -> datetime | None:
    if payment.has_ended:
        return None
    delays = settings.OUTGOING_RECONCILE_DELAYS
    # A payment that was not sent yet gets the shortest delay, in case its worker dies.
    queries = payment.attempts - 1 if payment.status == Status.PROCESSING else 0
    return now + timedelta(seconds=delays[min(queries, len(delays) - 1)])


def is_forgotten(payment: OutgoingPayment, now: datetime) -> bool:
    """Whether the rail may treat the same reference as a new payment. If so, a person decides."""
    rail = registry.find_rail(payment.provider)
    window = rail.idempotency_window if rail else None
    return window is not None and now - (payment.sent_at or now) >= window


def is_in_doubt_too_long(payment: OutgoingPayment, now: datetime) -> bool:
    """Whether an operator must look at the payment. The funds stay held, and the queries continue.

    A payment that could not be sent was created or approved at `updated_at`, which claims do
    not change. One that people decide has a work queue of its own.
    """
    limit = timedelta(seconds=settings.OUTGOING_OPERATOR_AFTER_SECONDS)
    is_old = now - (payment.sent_at or payment.updated_at) > limit
    return is_old and not is_decided_by_people(payment)


def is_decided_by_people(payment: OutgoingPayment) -> bool:
    """Whether its rail has it, and people decide it at the rail's own pages."""
    rail = registry.find_rail(payment.provider) if payment.status != Status.PENDING else None
    return rail is not None and rail.is_decided_by_people
