"""The call under way that starts a charge: who may make it, and at which account.

`last_started_at` names the call. It is committed before the call, so of two calls only the newest
may move the charge to another account, keep the adapter's state, or record that the charge was not
started.
"""

import time
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.db import transaction

from payments.collect.models import Charge
from payments.collect.models.charges import ChargeQuerySet
from payments.collect.services.errors import ChargeRefused, ProviderUnavailable
from payments.collect.services.orders.lookup import lock_order
from payments.providers import ports
from payments.rails.services import adapter_states, wire_references

log = structlog.get_logger(__name__)
SETTLING = timedelta(seconds=settings.CHARGE_SETTLING_SECONDS)
# A second click waits so long for the result of the first one's call.
WAIT_SECONDS = 2.0
POLL_SECONDS = 0.05


def claim_repetition(charge: Charge, now: datetime) -> Charge:
    """The charge for another call, or as it is if its start has ended.

    Raises ChargeRefused, and ProviderUnavailable while another call is under way.
    """
    waits_until = time.monotonic() + WAIT_SECONDS
    while (current := _claim(charge, now)) is None:
        if time.monotonic() >= waits_until:
            log.info("charge.start_under_way", charge=charge.pk)
            raise ProviderUnavailable
        time.sleep(POLL_SECONDS)
    if current.status == Charge.Status.FAILED:
        raise ChargeRefused
    if current.status == Charge.Status.ABANDONED:
        raise ProviderUnavailable
    return current


@transaction.atomic
def move(charge: Charge, account: str, now: datetime) -> bool:
    """Moves the charge to another account. False if another call has begun, or the start has ended.

    Committed before the call, so that after a crash the account is queried that may have the
    charge.
    """
    lock_order(charge.order_id)
    # Also for the account's own shape of references, and without the state of the old one.
    at_rail = {
        "provider": account,
        "wire_reference": wire_references.allocate(account=account, reference=charge.pk, now=now),
        "provider_state": {},
        "last_started_at": now,
    }
    if not _calls_of(charge).update(**at_rail, reconcile_at=now + SETTLING):
        return False
    wire_references.keep_state(
        account=charge.provider, reference=charge.pk, state=charge.provider_state, now=now
    )
    log.warning("charge.moved", charge=charge.pk, was=charge.provider, account=account)
    for name, value in at_rail.items():
        setattr(charge, name, value)
    return True


def save_state(charge: Charge, state: ports.State) -> None:
    """Commits what the adapter needs for its next call. Raises CallOvertaken."""
    adapter_states.keep(payment=charge, calls=_calls_of(charge), state=state)


def end(charge: Charge) -> None:
    """Records that the call ended without a result, so that the next click may call."""
    _calls_of(charge).update(is_being_started=False)


def is_newest(charge: Charge, current: Charge) -> bool:
    """Whether `current`, the locked row, is still at the account and the call of `charge`."""
    return (charge.provider, charge.last_started_at) == (
        current.provider,
        current.last_started_at,
    )


def has_settled(charge: Charge, now: datetime) -> bool:
    """Whether a call that was begun has certainly ended."""
    return now >= (charge.last_started_at or charge.created_at) + SETTLING


@transaction.atomic
def _claim(charge: Charge, now: datetime) -> Charge | None:
    """None while another call is under way."""
    lock_order(charge.order_id)
    current = (
        Charge.objects.select_for_update(of=("self",)).select_related("order").get(pk=charge.pk)
    )
    if current.status != Charge.Status.STARTING:
        return current
    if current.is_being_started and not has_settled(current, now):
        return None
    current.last_started_at, current.is_being_started = now, True
    current.save(update_fields=["last_started_at", "is_being_started", "updated_at"])
    return current


def _calls_of(charge: Charge) -> ChargeQuerySet:
    return Charge.objects.filter(
        pk=charge.pk,
        status=Charge.Status.STARTING,
        provider=charge.provider,
        last_started_at=charge.last_started_at,
    )
