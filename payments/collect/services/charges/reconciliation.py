"""Queries providers about charges that are still open: the callbacks that never came.

Each charge has a due time; the schedule widens (settings.CHARGE_RECONCILE_DELAYS).
"""

from datetime import datetime, timedelta
from functools import partial

import structlog
from django.conf import settings
from django.db import transaction

from payments.collect.models import Charge
from payments.collect.services.charges import charge_initiation, charge_updates
from payments.collect.services.errors import ChargeRefused, ProviderUnavailable
from payments.collect.services.funds import confirmation
from payments.collect.services.orders.lookup import lock_order
from payments.core import due
from payments.core.reasons import MoveReason, ReasonCode
from payments.providers import ports, registry

log = structlog.get_logger(__name__)
CLAIM_SIZE = 10


def query_provider(*, charge: Charge, now: datetime) -> bool:
    """Queries the rail about a charge and applies the result. Returns whether there was one.

    An error is logged, and the charge is queried again at its next time: one charge must not stop
    the others, nor keep a payer from their page.
    """
    try:
        _query(charge, now)
    except ports.ProviderError as error:
        log.warning("charge.query_failed", charge=charge.pk, error=type(error).__name__)
    except Exception:
        log.exception("charge.answer_not_applied", charge=charge.pk)
    else:
        return True
    return False


def reconcile_due(*, now: datetime, limit: int = 100) -> int:
    """Queries open charges whose time has come, within a budget. Returns how many.

    A few are claimed at a time: where a provider is slow, the rest stay due for the next run.
    """
    return due.process_due(
        partial(_claim_due, now),
        lambda charge: query_provider(charge=charge, now=now),
        batch_size=CLAIM_SIZE,
        limit=limit,
    )


def _query(charge: Charge, now: datetime) -> None:
    update = registry.PAYIN.get(charge.provider).query(charge.pk)
    if update.status == ports.ChargeStatus.UNKNOWN:
        _abandon_unknown(charge, now)
    elif charge.status == Charge.Status.STARTING and update.status == ports.ChargeStatus.PENDING:
        _repeat_start(charge, now)
    else:
        charge_updates.apply_charge_update(provider=charge.provider, update=update, now=now)


@transaction.atomic
def _claim_due(now: datetime) -> list[Charge]:
    """Takes due charges and sets their next time at once: a crash only delays the query."""
    rows = Charge.objects.filter(reconcile_at__lte=now).select_related("order")
    rows = rows.select_for_update(skip_locked=True, of=("self",)).order_by("reconcile_at")
    charges = list(rows[:CLAIM_SIZE])
    for charge in charges:
        charge.reconcile_attempts += 1
        charge.reconcile_at = _next_query_at(charge, now)
    Charge.objects.bulk_update(charges, ["reconcile_attempts", "reconcile_at"])
    return charges


def _next_query_at(charge: Charge, now: datetime) -> datetime | None:
    """Charges are queried until there is a verdict, and finality; at last once a day."""
    if charge.status not in Charge.OPEN and not confirmation.is_awaited(charge):
        return None
    if now - charge.created_at > timedelta(days=settings.CHARGE_FORGOTTEN_AFTER_DAYS):
        log.error("charge.without_verdict", charge=charge.pk)
        return None  # a callback can still bring its money
    delays = settings.CHARGE_RECONCILE_DELAYS
    return now + timedelta(seconds=delays[min(charge.reconcile_attempts, len(delays) - 1)])


def _repeat_start(charge: Charge, now: datetime) -> None:
    """The result of its start was lost: the same reference gets the same result."""
    try:
        charge_initiation.start_at_provider(charge=charge, now=now, is_first=False)
    except (ChargeRefused, ProviderUnavailable) as error:
        log.warning("charge.start_not_repeated", charge=charge.pk, error=type(error).__name__)


@transaction.atomic
def _abandon_unknown(charge: Charge, now: datetime) -> None:
    """The provider knows nothing of the charge: a doubtful start did not happen.

    Unless it may still be under way.
    """
    if now < charge.created_at + timedelta(seconds=settings.CHARGE_SETTLING_SECONDS):
        return
    lock_order(charge.order_id)
    charge = Charge.objects.select_for_update().get(pk=charge.pk)
    if charge.status == Charge.Status.STARTING:
        charge_updates.end_unpaid(
            charge, Charge.Status.ABANDONED, MoveReason(ReasonCode.NEVER_ARRIVED), now
        )
    else:
        log.error("charge.unknown_to_provider", charge=charge.pk, status=charge.status)
