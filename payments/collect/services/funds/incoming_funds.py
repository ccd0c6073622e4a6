"""Posts money that a provider has received.

It settles the order, waits in suspense for the rest, or is unmatched (unmatched_funds.py).
coin_values.py values coins. The callers hold the locks of the order and the charge.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

import structlog

from payments.collect.models import Charge, Order, UnmatchedFunds
from payments.collect.services.funds import (
    coin_values,
    confirmation,
    payer_documents,
    unmatched_funds,
)
from payments.collect.services.orders import lookup, order_events, receipt_mail
from payments.core import money, states
from payments.core.reasons import MoveReason, ReasonCode
from payments.ledger import recipes
from payments.providers import ports

log = structlog.get_logger(__name__)
NOTHING = Decimal(0)
Status = Order.Status
Reason = UnmatchedFunds.Reason


@dataclass(frozen=True, slots=True)
class _Arrival:
    """Money that counts towards the order.

    before      what the order had before, in its currency.
    worth       what the money adds to the order, in the order's currency.
    amount      what came since the last time, in the charge's currency.
    applied_by  the operator who applied money that is in suspense already; else None.
    """

    order: Order
    charge: Charge
    update: ports.ChargeUpdate
    now: datetime
    before: Decimal
    worth: Decimal
    amount: Decimal = NOTHING
    applied_by: str | None = None

    @property
    def excess(self) -> Decimal:
        return self.before + self.worth - self.order.amount

    @property
    def conversion(self) -> recipes.Conversion | None:
        """The coins and their average rate.

        Some coins may have their quote and others their price.
        """
        if self.charge.currency == self.order.currency:
            return None
        rate = self.worth / self.amount
        return recipes.Conversion(currency=self.charge.currency, amount=self.amount, rate=rate)


def receive(order: Order, charge: Charge, update: ports.ChargeUpdate, now: datetime) -> None:
    arrived = update.received - charge.received
    if order.is_final:
        reason = Reason.SECOND_SUCCESS if order.status == Status.COMPLETED else Reason.LATE
        _record(charge, update, now)
        unmatched_funds.receive(_unmatched(charge, update, arrived, reason), now)
        confirmation.record(order, charge, update, now)
        return
    value = coin_values.value_of(order, charge, update.received, now)
    if value.unpriced:
        # The money must be posted even without a current price.
        log.error("charge.without_rate", charge=charge.pk, currency=charge.currency)
        if value.worth == 0:
            _record(charge, update, now)
            unmatched_funds.receive(_unmatched(charge, update, arrived, Reason.RATE), now)
            return
        unmatched_funds.receive(_unmatched(charge, update, value.unpriced, Reason.RATE), now)
    if value.worth == 0:
        return  # less than the smallest unit of the order; it counts with the next arrival
    before = lookup.credited_so_far(order)
    charge.credited, charge.worth = charge.credited + value.worth, value.total
    _credit(_Arrival(order, charge, update, now, before, worth=value.worth, amount=value.priced))


def apply(
    order: Order, charge: Charge, update: ports.ChargeUpdate, *, actor: str, now: datetime
) -> None:
    """Pays the order with money from suspense. `charge` represents this money."""
    before, charge.credited = lookup.credited_so_far(order), update.received
    _credit(_Arrival(order, charge, update, now, before, worth=update.received, applied_by=actor))


def receive_other_currency(charge: Charge, update: ports.ChargeUpdate, now: datetime) -> None:
    """Posts money in another currency than the charge's, without exchange.

    An operator decides about it.
    """
    _receive_for_operator(charge, update, Reason.CURRENCY, now)


def receive_at_another_account(
    charge: Charge, update: ports.ChargeUpdate, account: str, now: datetime
) -> None:
    """Posts money that came at another account than the charge's. An operator decides about it."""
    _receive_for_operator(charge, update, Reason.ACCOUNT, now, account=account)


def _receive_for_operator(
    charge: Charge, update: ports.ChargeUpdate, reason: Reason, now: datetime, account: str = ""
) -> None:
    # Rows of earlier releases name no account.
    known = charge.unmatched_funds.filter(
        currency=update.currency, reason=reason, account__in={"", account}
    )
    arrived = update.received - sum(known.values_list("amount", flat=True), NOTHING)
    if arrived > 0:
        funds = _unmatched(charge, update, arrived, reason)
        funds.currency, funds.account = update.currency, account
        unmatched_funds.receive(funds, now)
        charge.save(update_fields=["updated_at"])  # the payer's page shows it


def _unmatched(
    charge: Charge, update: ports.ChargeUpdate, amount: Decimal, reason: Reason
) -> UnmatchedFunds:
    return UnmatchedFunds(
        order=charge.order,
        charge=charge,
        amount=amount,
        currency=charge.currency,
        reason=reason,
        trace_code=update.last_trace_code or update.trace_code,
    )


def _credit(arrival: _Arrival) -> None:
    if arrival.excess >= 0:
        _settle(arrival)
    else:
        _keep_part(arrival)


def _settle(arrival: _Arrival) -> None:
    order, charge, now = arrival.order, arrival.charge, arrival.now
    before, worth, by = arrival.before, arrival.worth, arrival.applied_by
    _record(charge, arrival.update, now, is_whole=True)
    states.move(
        order,
        Status.COMPLETED,
        now=now,
        actor=by or charge.provider,
        reason=arrival.update.reason if by else MoveReason(ReasonCode.PAID, charge.method),
        paid_at=now,
        selected_method=charge.method,
        settled_by=charge,
        expire_check_at=None,
        **payer_documents.from_payment(order, charge),
    )
    if arrival.excess > 0:
        funds = _unmatched(charge, arrival.update, arrival.excess, Reason.EXCESS)
        funds.currency = order.currency
        unmatched_funds.queue(funds, now)
    order_events.publish_completed(order=order, now=now)
    confirmation.record(order, charge, arrival.update, now)
    receipt_mail.send_if_wanted(order, charge)
    # Balances are locked last, because all orders of the merchant wait for this lock.
    recipes.collect_settled(
        recipes.SettledOrder(
            merchant_id=order.merchant_id,
            order_id=order.pk,
            charge_id=charge.pk,
            rail=charge.method,
            account=charge.provider,
            currency=money.balance_currency(order.currency),
            base=order.amount if order.base_amount is None else order.base_amount,
            fee=order.fee_amount or NOTHING,
            received_now=NOTHING if by else worth,
            received_before=before + worth if by else before,
            excess=arrival.excess,
            conversion=arrival.conversion,
        ),
        now=now,
    )


def _keep_part(arrival: _Arrival) -> None:
    """Posts a part of the amount. The order waits for the rest (docs/gaps.md, Orders)."""
    order, charge, now = arrival.order, arrival.charge, arrival.now
    _record(charge, arrival.update, now)
    # A payer at the bank, or a coin on its way, keeps the order PROCESSING.
    if order.status != Status.WAITING_TRANSFER and not Charge.objects.holding(order).exists():
        states.move(
            order,
            Status.WAITING_TRANSFER,
            now=now,
            actor=arrival.applied_by or charge.provider,
            reason=MoveReason(ReasonCode.PART_ARRIVED),
            selected_method=charge.method,
        )
    if arrival.applied_by:
        return  # the money is in suspense already
    recipes.deposit_received(
        recipes.ReceivedFunds(
            merchant_id=order.merchant_id,
            order_id=order.pk,
            charge_id=charge.pk,
            rail=charge.method,
            account=charge.provider,
            currency=money.balance_currency(order.currency),
            amount=arrival.worth,
            conversion=arrival.conversion,
            idempotency_key=f"{charge.pk}:{money.text(charge.received)}",
        ),
        now=now,
    )


def _record(
    charge: Charge, update: ports.ChargeUpdate, now: datetime, *, is_whole: bool = False
) -> None:
    """Saves the money that arrived. With the whole amount the charge is SUCCEEDED.

    With a part it is RECEIVED, and the rail is queried again.
    """
    charge.received = update.received
    is_whole = is_whole or charge.received >= charge.amount
    status = Charge.Status.SUCCEEDED if is_whole else Charge.Status.RECEIVED
    if is_whole:
        charge.unconfirmed, charge.reconcile_at = NOTHING, None
    elif charge.reconcile_at is None:
        charge.reconcile_at = now
    names = ["received", "credited", "worth", "unconfirmed", "reconcile_at"]
    if charge.status in (status, Charge.Status.SUCCEEDED):
        charge.save(update_fields=[*names, "updated_at"])
        return
    changes = {name: getattr(charge, name) for name in names}
    states.move(charge, status, now=now, actor=charge.provider, reason=update.reason, **changes)
