"""What a provider says about a charge, and what it does to the order and the books.

A provider may say the same thing twice, late, or out of order. `received` is the total it has
received so far, so whatever comes, only the difference is new money.
"""

from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any

import structlog
from django.conf import settings
from django.db import transaction

from merchants.models import Method
from payments.collect.models import Charge, Order, UnmatchedFunds
from payments.collect.services import events, unmatched
from payments.collect.services.orders import lock_order
from payments.core import money, states
from payments.core.errors import NotFound, ServiceError
from payments.core.ids import is_id
from payments.ledger import recipes
from payments.providers import ports
from payments.rates import services as rates

log = structlog.get_logger(__name__)
Status = Order.Status
Reason = UnmatchedFunds.Reason


class UnknownCharge(NotFound):
    """404 to the provider: no charge of ours has this reference."""

    message = "There is no charge with this reference."


class CurrencyMismatch(ServiceError):
    """400 to the provider: the charge is in another currency, and this one is not on our books."""

    code = "CURRENCY_MISMATCH"
    message = "The charge is in another currency."


@transaction.atomic
def apply_charge_update(*, provider: str, update: ports.ChargeUpdate, now: datetime) -> Charge:
    """Brings charge, order and books to what the provider says. Repeats change nothing.

    Locks the order first, then the charge, the balances last. Raises UnknownCharge and
    CurrencyMismatch.
    """
    if not is_id(update.reference, "chg"):
        raise UnknownCharge
    known = Charge.objects.filter(pk=update.reference, provider=provider)
    order_id = known.values_list("order_id", flat=True).first()
    if order_id is None:
        raise UnknownCharge
    order = lock_order(order_id)
    charge = Charge.objects.select_for_update().get(pk=update.reference)
    if update.received:
        update = _bookable(update)
    if update.currency != charge.currency:
        if update.received > 0:
            _park_other_currency(order, charge, update, now)
        return charge
    if update.trace_code and not charge.trace_code:
        charge.trace_code = update.trace_code
        charge.save(update_fields=["trace_code", "updated_at"])
    if update.received > charge.received:
        _receive(order, charge, update, now)
    elif update.unconfirmed > 0:
        _show_seen(order, charge, now)
    elif update.status == ports.ChargeStatus.FAILED:
        _refuse(order, charge, update, now)
    elif update.status == ports.ChargeStatus.ABANDONED:
        _abandon(order, charge, update, now)
    return charge


def _bookable(update: ports.ChargeUpdate) -> ports.ChargeUpdate:
    if update.currency not in settings.CURRENCIES:
        raise CurrencyMismatch
    return replace(update, received=money.truncate(update.received, update.currency))


def _receive(order: Order, charge: Charge, update: ports.ChargeUpdate, now: datetime) -> None:
    """New money of this charge: settles the order, waits for the rest, or belongs to nobody."""
    arrived = update.received - charge.received
    charge.received = update.received
    if order.is_final:
        reason = Reason.SECOND_SUCCESS if order.status == Status.COMPLETED else Reason.LATE
        _finish(charge, update, now)
        unmatched.receive(
            order=order,
            charge=charge,
            amount=arrived,
            currency=charge.currency,
            reason=reason,
            now=now,
        )
        return
    before = unmatched.credited_so_far(order)
    worth = _worth(order, charge, arrived, update.occurred_at, now)
    charge.credited += worth
    if before + worth >= order.amount:
        _settle(order, charge, update, arrived=arrived, worth=worth, before=before, now=now)
    else:
        _keep_part(order, charge, update, arrived=arrived, worth=worth, now=now)


def _settle(
    order: Order,
    charge: Charge,
    update: ports.ChargeUpdate,
    *,
    arrived: Decimal,
    worth: Decimal,
    before: Decimal,
    now: datetime,
) -> None:
    _finish(charge, update, now)
    states.move(
        order,
        Status.COMPLETED,
        now=now,
        actor=charge.provider,
        reason=f"{charge.method} confirmed the whole amount",
        paid_at=now,
        selected_method=charge.method,
        expire_check_at=None,
    )
    excess = before + worth - order.amount
    if excess > 0:
        unmatched.queue(
            order=order,
            charge=charge,
            amount=excess,
            currency=order.currency,
            reason=Reason.EXCESS,
            now=now,
        )
    events.publish_completed(order=order, now=now)
    # Balances last: their rows are shared by all orders of the merchant.
    recipes.collect_settled(
        merchant_id=order.merchant_id,
        order_id=order.pk,
        charge_id=charge.pk,
        rail=charge.method,
        currency=money.balance_currency(order.currency),
        base=order.amount if order.base_amount is None else order.base_amount,
        fee=order.fee_amount or Decimal(0),
        received_now=worth,
        received_before=before,
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
    now: datetime,
) -> None:
    """Less than the whole amount: the order waits for the rest (docs/gaps.md, Orders)."""
    target = Charge.Status.SUCCEEDED if charge.received >= charge.amount else Charge.Status.RECEIVED
    _finish(charge, update, now, status=target)
    if order.status != Status.WAITING_TRANSFER:
        states.move(
            order,
            Status.WAITING_TRANSFER,
            now=now,
            actor=charge.provider,
            reason="a part of the amount arrived",
        )
    recipes.deposit_received(
        merchant_id=order.merchant_id,
        order_id=order.pk,
        charge_id=charge.pk,
        rail=charge.method,
        currency=money.balance_currency(order.currency),
        amount=worth,
        conversion=_conversion(order, charge, arrived, worth),
        dedupe=f"{charge.pk}:{money.text(charge.received)}",
        now=now,
    )


def _finish(
    charge: Charge, update: ports.ChargeUpdate, now: datetime, status: str = Charge.Status.SUCCEEDED
) -> None:
    changes: dict[str, Any] = {"received": charge.received, "credited": charge.credited}
    if status == Charge.Status.SUCCEEDED:
        changes["reconcile_at"] = None
    if charge.status == status:
        for name, value in changes.items():
            setattr(charge, name, value)
        charge.save(update_fields=[*changes, "updated_at"])
        return
    states.move(charge, status, now=now, actor=charge.provider, reason=update.reason, **changes)


def _worth(
    order: Order, charge: Charge, arrived: Decimal, occurred_at: datetime, now: datetime
) -> Decimal:
    """What the money that just arrived is worth in the order's currency.

    A coin keeps its quoted rate if it was paid within the quote's lifetime; later it is worth
    what it is worth when it arrives. Rounded down, except that the whole quote is the whole amount.
    """
    if charge.currency == order.currency:
        return arrived
    if charge.quote_expires_at is None or occurred_at <= charge.quote_expires_at:
        if charge.received == charge.amount:
            return charge.covers - charge.credited
        return money.quantize_down(charge.covers * arrived / charge.amount, order.currency)
    return rates.value(
        amount=arrived, currency=charge.currency, in_currency=order.currency, now=now
    )


def _conversion(
    order: Order, charge: Charge, arrived: Decimal, worth: Decimal
) -> recipes.Conversion | None:
    """The coins that came, at the rate that they were taken for."""
    if charge.currency == order.currency:
        return None
    return recipes.Conversion(currency=charge.currency, amount=arrived, rate=worth / arrived)


def _show_seen(order: Order, charge: Charge, now: datetime) -> None:
    """A deposit was seen and is not final yet."""
    if order.status == Status.WAITING_TRANSFER and charge.status in Charge.OPEN:
        states.move(
            order,
            Status.PROCESSING,
            now=now,
            actor=charge.provider,
            reason="the deposit was seen and is not final yet",
        )


def _refuse(order: Order, charge: Charge, update: ports.ChargeUpdate, now: datetime) -> None:
    if charge.status not in Charge.OPEN:
        return
    end_unpaid(charge, Charge.Status.FAILED, update.reason, now)
    if order.is_final or _another_at_bank(order):
        return
    if order.status == Status.PENDING:
        return  # the payer was never shown this try
    states.move(
        order,
        Status.FAILED,
        now=now,
        actor=charge.provider,
        reason=update.reason or "the rail refused",
        expire_check_at=None,
    )
    unmatched.release_partial(order=order, now=now)
    events.publish_failed(order=order, now=now)


def _abandon(order: Order, charge: Charge, update: ports.ChargeUpdate, now: datetime) -> None:
    """The try is dead without money; the order stays as it is and the payer may choose again."""
    if charge.status in Charge.OPEN:
        end_unpaid(charge, Charge.Status.ABANDONED, update.reason, now)


def end_unpaid(charge: Charge, status: str, reason: str, now: datetime) -> None:
    """Moves a locked charge to an end without money."""
    states.move(
        charge,
        status,
        now=now,
        actor=charge.provider,
        reason=reason,
        failure_reason=reason[:300],
        reconcile_at=None,
    )


def _another_at_bank(order: Order) -> bool:
    """A payer at the bank is never cut off by an older try that the bank refused."""
    return order.charges.filter(status__in=Charge.OPEN, method=Method.PSE).exists()


def _park_other_currency(
    order: Order, charge: Charge, update: ports.ChargeUpdate, now: datetime
) -> None:
    """Money in a currency that nobody asked for is booked as it is, and an operator decides."""
    parked = charge.unmatched_funds.filter(currency=update.currency, reason=Reason.CURRENCY)
    arrived = update.received - sum(parked.values_list("amount", flat=True), Decimal(0))
    if arrived > 0:
        unmatched.receive(
            order=order,
            charge=charge,
            amount=arrived,
            currency=update.currency,
            reason=Reason.CURRENCY,
            now=now,
        )
