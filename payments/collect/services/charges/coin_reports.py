"""Reports what the scanner of chains found to the charges.

An address has a due time whenever one of its deposits changed. It is cleared after the report, and
only if it is still the same: what came during the report is reported next.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial

import structlog
from django.db import transaction

from payments.chains import snapshots
from payments.chains.models import CoinAddress
from payments.collect.services.charges import charge_updates
from payments.collect.services.errors import UnknownCharge
from payments.core import due
from payments.core.request_clock import RequestClock
from payments.providers import ports

log = structlog.get_logger(__name__)
CLAIM_SIZE = 50
# A report that a process left unfinished, or that failed, is repeated after this time.
RETRY = timedelta(seconds=30)


def report_coins(*, now: datetime, limit: int = 1000) -> int:
    clock = RequestClock(now)
    return due.process_due(
        partial(_claim_due, now),
        lambda address: report_address(address=address, now=clock.now()),
        batch_size=CLAIM_SIZE,
        limit=limit,
    )


def report_address(*, address: CoinAddress, now: datetime) -> None:
    """Applies the address's deposits, whatever was applied before."""
    for provider, update in _report_own(address, now):
        _apply(provider, update, now)
    done = CoinAddress.objects.filter(pk=address.pk, report_at=address.report_at)
    done.update(report_at=None)


@transaction.atomic
def _report_own(address: CoinAddress, now: datetime) -> tuple[tuple[str, ports.ChargeUpdate], ...]:
    """Returns what is left to report: money that an operator decides about.

    The lock keeps a slow process from reporting what was on its way a minute ago.
    """
    found = snapshots.updates_of(CoinAddress.objects.select_for_update().get(pk=address.pk))
    for update in found.own:
        _apply(found.provider, update, now)
    return found.strange


def _apply(provider: str, update: ports.ChargeUpdate, now: datetime) -> None:
    """A charge that moved to another account gets no report before money has come."""
    try:
        charge_updates.apply_charge_update(provider=provider, update=update, now=now)
    except UnknownCharge:
        if update.received > 0:
            raise
        log.warning("coins.of_no_charge", reference=update.reference, account=provider)


@transaction.atomic
def _claim_due(now: datetime) -> Sequence[CoinAddress]:
    rows = CoinAddress.objects.filter(report_at__lte=now).order_by("report_at")
    claimed = list(rows.select_for_update(skip_locked=True)[:CLAIM_SIZE])
    for address in claimed:
        address.report_at = now + RETRY
    CoinAddress.objects.bulk_update(claimed, ["report_at"])
    return claimed
