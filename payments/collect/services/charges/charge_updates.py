"""Applies a provider's report about a charge to the charge and its order.

An update may come twice, late, or out of order. `received` is the total so far, so only the
difference is new money (incoming_funds.py).
"""

from dataclasses import replace
from datetime import datetime
from decimal import Decimal

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Q

from payments.collect.models import Charge, Flow, Order
from payments.collect.services.disputes import dispute_updates
from payments.collect.services.errors import CurrencyMismatch, ProviderUnavailable, UnknownCharge
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
from payments.core.text import storable
from payments.providers import ports
from payments.rails.services import health
from payments.rails.services.provider_fees import set_fee

log = structlog.get_logger(__name__)
Status = Order.Status


@transaction.atomic
def apply_charge_update(*, provider: str, update: ports.ChargeUpdate, now: datetime) -> Charge:
    """Updates charge, order and ledger with the provider's report. Repeats change nothing.

    Locks the order first, then the charge, the balances last. Raises UnknownCharge and
    CurrencyMismatch.
    """
    order = lock_order(_find_order_id(update.reference))
    charge = Charge.objects.select_for_update().get(pk=update.reference)
    charge.order = order
    update = _clean(update)
    if charge.provider != provider:
        _receive_at_another_account(charge, provider, update, now)
        return charge
    if update.needs_known_id and charge.provider_id != update.provider_id:
        log.warning("charge.event_unproved", charge=charge.pk, theirs=update.provider_id)
        return _query_soon(charge, now)
    if update.currency != charge.currency:
        if update.received > 0:
            incoming_funds.receive_other_currency(charge, update, now)
        return charge
    _record_details(charge, update)
    if update.received > charge.received:
        incoming_funds.receive(order, charge, update, now)
        if update.needs_known_id and not charge.trace_code:
            _query_soon(charge, now)  # A short event lacks the CUS, which the receipt shows.
    elif update.status == ports.ChargeStatus.FAILED:
        _fail(order, charge, update, now)
    elif update.status == ports.ChargeStatus.ABANDONED:
        _abandon(charge, update, now)
    else:
        confirmation.record(order, charge, update, now)
    if charge.unconfirmed > 0:
        _show_deposit(order, charge, now)
    return charge


@transaction.atomic
def apply_hint(*, provider: str, hint: ports.Hint, now: datetime) -> Charge:
    """Queries the charge in the background at once, because the rail has news of it.

    Raises UnknownCharge.
    """
    found = Charge.objects.filter(provider=provider)
    if hint.reference:
        found = found.filter(pk=hint.reference) if is_id(hint.reference, "chg") else found.none()
    else:
        found = found.filter(provider_id=hint.provider_id).exclude(provider_id="")
    charge = found.select_for_update(no_key=True).first()
    if charge is None:
        raise UnknownCharge
    return _query_soon(charge, now)


def _query_soon(charge: Charge, now: datetime) -> Charge:
    charge.reconcile_at = now
    charge.save(update_fields=["reconcile_at", "updated_at"])
    return charge


def end_unpaid(charge: Charge, status: str, reason: str, now: datetime) -> None:
    ended = {"failure_reason": reason[:300], "unconfirmed": Decimal(0), "reconcile_at": None}
    states.move(charge, status, now=now, actor=charge.provider, reason=reason, **ended)


def _receive_at_another_account(
    charge: Charge, provider: str, update: ports.ChargeUpdate, now: datetime
) -> None:
    """Money of our reference is never ignored: it waits for an operator.

    Raises UnknownCharge without money, and ProviderUnavailable for a message that proves no
    reference: the charge moved after messages.apply_message queried.
    """
    if update.needs_known_id:
        raise ProviderUnavailable
    if update.received <= 0:
        raise UnknownCharge
    log.error(
        "charge.paid_at_another_account", charge=charge.pk, paid=provider, account=charge.provider
    )
    health.count_callback(provider, health.ELSEWHERE)
    incoming_funds.receive_at_another_account(charge, update, provider, now)


def _find_order_id(reference: str) -> str:
    if not is_id(reference, "chg"):
        raise UnknownCharge
    known = Charge.objects.filter(pk=reference)
    if (order_id := known.values_list("order_id", flat=True).first()) is None:
        raise UnknownCharge
    return order_id


def _clean(update: ports.ChargeUpdate) -> ports.ChargeUpdate:
    """Cuts values to the size of our columns.

    An odd value must not prevent the posting of money.
    """
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
        provider_id=storable(update.provider_id, 100),
        trace_code=storable(update.trace_code, 100),
        last_trace_code=storable(update.last_trace_code, 100),
        reason=storable(update.reason, 300),
    )


def _record_details(charge: Charge, update: ports.ChargeUpdate) -> None:
    """Saves the provider's ids, the trace code, and money that is not final yet."""
    if charge.provider_id and update.provider_id not in ("", charge.provider_id):
        log.error("charge.provider_id_differs", charge=charge.pk, theirs=update.provider_id)
    charge.provider_id = charge.provider_id or update.provider_id
    charge.trace_code = _trace_code(charge, update)
    coin_values.record_seen(charge, update)
    is_open = charge.status in Charge.OPEN
    charge.unconfirmed = update.unconfirmed if is_open else Decimal(0)
    if charge.seen_at is None and (update.unconfirmed > 0 or update.received > 0):
        charge.seen_at = update.occurred_at
    fields = ["provider_id", "trace_code", "unconfirmed", "seen_at", "updated_at"]
    if update.redirect_url and not charge.redirect_url and charge.flow == Flow.REDIRECT:
        charge.redirect_url = storable(update.redirect_url, 2000)
        fields.append("redirect_url")
    if charge.is_code_missing and (update.qr_text or update.qr_image):
        charge.qr_text, charge.qr_image = storable(update.qr_text, 1000), update.qr_image
        fields += ["qr_text", "qr_image"]
    fields += set_fee(charge, update)
    charge.save(update_fields=[*fields, *coin_values.FIELDS])


def _trace_code(charge: Charge, update: ports.ChargeUpdate) -> str:
    """The first one, unless the rail replaces it by an update that is no older than the money."""
    if update.replaces_trace_code and update.received >= charge.received:
        return update.trace_code
    return charge.trace_code or update.trace_code


def _show_deposit(order: Order, charge: Charge, now: datetime) -> None:
    if order.status == Status.WAITING_TRANSFER and charge.status in Charge.OPEN:
        reason = MoveReason(ReasonCode.NOT_FINAL)
        states.move(order, Status.PROCESSING, now=now, actor=charge.provider, reason=reason)


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
        return  # another charge is at a bank, or the network has seen a coin
    if order.charges.filter(Q(status=Charge.Status.RECEIVED) | Q(credited__gt=0)).exists():
        _wait_for_the_rest(order, charge, now)
        return
    reason = update.reason or MoveReason(ReasonCode.REFUSED)
    states.move(
        order, Status.FAILED, now=now, actor=charge.provider, reason=reason, expire_check_at=None
    )
    unmatched_funds.release_partial(order=order, now=now)
    order_events.publish_failed(order=order, charge=charge, now=now)


def _record_reversal(
    order: Order, charge: Charge, update: ports.ChargeUpdate, now: datetime
) -> None:
    """Records that the rail reversed a success that was not final. Its money will not come."""
    was_credited = charge.status == Charge.Status.SUCCEEDED and charge.credited > 0
    is_news = charge.seen_at is None or update.occurred_at > charge.seen_at
    if was_credited and is_news and order.confirmed_at is None:
        dispute_updates.open_reversal(order=order, charge=charge, update=update, now=now)


def _wait_for_the_rest(order: Order, charge: Charge, now: datetime) -> None:
    if order.status == Status.PROCESSING:
        reason = MoveReason(ReasonCode.REFUSED_AFTER_PART)
        states.move(order, Status.WAITING_TRANSFER, now=now, actor=charge.provider, reason=reason)


def _abandon(charge: Charge, update: ports.ChargeUpdate, now: datetime) -> None:
    if charge.status in Charge.OPEN:
        end_unpaid(charge, Charge.Status.ABANDONED, update.reason, now)
