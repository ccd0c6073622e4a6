"""Queries providers about open charges, in case a callback is lost.

Each charge has a due time; the intervals grow (settings.CHARGE_RECONCILE_DELAYS).
"""

from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

import structlog
from django.conf import settings
from django.db import transaction

from merchants.models import Method
from payments.chains.models import CoinAddress
from payments.chains.services import addresses
from payments.collect.models import Charge
from payments.collect.services.charges import (
    charge_initiation,
    charge_updates,
    coin_reports,
    start_calls,
)
from payments.collect.services.errors import ChargeRefused, ProviderUnavailable
from payments.collect.services.funds import confirmation
from payments.collect.services.orders.lookup import lock_order
from payments.core import due
from payments.core.reasons import MoveReason, ReasonCode
from payments.core.request_clock import RequestClock
from payments.providers import ports, registry

log = structlog.get_logger(__name__)
CLAIM_SIZE = 10


def query_provider(*, charge: Charge, now: datetime) -> bool:
    """Queries the rail about a charge and applies the result. Returns whether there was one.

    An error is logged, and the charge is queried again at its next time. So an error does not
    stop the other charges or the payer's page.
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
    """Queries due charges within a budget. Returns how many.

    It claims a few at a time, so that the rest stay due for the next run if a provider is slow.
    """
    clock = RequestClock(now)  # Calls take time: each charge gets the time of its own query.
    return due.process_due(
        partial(_claim_due, now),
        lambda charge: query_provider(charge=charge, now=clock.now()),
        batch_size=CLAIM_SIZE,
        limit=limit,
    )


def _query(charge: Charge, now: datetime) -> None:
    update = registry.PAYIN.get(charge.provider).query(charge.known)
    if update.reference != charge.reference_at_rail:
        raise ports.ProviderTimeout("the answer is about another charge")
    update = replace(update, reference=charge.pk)
    if update.status == ports.ChargeStatus.UNKNOWN:
        _abandon_unknown(charge, now)
    elif charge.status == Charge.Status.STARTING and update.status == ports.ChargeStatus.PENDING:
        _repeat_start(charge, now)
    elif (address := _coin_address(charge)) is not None:
        # One update of all money would hide what came before the end of the price.
        coin_reports.report_address(address=address, now=now)
    else:
        charge_updates.apply_charge_update(provider=charge.provider, update=update, now=now)


def _coin_address(charge: Charge) -> CoinAddress | None:
    if charge.method != Method.CRYPTO:
        return None
    return addresses.find_address(account=charge.provider, reference=charge.reference_at_rail)


@transaction.atomic
def _claim_due(now: datetime) -> list[Charge]:
    """Takes due charges and sets their next time, so that a crash only delays the query."""
    rows = Charge.objects.filter(reconcile_at__lte=now).select_related("order")
    rows = rows.select_for_update(skip_locked=True, of=("self",)).order_by("reconcile_at")
    charges = list(rows[:CLAIM_SIZE])
    for charge in charges:
        charge.reconcile_attempts += 1
        charge.reconcile_at = _next_query_at(charge, now)
    Charge.objects.bulk_update(charges, ["reconcile_attempts", "reconcile_at"])
    return charges


def _next_query_at(charge: Charge, now: datetime) -> datetime | None:
    """None once the outcome is known and final. The longest interval is a day."""
    if charge.status not in Charge.OPEN and not confirmation.is_awaited(charge):
        return None
    if now - charge.created_at > timedelta(days=settings.CHARGE_FORGOTTEN_AFTER_DAYS):
        log.error("charge.without_verdict", charge=charge.pk)
        return None  # a callback can still bring its money
    delays = settings.CHARGE_RECONCILE_DELAYS
    return now + timedelta(seconds=delays[min(charge.reconcile_attempts, len(delays) - 1)])


def _repeat_start(charge: Charge, now: datetime) -> None:
    """Repeats a start whose result was lost. The provider returns the same result again."""
    try:
        charge_initiation.start_at_provider(charge=charge, now=now, is_first=False)
    except (ChargeRefused, ProviderUnavailable) as error:
        log.warning("charge.start_not_repeated", charge=charge.pk, error=type(error).__name__)


@transaction.atomic
def _abandon_unknown(charge: Charge, now: datetime) -> None:
    """Abandons a charge that the provider does not know.

    Its start never arrived, or is still under way.
    """
    if not start_calls.has_settled(charge, now):
        return
    lock_order(charge.order_id)
    queried, charge = charge, Charge.objects.select_for_update().get(pk=charge.pk)
    if not start_calls.is_newest(queried, charge):
        return  # another call has begun since then, perhaps at another account
    if charge.status == Charge.Status.STARTING:
        reason = MoveReason(ReasonCode.NEVER_ARRIVED)
        charge_updates.end_unpaid(charge, Charge.Status.ABANDONED, reason, now)
    else:
        log.error("charge.unknown_to_provider", charge=charge.pk, status=charge.status)
