"""The value of the coins that a rail has received: at the quote, or at the price at arrival.

The quote applies to coins that were seen before it ended, at most for the amount due. Every other
coin has its price at arrival. A rail reports only totals. So the quote applies to the first coins,
up to the number that was seen in time. A part is valued once, when it is posted.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal, localcontext

from payments.collect.models import Charge, Order
from payments.core import money
from payments.providers import ports
from payments.rates import services as rates

NOTHING = Decimal(0)
# The fields that `record_seen` sets.
FIELDS = ("in_time_received", "in_time_seen", "in_time_at", "late_seen")


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """New coins since the last posting.

    priced    the part of it that has a price, in the charge's currency.
    worth     what that part adds to the order, in the order's currency, rounded down.
    total     `Charge.worth` once this is booked.
    unpriced  the part without a current price.
    """

    priced: Decimal
    worth: Decimal
    total: Decimal
    unpriced: Decimal = NOTHING


def record_seen(charge: Charge, update: ports.ChargeUpdate) -> None:
    """Records how many coins were seen before the quote's end. The caller saves FIELDS.

    Updates may arrive in any order and more than once. Coins that were final in time always count.
    Of the others, the newest update before the quote's end counts, or a smaller number that a later
    update reports.
    """
    limit = charge.quote_expires_at
    if limit is None:
        return
    _adopt(charge, limit)
    seen = min(update.received + update.unconfirmed, charge.amount)
    if update.occurred_at > limit:
        charge.late_seen = seen if charge.late_seen is None else min(charge.late_seen, seen)
        return
    charge.in_time_received = max(charge.in_time_received, min(update.received, charge.amount))
    if charge.in_time_at is None or update.occurred_at >= charge.in_time_at:
        charge.in_time_seen, charge.in_time_at = seen, update.occurred_at


def seen_in_time(charge: Charge) -> Decimal:
    """How many coins are valued at the quote."""
    left = charge.in_time_seen
    if charge.late_seen is not None:
        left = min(left, charge.late_seen)
    return max(left, charge.in_time_received)


def value_of(order: Order, charge: Charge, received: Decimal, now: datetime) -> Value:
    """The value of the coins that arrived since the last posting. `received` is the new total.

    Call `record_seen` first.
    """
    arrived = received - charge.received
    if charge.currency == order.currency:
        return Value(priced=arrived, worth=arrived, total=charge.worth)
    quoted = max(min(received, seen_in_time(charge)) - charge.received, NOTHING)
    unpriced = arrived - quoted
    with localcontext(rates.EXACT):
        # Charges of earlier releases have no `worth`.
        total = max(charge.worth, charge.credited)
        total += _at_quote(charge, charge.received + quoted) - _at_quote(charge, charge.received)
        if unpriced and (worth := _at_price(order, charge, unpriced, now)) is not None:
            total += worth
            unpriced = NOTHING
        worth = max(_rounded(order, charge, total) - charge.credited, NOTHING)
    return Value(priced=arrived - unpriced, worth=worth, total=total, unpriced=unpriced)


def _rounded(order: Order, charge: Charge, total: Decimal) -> Decimal:
    """Rounds the sum of all parts down.

    The amount that the quote covers may have cents and stays exact.
    """
    rounded = money.quantize_down(total, order.currency)
    return max(rounded, charge.covers) if total >= charge.covers else rounded


def _at_quote(charge: Charge, coins: Decimal) -> Decimal:
    """The value of the first `coins` at the quote.

    All coins together have the amount that the quote covers.
    """
    if coins >= charge.amount:
        return charge.covers
    return rates.share(total=charge.covers, part=coins, whole=charge.amount)


def _at_price(order: Order, charge: Charge, coins: Decimal, now: datetime) -> Decimal | None:
    """The present value of `coins`. None without a rate, or above the maximum of the ledger."""
    try:
        worth = rates.value(
            amount=coins, currency=charge.currency, in_currency=order.currency, now=now
        )
    except rates.StaleRate:
        return None
    return worth if worth <= ports.MAX_AMOUNT else None


def _adopt(charge: Charge, limit: datetime) -> None:
    """Fills the fields of a charge that an earlier release created, with one timestamp for the
    whole quote.

    Coins that were seen by then keep the quote; later ones do not. The earlier release may still
    run beside this one.
    """
    if charge.in_time_at is not None or charge.seen_at is None or charge.seen_at > limit:
        return
    charge.in_time_at = charge.seen_at
    charge.in_time_received = min(charge.received, charge.amount)
    charge.in_time_seen = min(charge.received + charge.unconfirmed, charge.amount)
