"""What a provider reports about a charge, and what it does to the charge and its order.

An update may come twice, late, or out of order. `received` is the total so far, so that only the
difference is new money (incoming_funds.py).
"""

from dataclasses import replace
from datetime import datetime
from decimal import Decimal

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Q

from payments.collect.models import Charge, Order
from payments.collect.services.disputes import dispute_updates
from payments.collect.services.errors import CurrencyMismatch, UnknownCharge
from payments.collect.services.funds import (
    coin_values,
    confirmation,
    incoming_funds,
    unmatched_funds,
)
from payments.collect.services.orders import order_events
from payments.collect.services.orders.lookup import lock_order
from payments.core import money, states
from payments.core.ids import is_id
from payments.core.reasons import MoveReason, ReasonCode
from payments.providers import ports

log = structlog.get_logger(__name__)
Status = Order.Status


@transaction.atomic
def apply_charge_update(*, provider: str, update: ports.ChargeUpdate, now: datetime) -> Charge:
    """Brings charge, order and books to what the provider reports. Repeats change nothing.

    Locks the order first, then the charge, the balances last. Raises UnknownCharge and
    CurrencyMismatch.
    """
    order = lock_order(_find_order_id(provider, update.reference))
    charge = Charge.objects.select_for_update().get(pk=update.reference)
    charge.order = order
    update = _clean(update)
    if update.currency != charge.currency:
        if update.received > 0:
            incoming_funds.receive_other_currency(charge, update, now)
        return charge
    _record_details(charge, update)
    if update.received > charge.received:
        incoming_funds.receive(order, charge, update, now)
    elif update.status == ports.ChargeStatus.FAILED:
        _fail(order, charge, update, now)
    elif update.status == ports.ChargeStatus.ABANDONED:
        _abandon(charge, update, now)
    else:
        confirmation.record(order, charge, update, now)
    if charge.unconfirmed > 0:
        _show_deposit(order, charge, now)
    return charge


def end_unpaid(charge: Charge, status: str, reason: str, now: datetime) -> None:
    states.move(
        charge,
        status,
        now=now,
        actor=charge.provider,
        reason=reason,
        failure_reason=reason[:300],
        unconfirmed=Decimal(0),
        reconcile_at=None,
    )


def _find_order_id(provider: str, reference: str) -> str:
    if not is_id(reference, "chg"):
        raise UnknownCharge
    known = Charge.objects.filter(pk=reference, provider=provider)
    if (order_id := known.values_list("order_id", flat=True).first()) is None:
        raise UnknownCharge
    return order_id


def _clean(update: ports.ChargeUpdate) -> ports.ChargeUpdate:
    """Cut to what our tables hold: a strange value must never keep money off the books."""
    received, unconfirmed = update.received, update.unconfirmed
    if received > 0 or unconfirmed > 0:
        if update.currency not in settings.CURRENCIES:
            raise CurrencyMismatch
        received = money.truncate(received, update.currency)
        unconfirmed = money.truncate(unconfirmed, update.currency)
    return replace(
        update,
        received=received,
        unconfirmed=unconfirmed,
        provider_id=_text(update.provider_id, 100),
        trace_code=_text(update.trace_code, 100),
        reason=_text(update.reason, 300),
    )


def _text(value: str, max_length: int) -> str:
    return value.replace("\x00", "")[:max_length]


def _record_details(charge: Charge, update: ports.ChargeUpdate) -> None:
    """Saves what the update reports beside money: ids, trace code, unconfirmed deposits."""
    if charge.provider_id and update.provider_id not in ("", charge.provider_id):
        log.error("charge.provider_id_differs", charge=charge.pk, theirs=update.provider_id)
    charge.provider_id = charge.provider_id or update.provider_id
    charge.trace_code = charge.trace_code or update.trace_code
    coin_values.record_seen(charge, update)
    is_open = charge.status in Charge.OPEN
    charge.unconfirmed = update.unconfirmed if is_open else Decimal(0)
    if charge.seen_at is None and (update.unconfirmed > 0 or update.received > 0):
        charge.seen_at = update.occurred_at
    fields = ["provider_id", "trace_code", "unconfirmed", "seen_at", "updated_at"]
    charge.save(update_fields=[*fields, *coin_values.FIELDS])


def _show_deposit(order: Order, charge: Charge, now: datetime) -> None:
    if order.status == Status.WAITING_TRANSFER and charge.status in Charge.OPEN:
        states.move(
            order,
            Status.PROCESSING,
            now=now,
            actor=charge.provider,
            reason=MoveReason(ReasonCode.NOT_FINAL),
        )


def _fail(order: Order, charge: Charge, update: ports.ChargeUpdate, now: datetime) -> None:
    """The rail refused. The order fails with its last open charge (docs/gaps.md, Orders)."""
    if charge.status not in Charge.OPEN:
        _record_reversal(order, charge, update, now)
        return
    was_shown = charge.status != Charge.Status.STARTING
    end_unpaid(charge, Charge.Status.FAILED, update.reason, now)
    if order.is_final or order.status == Status.PENDING or not was_shown:
        return  # the payer never saw this charge
    if Charge.objects.holding(order).exists():
        return  # another charge is at a bank, or a coin is on its way
    if order.charges.filter(Q(status=Charge.Status.RECEIVED) | Q(credited__gt=0)).exists():
        _wait_for_the_rest(order, charge, now)
        return
    states.move(
        order,
        Status.FAILED,
        now=now,
        actor=charge.provider,
        reason=update.reason or MoveReason(ReasonCode.REFUSED),
        expire_check_at=None,
    )
    unmatched_funds.release_partial(order=order, now=now)
    order_events.publish("payment.failed", order=order, now=now)


def _record_reversal(
    order: Order, charge: Charge, update: ports.ChargeUpdate, now: datetime
) -> None:
    """A success that was not final is reversed: its money will not come."""
    was_credited = charge.status == Charge.Status.SUCCEEDED and charge.credited > 0
    is_news = charge.seen_at is None or update.occurred_at > charge.seen_at
    if was_credited and is_news and order.confirmed_at is None:
        dispute_updates.open_reversal(order=order, charge=charge, update=update, now=now)


def _wait_for_the_rest(order: Order, charge: Charge, now: datetime) -> None:
    if order.status == Status.PROCESSING:
        states.move(
            order,
            Status.WAITING_TRANSFER,
            now=now,
            actor=charge.provider,
            reason=MoveReason(ReasonCode.REFUSED_AFTER_PART),
        )


def _abandon(charge: Charge, update: ports.ChargeUpdate, now: datetime) -> None:
    """The charge ended without money; the payer may choose again."""
    if charge.status in Charge.OPEN:
        end_unpaid(charge, Charge.Status.ABANDONED, update.reason, now)
