"""Money that a provider has received, and where it goes. What coins are worth: coin_values.py.

It settles the order, waits for the rest in suspense, or belongs to nobody (unmatched_funds.py). The
callers hold the locks of the order and the charge.
"""

from datetime import datetime
from decimal import Decimal
from typing import Any

import structlog

from payments.collect.models import Charge, Order, UnmatchedFunds
from payments.collect.services.funds import coin_values, confirmation, unmatched_funds
from payments.collect.services.orders import lookup, order_events
from payments.core import money, states
from payments.ledger import recipes
from payments.providers import ports

log = structlog.get_logger(__name__)
Status = Order.Status
Reason = UnmatchedFunds.Reason


def receive(order: Order, charge: Charge, update: ports.ChargeUpdate, now: datetime) -> None:
    """Books what arrived for this charge since the last time."""
    arrived = update.received - charge.received
    if order.is_final:
        reason = Reason.SECOND_SUCCESS if order.status == Status.COMPLETED else Reason.LATE
        _set_aside(order, charge, update, arrived, reason, now)
        confirmation.record(order, charge, update, now)
        return
    value = coin_values.value_of(order, charge, update.received, now)
    if value.unpriced:
        # The money is a fact, whether or not we know its price today.
        log.error("charge.without_rate", charge=charge.pk, currency=charge.currency)
        if value.worth == 0:
            _set_aside(order, charge, update, arrived, Reason.RATE, now)
            return
        _queue(order, charge, update, value.unpriced, Reason.RATE, now)
    if value.worth == 0:
        return  # less than the smallest unit of the order: counted with what comes next
    before = lookup.credited_so_far(order)
    charge.credited, charge.worth = charge.credited + value.worth, value.total
    shares: dict[str, Any] = {"arrived": value.priced, "worth": value.worth, "now": now}
    if before + value.worth >= order.amount:
        _settle(order, charge, update, before=before, **shares)
    else:
        _keep_part(order, charge, update, **shares)


def apply(
    order: Order, charge: Charge, update: ports.ChargeUpdate, *, actor: str, now: datetime
) -> None:
    """Takes money for the order that lies in suspense already, as if it had arrived now.

    `charge` stands for it. The order settles, or goes on waiting for the rest.
    """
    before, charge.credited = lookup.credited_so_far(order), update.received
    shares: dict[str, Any] = {
        "arrived": Decimal(0),
        "worth": update.received,
        "applied_by": actor,
        "now": now,
    }
    if before + update.received >= order.amount:
        _settle(order, charge, update, before=before, **shares)
    else:
        _keep_part(order, charge, update, **shares)


def park_other_currency(
    order: Order, charge: Charge, update: ports.ChargeUpdate, now: datetime
) -> None:
    """Money in a currency that nobody asked for is booked as it is, and an operator decides."""
    parked = charge.unmatched_funds.filter(currency=update.currency, reason=Reason.CURRENCY)
    arrived = update.received - sum(parked.values_list("amount", flat=True), Decimal(0))
    if arrived > 0:
        unmatched_funds.receive(
            order=order,
            charge=charge,
            amount=arrived,
            currency=update.currency,
            reason=Reason.CURRENCY,
            trace_code=update.trace_code,
            now=now,
        )


def _set_aside(
    order: Order,
    charge: Charge,
    update: ports.ChargeUpdate,
    arrived: Decimal,
    reason: UnmatchedFunds.Reason,
    now: datetime,
) -> None:
    _record(charge, update, now)
    _queue(order, charge, update, arrived, reason, now)


def _queue(
    order: Order,
    charge: Charge,
    update: ports.ChargeUpdate,
    amount: Decimal,
    reason: UnmatchedFunds.Reason,
    now: datetime,
) -> None:
    unmatched_funds.receive(
        order=order,
        charge=charge,
        amount=amount,
        currency=charge.currency,
        reason=reason,
        trace_code=update.trace_code,
        now=now,
    )


def _settle(
    order: Order,
    charge: Charge,
    update: ports.ChargeUpdate,
    *,
    arrived: Decimal,
    worth: Decimal,
    before: Decimal,
    applied_by: str | None = None,
    now: datetime,
) -> None:
    _record(charge, update, now, is_whole=True)
    states.move(
        order,
        Status.COMPLETED,
        now=now,
        actor=applied_by or charge.provider,
        reason=update.reason if applied_by else f"{charge.method} confirmed the whole amount",
        paid_at=now,
        selected_method=charge.method,
        settled_by=charge,
        expire_check_at=None,
    )
    excess = before + worth - order.amount
    if excess > 0:
        unmatched_funds.queue(
            order=order,
            charge=charge,
            amount=excess,
            currency=order.currency,
            reason=Reason.EXCESS,
            trace_code=update.trace_code,
            now=now,
        )
    order_events.publish_completed(order=order, now=now)
    confirmation.record(order, charge, update, now)
    # Balances last: their rows are shared by all orders of the merchant.
    recipes.collect_settled(
        merchant_id=order.merchant_id,
        order_id=order.pk,
        charge_id=charge.pk,
        rail=charge.method,
        currency=money.balance_currency(order.currency),
        base=order.amount if order.base_amount is None else order.base_amount,
        fee=order.fee_amount or Decimal(0),
        received_now=Decimal(0) if applied_by else worth,
        received_before=before + worth if applied_by else before,
        excess=excess,
        conversion=_conversion(order, charge, arrived, worth),
        now=now,
    )


def _keep_part(
    order: Order,
    charge: Charge,
    update: ports.ChargeUpdate,
    *,
    arrived: Decimal,
    worth: Decimal,
    applied_by: str | None = None,
    now: datetime,
) -> None:
    """Less than the whole amount: the order waits for the rest (docs/gaps.md, Orders)."""
    _record(charge, update, now)
    # A payer at the bank, or a coin on its way, keeps the order PROCESSING.
    if order.status != Status.WAITING_TRANSFER and not Charge.objects.holding(order).exists():
        states.move(
            order,
            Status.WAITING_TRANSFER,
            now=now,
            actor=applied_by or charge.provider,
            reason="a part of the amount arrived",
            selected_method=charge.method,
        )
    if applied_by:
        return  # in suspense already
    recipes.deposit_received(
        merchant_id=order.merchant_id,
        order_id=order.pk,
        charge_id=charge.pk,
        rail=charge.method,
        currency=money.balance_currency(order.currency),
        amount=worth,
        conversion=_conversion(order, charge, arrived, worth),
        idempotency_key=f"{charge.pk}:{money.text(charge.received)}",
        now=now,
    )


def _record(
    charge: Charge, update: ports.ChargeUpdate, now: datetime, *, is_whole: bool = False
) -> None:
    """Saves what arrived. The whole amount is SUCCEEDED; a part is RECEIVED, and asked about on."""
    charge.received = update.received
    is_whole = is_whole or charge.received >= charge.amount
    status = Charge.Status.SUCCEEDED if is_whole else Charge.Status.RECEIVED
    changes: dict[str, Any] = {
        name: getattr(charge, name) for name in ("received", "credited", "worth")
    }
    if is_whole:
        changes |= {"unconfirmed": Decimal(0), "reconcile_at": None}
    elif charge.reconcile_at is None:
        changes["reconcile_at"] = now
    if charge.status == status or charge.status == Charge.Status.SUCCEEDED:
        for name, value in changes.items():
            setattr(charge, name, value)
        charge.save(update_fields=[*changes, "updated_at"])
        return
    states.move(charge, status, now=now, actor=charge.provider, reason=update.reason, **changes)


def _conversion(
    order: Order, charge: Charge, arrived: Decimal, worth: Decimal
) -> recipes.Conversion | None:
    """The coins that came, at the rate that they were taken for: some perhaps at the quote, and
    some at their price.
    """
    if charge.currency == order.currency:
        return None
    return recipes.Conversion(currency=charge.currency, amount=arrived, rate=worth / arrived)
