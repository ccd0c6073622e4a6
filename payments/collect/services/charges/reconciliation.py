"""Asks providers about charges that are still open: the callbacks that never came.

Each charge has a due time; the schedule widens (settings.CHARGE_RECONCILE_DELAYS).
"""

import time
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from payments.collect.models import Charge
from payments.collect.services.charges import charge_initiation, charge_updates
from payments.collect.services.errors import ChargeRefused, ProviderUnavailable
from payments.collect.services.funds import confirmation
from payments.collect.services.orders.lookup import lock_order
from payments.core.reasons import MoveReason, ReasonCode
from payments.providers import ports, registry

log = structlog.get_logger(__name__)
CLAIM_SIZE = 10


def ask_provider(*, charge: Charge, now: datetime) -> bool:
    """Asks the rail what became of a charge and applies the answer. Returns whether there was one.

    Whatever goes wrong is logged and asked again at the charge's next time: one charge that cannot
    be understood must not keep the others from being asked about, nor a payer from their page.
    """
    try:
        _ask(charge, now)
    except ports.ProviderError as error:
        log.warning("charge.query_failed", charge=charge.pk, error=type(error).__name__)
    except Exception:
        log.exception("charge.answer_not_applied", charge=charge.pk)
    else:
        return True
    return False


def reconcile_due(*, now: datetime, limit: int = 100) -> int:
    """Asks about open charges whose time has come, for a while. Returns how many were asked.

    A few are claimed at a time: where a provider is slow, the rest stay due for the next run.
    """
    asked = 0
    deadline = time.monotonic() + settings.SCANNER_BUDGET_SECONDS
    while asked < limit and time.monotonic() < deadline:
        charges = _claim_due(now, CLAIM_SIZE)
        for charge in charges:
            ask_provider(charge=charge, now=now)
        asked += len(charges)
        if len(charges) < CLAIM_SIZE:
            break
    return asked


def _ask(charge: Charge, now: datetime) -> None:
    update = registry.payin_by_code(charge.provider).query(charge.pk)
    if update.status == ports.ChargeStatus.UNKNOWN:
        _never_arrived(charge, now)
    elif charge.status == Charge.Status.STARTING and update.status == ports.ChargeStatus.PENDING:
        _hear_the_answer_again(charge, now)
    else:
        charge_updates.apply_charge_update(provider=charge.provider, update=update, now=now)


@transaction.atomic
def _claim_due(now: datetime, limit: int) -> list[Charge]:
    """Takes due charges and sets their next time at once: a crash only delays the question."""
    due: QuerySet[Charge] = Charge.objects.filter(reconcile_at__lte=now).select_related("order")
    charges = list(
        due.select_for_update(skip_locked=True, of=("self",)).order_by("reconcile_at")[:limit]
    )
    for charge in charges:
        charge.reconcile_attempts += 1
        charge.reconcile_at = _next_question(charge, now)
    Charge.objects.bulk_update(charges, ["reconcile_attempts", "reconcile_at"])
    return charges


def _next_question(charge: Charge, now: datetime) -> datetime | None:
    """Charges are asked about until there is a verdict, and finality; at last once a day."""
    if charge.status not in Charge.OPEN and not confirmation.is_awaited(charge):
        return None
    if now - charge.created_at > timedelta(days=settings.CHARGE_FORGOTTEN_AFTER_DAYS):
        log.error("charge.without_verdict", charge=charge.pk)
        return None  # a callback can still bring its money
    delays = settings.CHARGE_RECONCILE_DELAYS
    return now + timedelta(seconds=delays[min(charge.reconcile_attempts, len(delays) - 1)])


def _hear_the_answer_again(charge: Charge, now: datetime) -> None:
    """The answer to its start was lost: the same reference gets the same answer."""
    try:
        charge_initiation.call_provider(charge=charge, now=now, is_first=False)
    except (ChargeRefused, ProviderUnavailable) as error:
        log.warning("charge.start_not_repeated", charge=charge.pk, error=type(error).__name__)


@transaction.atomic
def _never_arrived(charge: Charge, now: datetime) -> None:
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
