"""The call that starts a charge at its provider, and what is recorded of it.

Idempotent: the charge's id is the provider's idempotency key, so a doubtful call is repeated: by
the payer who clicks once more, or by reconciliation.
"""

from datetime import datetime, timedelta
from typing import Any

import structlog
from django.conf import settings
from django.db import transaction

from payments.collect.models import Charge, Order
from payments.collect.services.charges import charge_updates
from payments.collect.services.errors import ChargeRefused, ProviderUnavailable
from payments.collect.services.orders.lookup import lock_order
from payments.core import states
from payments.core.reasons import MoveReason, ReasonCode
from payments.providers import ports, registry

log = structlog.get_logger(__name__)
PAYER = "payer"
Status = Order.Status


def start_at_provider(*, charge: Charge, now: datetime, is_first: bool) -> Charge:
    """Starts the committed charge at its provider and records the result.

    Never inside a transaction. Raises ChargeRefused and ProviderUnavailable; after a doubtful
    answer the charge stays STARTING.
    """
    try:
        started = registry.PAYIN.get(charge.provider).start(_request(charge))
    except ports.ProviderRefused as error:
        _record_not_started(charge, Charge.Status.FAILED, error.reason, now)
        raise ChargeRefused from error
    except ports.ProviderUnreachable as error:
        if is_first:  # else an earlier call may have arrived
            reason = MoveReason(ReasonCode.NOT_REACHED)
            _record_not_started(charge, Charge.Status.ABANDONED, reason, now)
        raise ProviderUnavailable from error
    except ports.ProviderTimeout as error:
        log.warning("charge.start_doubtful", charge=charge.pk)
        raise ProviderUnavailable from error
    return _record_started(charge, started, now)


def _request(charge: Charge) -> ports.ChargeRequest:
    order = charge.order
    return ports.ChargeRequest(
        reference=charge.pk,
        method=ports.Rail(charge.method),
        amount=charge.amount,
        currency=charge.currency,
        description=order.description or order.reference,
        payer=ports.Payer(**charge.payer),
        direct_method=charge.direct_method,
        fields=charge.fields,
        return_url=charge.return_url,
        callback_url=f"{settings.PUBLIC_URL}/callbacks/payin/{charge.provider}",
        expires_at=charge.quote_expires_at or order.expires_at,
        merchant_name=order.merchant.name,
    )


@transaction.atomic
def _record_started(charge: Charge, started: ports.ChargeStarted, now: datetime) -> Charge:
    order = lock_order(charge.order_id)
    charge = Charge.objects.select_for_update().get(pk=charge.pk)
    if charge.is_answered:
        return charge  # another call was faster
    result: dict[str, Any] = {
        "provider_id": started.provider_id,
        "flow": started.flow.value,
        "redirect_url": started.redirect_url or "",
        "key_value": started.key_value or "",
        "instructions": dict(started.instructions),
        "expires_at": started.expires_at,
    }
    if charge.status == Charge.Status.STARTING:
        result["reconcile_at"] = now + timedelta(seconds=settings.CHARGE_RECONCILE_DELAYS[0])
        states.move(charge, Charge.Status.PENDING, now=now, actor=PAYER, **result)
        _show_progress(order, charge, now)
    else:  # its callback was faster
        for name, value in result.items():
            setattr(charge, name, value)
        charge.save(update_fields=[*result, "updated_at"])
    return charge


def _show_progress(order: Order, charge: Charge, now: datetime) -> None:
    """A debit puts the order in PROCESSING, all else in WAITING_TRANSFER (docs/gaps.md, Orders)."""
    if order.is_final:
        return  # it ended while the provider answered; late money goes to unmatched funds
    target = Status.PROCESSING if charge.is_debit else Status.WAITING_TRANSFER
    reason = MoveReason(ReasonCode.STARTED, charge.direct_method or charge.method)
    others = Charge.objects.holding(order).exclude(pk=charge.pk)
    if order.status == Status.PROCESSING and target != order.status and others.exists():
        return
    if order.status != target:
        states.move(
            order, target, now=now, actor=PAYER, reason=reason, selected_method=charge.method
        )
    elif order.selected_method != charge.method:
        order.selected_method = charge.method
        order.save(update_fields=["selected_method", "updated_at"])


@transaction.atomic
def _record_not_started(charge: Charge, status: str, reason: str, now: datetime) -> None:
    lock_order(charge.order_id)
    charge = Charge.objects.select_for_update().get(pk=charge.pk)
    if charge.status != Charge.Status.STARTING:
        return  # another call was faster, and arrived
    charge_updates.end_unpaid(charge, status, reason, now)
