"""Exchange rates: set one, value an amount, quote a price for a while.

A rate is pesos for one coin; two coins are exchanged through the peso. COP and COPM are one
currency here.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_DOWN, Context, Decimal

from django.conf import settings
from django.db import transaction

from payments.core import audit, money
from payments.core.errors import Unavailable
from payments.rates.models import ExchangeRate, Quote

# Prices of the demonstration, in COP. An operator replaces them; production refuses old ones.
DEFAULT_PRICES_COP = {
    "USDT": Decimal("3950"),
    "USDC": Decimal("3950"),
    "BTC": Decimal("395000000"),
    "ETH": Decimal("13800000"),
}
DEFAULT_SOURCE = "default"
# 18 places after the point and as many before it: more than the 28 of the default context.
EXACT = Context(prec=60)
_RATE_QUANTUM = Decimal(1).scaleb(-18)


@dataclass(frozen=True, slots=True)
class PayoutQuote:
    """What a payout in pesos costs in another currency.

    `rate` is how many pesos one unit of it pays; `spread`, our part of the price, is in it already.
    """

    debit: Decimal
    rate: Decimal
    spread: Decimal


class StaleRate(Unavailable):
    """503: there is no rate for the currency, or it is older than RATE_MAX_AGE_SECONDS."""

    message = "There is no current exchange rate for this currency. Try again later."

    def __init__(self) -> None:
        super().__init__(retry_after_seconds=60)


@transaction.atomic
def set_rate(rate: ExchangeRate, *, actor: str, reason: str = "") -> ExchangeRate:
    """Adds the rate, with an audit row. Raises ValidationError."""
    rate.full_clean()
    rate.save(force_insert=True)
    audit.record(
        actor=actor,
        action="exchange_rate.set",
        subject=rate,
        reason=reason,
        currency=rate.currency,
        price_cop=money.text(rate.price_cop),
    )
    return rate


@transaction.atomic
def load_default_rates(*, now: datetime) -> int:
    """Prices the coins without one; returns how many. In production an operator sets the prices."""
    if not settings.SANDBOX:
        return 0
    priced = set(ExchangeRate.objects.values_list("currency", flat=True).distinct())
    missing = [coin for coin in DEFAULT_PRICES_COP if coin not in priced]
    for coin in missing:
        rate = ExchangeRate(
            currency=coin,
            price_cop=DEFAULT_PRICES_COP[coin],
            source=DEFAULT_SOURCE,
            effective_at=now,
        )
        set_rate(rate, actor="load_catalogues")
    return len(missing)


def quote(*, amount: Decimal, currency: str, pay_with: str, now: datetime) -> Quote:
    """What a payer must send in `pay_with` for `amount` of `currency` (order currencies).

    Holds for QUOTE_LIFETIME_SECONDS. Rounded up to the quantum of `pay_with`, else we would be
    short. Raises StaleRate.
    """
    spread = Decimal(0) if _is_same(currency, pay_with) else settings.CRYPTO_SPREAD
    rate = _rate(pay_with, currency, now=now, spread=spread)
    return Quote.objects.create(
        base_currency=currency,
        counter_currency=pay_with,
        amount_out=amount,
        amount_in=money.quantize_up(EXACT.divide(amount, rate), pay_with),
        rate=rate,
        spread=spread,
        created_at=now,
        expires_at=now + timedelta(seconds=settings.QUOTE_LIFETIME_SECONDS),
    )


def payout_quote(*, amount_cop: Decimal, currency: str = "USDT", now: datetime) -> PayoutQuote:
    """What must leave a balance in `currency` to pay `amount_cop`, fee included, now.

    Rounded up to the quantum of `currency`, else we would be short. Raises StaleRate.
    """
    spread = settings.PAYOUT_SPREAD
    rate = _rate(currency, money.FIAT, now=now, spread=spread)
    debit = money.quantize_up(EXACT.divide(amount_cop, rate), currency)
    return PayoutQuote(debit=debit, rate=rate, spread=spread)


def value(*, amount: Decimal, currency: str, in_currency: str, now: datetime) -> Decimal:
    """What a payer's `amount` of `currency` is worth now in `in_currency`.

    Less CRYPTO_SPREAD, unless they are the same. To 18 places, rounded down: the caller rounds what
    it books. Raises StaleRate.
    """
    spread = Decimal(0) if _is_same(currency, in_currency) else settings.CRYPTO_SPREAD
    return _places(EXACT.multiply(amount, _rate(currency, in_currency, now=now, spread=spread)))


def share(*, total: Decimal, part: Decimal, whole: Decimal) -> Decimal:
    """`part` of `whole` is worth so much of `total`, to 18 places, rounded down."""
    return _places(EXACT.divide(EXACT.multiply(total, part), whole))


def _rate(
    currency: str, in_currency: str, *, now: datetime, spread: Decimal = Decimal(0)
) -> Decimal:
    """What one `currency` buys of `in_currency`, less the spread."""
    if _is_same(currency, in_currency):
        return Decimal(1)
    plain = EXACT.divide(_price_cop(currency, now), _price_cop(in_currency, now))
    # Down: the last of 18 places goes to the side that gives the coin's value.
    return _places(EXACT.multiply(plain, 1 - spread))


def _places(amount: Decimal) -> Decimal:
    return amount.quantize(_RATE_QUANTUM, rounding=ROUND_DOWN, context=EXACT)


def _price_cop(currency: str, now: datetime) -> Decimal:
    if _is_same(currency, money.FIAT):
        return Decimal(1)
    rates = ExchangeRate.objects.filter(currency=currency, effective_at__lte=now)
    newest = rates.order_by("-effective_at", "-id").first()
    if newest is None or _is_stale(newest, now):
        raise StaleRate
    return newest.price_cop


def _is_stale(rate: ExchangeRate, now: datetime) -> bool:
    limit = settings.RATE_MAX_AGE_SECONDS  # 0: no limit
    return bool(limit) and now - rate.effective_at > timedelta(seconds=limit)


def _is_same(one: str, other: str) -> bool:
    return money.balance_currency(one) == money.balance_currency(other)
