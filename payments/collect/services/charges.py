"""A try to pay an order is started at a provider. What comes of it is in outcomes.py.

Three steps: commit the intent, call, commit the answer. Only the middle one touches the network.
"""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import structlog
from django.conf import settings
from django.db import transaction

from merchants.models import Method
from payments.collect.models import Charge, Order
from payments.collect.services.errors import (
    ChargeRefused,
    MethodNotAvailable,
    OrderNotPayable,
    ProviderUnavailable,
)
from payments.collect.services.orders import lock_order
from payments.collect.services.unmatched import credited_so_far
from payments.core import states
from payments.providers import ports, registry
from payments.rates import services as rates

log = structlog.get_logger(__name__)
PAYER = "payer"
Status = Order.Status


def start_charge(
    *,
    order: Order,
    method: str,
    payer: ports.Payer,
    fields: Mapping[str, str],
    return_url: str,
    now: datetime,
) -> Charge:
    """Starts a payment at the provider and shows the payer where to go.

    The same choice again while a try is open answers that try: a double click pays once.
    Raises OrderNotPayable, MethodNotAvailable, ChargeRefused, ProviderUnavailable.
    """
    _refuse_second_payer(order, method, now)
    charge, is_new = _commit_intent(order.pk, method, payer, fields, now)
    if not is_new:
        return charge
    request = _charge_request(order, charge, payer, return_url)
    try:
        started = registry.payin_by_code(charge.provider).start(request)
    except ports.ProviderRefused as error:
        _record_dead(charge, Charge.Status.FAILED, str(error), now)
        raise ChargeRefused from error
    except ports.ProviderUnavailable as error:
        _record_dead(charge, Charge.Status.ABANDONED, "the provider was not reached", now)
        raise ProviderUnavailable from error
    except ports.ProviderTimeout as error:
        # Doubtful: it may exist over there. The row stays STARTING until reconcile has asked.
        log.warning("charge.start_doubtful", charge=charge.pk)
        raise ProviderUnavailable from error
    return _record_started(charge, started, now)


def open_charge(order: Order) -> Charge | None:
    """The newest try that can still turn into money, or None."""
    charges = order.charges.filter(status__in=Charge.OPEN)
    return charges.order_by("-created_at", "-id").first()


def missing_amount(order: Order) -> Decimal:
    """What still has to arrive, in the order's currency."""
    return max(order.amount - credited_so_far(order), Decimal(0))


def payer_of(order: Order) -> ports.Payer:
    """The customer that the merchant named, who usually is who pays."""
    return ports.Payer(
        name=order.customer_name,
        email=order.customer_email,
        phone="",
        document_type=order.customer_doc_type,
        document_number=order.customer_document,
    )


@transaction.atomic
def _commit_intent(
    order_id: str, method: str, payer: ports.Payer, fields: Mapping[str, str], now: datetime
) -> tuple[Charge, bool]:
    order = lock_order(order_id)
    _check_payable(order, method, now)
    known = _same_choice(order, method, fields, now)
    if known is not None:
        return known, False
    missing = missing_amount(order)
    charge = Charge(
        order=order,
        method=method,
        provider=settings.PAYIN_PROVIDER,
        currency=order.currency,
        amount=missing,
        covers=missing,
        payer=asdict(payer),
        fields=dict(fields),
        created_at=now,
        reconcile_at=now + timedelta(seconds=settings.CHARGE_RECONCILE_DELAYS[0]),
    )
    if method == Method.CRYPTO:
        _quote(charge, order, fields["coin"], now)
    charge.save(force_insert=True)
    return charge, True


def _check_payable(order: Order, method: str, now: datetime) -> None:
    if order.is_final or order.expires_at <= now:
        raise OrderNotPayable
    if method not in order.allowed_methods:
        raise MethodNotAvailable
    if order.status == Status.PROCESSING and method != Method.PSE and _payer_at_bank(order):
        raise OrderNotPayable("A payment of this order is being authorised.")


def _payer_at_bank(order: Order) -> Charge | None:
    charges = order.charges.filter(status__in=Charge.OPEN, method=Method.PSE)
    return charges.order_by("-created_at").first()


def _refuse_second_payer(order: Order, method: str, now: datetime) -> None:
    """Before a transfer takes the place of a bank debit, the rail is asked whether that is dead."""
    from payments.collect.services import outcomes  # outcomes moves what this module starts

    if order.status != Status.PROCESSING or method == Method.PSE:
        return
    if (charge := _payer_at_bank(order)) is not None:
        outcomes.ask_provider(charge=charge, now=now)


def _same_choice(
    order: Order, method: str, fields: Mapping[str, str], now: datetime
) -> Charge | None:
    charge = open_charge(order)
    if charge is None or charge.method != method or charge.fields != dict(fields):
        return None
    limits = [charge.expires_at, charge.quote_expires_at]
    if any(limit is not None and limit <= now for limit in limits):
        return None
    return charge


def _quote(charge: Charge, order: Order, coin: str, now: datetime) -> None:
    if coin == order.currency:
        return
    quote = rates.quote(amount=charge.covers, currency=order.currency, pay_with=coin, now=now)
    charge.currency, charge.amount = coin, quote.amount_in
    charge.quote_id, charge.quote_expires_at = quote.pk, quote.expires_at


def _charge_request(
    order: Order, charge: Charge, payer: ports.Payer, return_url: str
) -> ports.ChargeRequest:
    return ports.ChargeRequest(
        reference=charge.pk,
        method=ports.Rail(charge.method),
        amount=charge.amount,
        currency=charge.currency,
        description=order.description or order.reference,
        payer=payer,
        fields=charge.fields,
        return_url=return_url,
        callback_url=f"{settings.PUBLIC_URL}/callbacks/payin/{charge.provider}",
        expires_at=charge.quote_expires_at or order.expires_at,
        merchant_name=order.merchant.name,
    )


@transaction.atomic
def _record_started(charge: Charge, started: ports.ChargeStarted, now: datetime) -> Charge:
    order = lock_order(charge.order_id)
    charge = Charge.objects.select_for_update().get(pk=charge.pk)
    if charge.status != Charge.Status.STARTING:
        return charge  # its callback was faster than the provider's answer
    answer: dict[str, Any] = {
        "provider_id": started.provider_id,
        "redirect_url": started.redirect_url or "",
        "instructions": dict(started.instructions or {}),
        "expires_at": started.expires_at,
    }
    states.move(charge, Charge.Status.PENDING, now=now, actor=PAYER, **answer)
    _show_progress(order, charge, now)
    return charge


def _show_progress(order: Order, charge: Charge, now: datetime) -> None:
    """PSE puts the order in PROCESSING, instructions in WAITING_TRANSFER (docs/gaps.md, Orders)."""
    if order.is_final:
        return  # it ended while the provider answered; late money goes to unmatched funds
    target = Status.PROCESSING if charge.method == Method.PSE else Status.WAITING_TRANSFER
    reason = f"{charge.method} was started"
    if order.status != target:
        states.move(
            order, target, now=now, actor=PAYER, reason=reason, selected_method=charge.method
        )
    elif order.selected_method != charge.method:
        order.selected_method = charge.method
        order.save(update_fields=["selected_method", "updated_at"])


@transaction.atomic
def _record_dead(charge: Charge, status: str, reason: str, now: datetime) -> None:
    lock_order(charge.order_id)
    states.move(
        charge,
        status,
        now=now,
        actor=charge.provider,
        reason=reason,
        failure_reason=reason[:300],
        reconcile_at=None,
    )
