"""What coins are worth that a rail has received: their quote, or their price when they arrive.

A quote is a promise to a payer who sends in time. It holds for as many coins as were seen by its
end, and at most for the amount due. Every other coin is worth its price at its arrival. A rail
reports only totals, so coins are counted from the first one received: `received` up to what was
seen in time is at the quote. A part is valued when it is booked and never again.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal, localcontext

from payments.collect.models import Charge, Order
from payments.core import money
from payments.providers import ports
from payments.rates import services as rates

NOTHING = Decimal(0)
# What `record_seen` changes.
FIELDS = ("in_time_received", "in_time_seen", "in_time_at", "late_seen")


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """What arrived since the last time.

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
    """Keeps how much was seen in time. The caller saves FIELDS.

    The order in which updates arrive makes no difference, and repeats change nothing. Final money
    that was seen in time stays. Of what was not final the newest update from before the quote's end
    counts, and less than that if a later update reports less.
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
    """How many coins the quote holds for."""
    left = charge.in_time_seen
    if charge.late_seen is not None:
        left = min(left, charge.late_seen)
    return max(left, charge.in_time_received)


def value_of(order: Order, charge: Charge, received: Decimal, now: datetime) -> Value:
    """What has arrived since the last time. `received` is the new total, after `record_seen`."""
    arrived = received - charge.received
    if charge.currency == order.currency:
        return Value(priced=arrived, worth=arrived, total=charge.worth)
    quoted = max(min(received, seen_in_time(charge)) - charge.received, NOTHING)
    unpriced = arrived - quoted
    with localcontext(rates.EXACT):
        # What an earlier release booked has no `worth`.
        total = max(charge.worth, charge.credited)
        total += _at_quote(charge, charge.received + quoted) - _at_quote(charge, charge.received)
        if unpriced and (worth := _at_price(order, charge, unpriced, now)) is not None:
            total += worth
            unpriced = NOTHING
        worth = max(_rounded(order, charge, total) - charge.credited, NOTHING)
    return Value(priced=arrived - unpriced, worth=worth, total=total, unpriced=unpriced)


def _rounded(order: Order, charge: Charge, total: Decimal) -> Decimal:
    """Down, over all parts together. What the quote was for may have cents: it is not rounded."""
    rounded = money.quantize_down(total, order.currency)
    return max(rounded, charge.covers) if total >= charge.covers else rounded


def _at_quote(charge: Charge, coins: Decimal) -> Decimal:
    """What the first `coins` of the charge pay for by its quote: the whole quote is the whole."""
    if coins >= charge.amount:
        return charge.covers
    return rates.share(total=charge.covers, part=coins, whole=charge.amount)


def _at_price(order: Order, charge: Charge, coins: Decimal, now: datetime) -> Decimal | None:
    """What `coins` are worth now; None if that is unknown, or more than our books can hold."""
    try:
        worth = rates.value(
            amount=coins, currency=charge.currency, in_currency=order.currency, now=now
        )
    except rates.StaleRate:
        return None
    return worth if worth <= ports.MAX_AMOUNT else None


def _adopt(charge: Charge, limit: datetime) -> None:
    """A charge of an earlier release, which kept one timestamp for the whole quote.

    What it had seen by then and was on its way keeps the quote; what comes later does not. Such a
    release may still run for a while beside this one.
    """
    if charge.in_time_at is not None or charge.seen_at is None or charge.seen_at > limit:
        return
    charge.in_time_at = charge.seen_at
    charge.in_time_received = min(charge.received, charge.amount)
    charge.in_time_seen = min(charge.received + charge.unconfirmed, charge.amount)
