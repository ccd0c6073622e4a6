"""Exchange rates: set one, value an amount, quote a price for a limited time.

A rate is pesos for one coin; two coins are exchanged through the peso. The price for which a coin
is sold may be below the one for which it is bought (`ask_cop`). COP and COPM are one
currency here.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_DOWN, Context, Decimal

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from payments.core import audit, money
from payments.core.errors import Unavailable
from payments.rates.models import ExchangeRate, Quote

# Prices for the sandbox, in COP. In production an operator sets them, and old ones are refused.
DEFAULT_PRICES_COP = {
    "USDT": Decimal("3950"),
    "USDC": Decimal("3950"),
    "BTC": Decimal("395000000"),
    "ETH": Decimal("13800000"),
}
# The source of the prices of load_catalogues.
DEFAULT_SOURCE = "default"
# Rates have 18 places after the point and 18 before it: more than the default context's 28.
EXACT = Context(prec=60)
_RATE_QUANTUM = Decimal(1).scaleb(-18)


@dataclass(frozen=True, slots=True)
class PayoutQuote:
    """What a payout in pesos costs in another currency.

    `rate` is how many pesos one unit of it pays, with `spread`, our part of the price, subtracted.
    """

    debit: Decimal
    rate: Decimal
    spread: Decimal


@dataclass(frozen=True, slots=True)
class Offer:
    """What a payer would send now. `rate` is as in Quote, None where nothing is exchanged."""

    amount: Decimal
    rate: Decimal | None


@dataclass(frozen=True, slots=True)
class CoinsForPesos:
    """`rate` is how many pesos one coin costs."""

    amount: Decimal
    rate: Decimal


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
    price = {"currency": rate.currency, "price_cop": money.text(rate.price_cop)}
    if rate.ask_cop is not None:
        price["ask_cop"] = money.text(rate.ask_cop)
    audit.record(actor=actor, action="exchange_rate.set", subject=rate, reason=reason, **price)
    return rate


@transaction.atomic
def load_default_rates(*, now: datetime) -> int:
    """Sets the missing prices; returns how many. In production an operator sets all of them."""
    if not settings.SANDBOX:
        return 0
    priced = set(ExchangeRate.objects.values_list("currency", flat=True).distinct())
    missing = [coin for coin in DEFAULT_PRICES_COP if coin not in priced]
    for coin in missing:
        rate = ExchangeRate(currency=coin, source=DEFAULT_SOURCE, effective_at=now)
        rate.price_cop = DEFAULT_PRICES_COP[coin]
        set_rate(rate, actor="load_catalogues")
    return len(missing)


def quote(*, amount: Decimal, currency: str, pay_with: str, now: datetime) -> Quote:
    """What a payer must send in `pay_with` for `amount` of `currency` (order currencies).

    It is valid for QUOTE_LIFETIME_SECONDS, and rounded up to the quantum of `pay_with`, so that we
    get no less than `amount`. Raises StaleRate.
    """
    spread = Decimal(0) if _is_same(currency, pay_with) else settings.CRYPTO_SPREAD
    rate = _rate(pay_with, currency, now=now, spread=spread)
    return Quote.objects.create(
        base_currency=currency,
        counter_currency=pay_with,
        amount_out=amount,
        amount_in=_amount_in(amount, rate, pay_with),
        rate=rate,
        spread=spread,
        created_at=now,
        expires_at=now + timedelta(seconds=settings.QUOTE_LIFETIME_SECONDS),
    )


def offers(
    *, amount: Decimal, currency: str, pay_with: Collection[str], now: datetime
) -> dict[str, Offer]:
    """What `quote` would say for each of the coins, in one query and without a quote.

    Coins without a current rate are left out.
    """
    rates = _current_rates({*pay_with, currency}, now)
    found = {}
    for coin in pay_with:
        if _is_same(coin, currency):
            found[coin] = Offer(amount, None)
        elif coin in rates and currency in rates:
            rate = _exchanged(rates[coin], rates[currency], settings.CRYPTO_SPREAD)
            found[coin] = Offer(_amount_in(amount, rate, coin), rate)
    return found


def quoted_rate(quote_id: str) -> Decimal | None:
    """None for an unknown quote."""
    return Quote.objects.filter(pk=quote_id).values_list("rate", flat=True).first()


def payout_quote(*, amount_cop: Decimal, currency: str = "USDT", now: datetime) -> PayoutQuote:
    """The debit of a balance in `currency` that pays `amount_cop`, fee included, now.

    Rounded up to the quantum of `currency`. Raises StaleRate.
    """
    spread = settings.PAYOUT_SPREAD
    rate = _rate(currency, money.FIAT, now=now, spread=spread)
    debit = money.quantize_up(EXACT.divide(amount_cop, rate), currency)
    return PayoutQuote(debit=debit, rate=rate, spread=spread)


def value(*, amount: Decimal, currency: str, in_currency: str, now: datetime) -> Decimal:
    """What a payer's `amount` of `currency` is worth now in `in_currency`, less CRYPTO_SPREAD.

    Without spread if both are the same. Rounded down to 18 places; the caller rounds what it posts.
    Raises StaleRate.
    """
    spread = Decimal(0) if _is_same(currency, in_currency) else settings.CRYPTO_SPREAD
    return _places(EXACT.multiply(amount, _rate(currency, in_currency, now=now, spread=spread)))


def coins_for(*, amount_cop: Decimal, coin: str, now: datetime) -> CoinsForPesos:
    """The coins that `amount_cop` buys now, at the price for which a coin is bought.

    Without a spread, because no payer can wait for a better price. Rounded down to the quantum of
    the coin. Raises StaleRate.
    """
    newest = _newest(coin, now)
    rate = newest.ask_cop or newest.price_cop
    return CoinsForPesos(
        amount=money.quantize_down(EXACT.divide(amount_cop, rate), coin), rate=rate
    )


def newest_rate(currency: str, *, now: datetime) -> ExchangeRate | None:
    """The one that counts now, however old it is."""
    return _history(currency, now).first()


def share(*, total: Decimal, part: Decimal, whole: Decimal) -> Decimal:
    """total * part / whole, to 18 places, rounded down."""
    return _places(EXACT.divide(EXACT.multiply(total, part), whole))


def _rate(
    currency: str, in_currency: str, *, now: datetime, spread: Decimal = Decimal(0)
) -> Decimal:
    """What one `currency` buys of `in_currency`, less the spread."""
    if _is_same(currency, in_currency):
        return Decimal(1)
    return _exchanged(_newest(currency, now), _newest(in_currency, now), spread)


def _exchanged(sold: ExchangeRate, bought: ExchangeRate, spread: Decimal) -> Decimal:
    """What comes in is sold, and what the service then owes is bought."""
    plain = EXACT.divide(sold.price_cop, bought.ask_cop or bought.price_cop)
    # Rounded down: the service keeps the part below the 18th decimal.
    return _places(EXACT.multiply(plain, 1 - spread))


def _amount_in(amount: Decimal, rate: Decimal, pay_with: str) -> Decimal:
    return money.quantize_up(EXACT.divide(amount, rate), pay_with)


def _places(amount: Decimal) -> Decimal:
    return amount.quantize(_RATE_QUANTUM, rounding=ROUND_DOWN, context=EXACT)


def _newest(currency: str, now: datetime) -> ExchangeRate:
    found = _current_rates({currency}, now)
    if currency not in found:
        raise StaleRate
    return found[currency]


def _current_rates(currencies: Collection[str], now: datetime) -> dict[str, ExchangeRate]:
    """By currency, without those that are too old. At most one query."""
    known = {one for one in currencies if _is_same(one, money.FIAT)}
    found = {one: ExchangeRate(currency=one, price_cop=Decimal(1)) for one in known}
    # Each part reads one row of an index. DISTINCT ON would read the history of every coin.
    parts = [_history(one, now)[:1] for one in sorted({*currencies} - known)]
    newest = parts[0].union(*parts[1:], all=True) if parts else ()
    return found | {one.currency: one for one in newest if not is_stale(one, now)}


def _history(currency: str, now: datetime) -> QuerySet[ExchangeRate]:
    rates = ExchangeRate.objects.filter(currency=currency, effective_at__lte=now)
    return rates.order_by("-effective_at", "-id")


def is_stale(rate: ExchangeRate, now: datetime) -> bool:
    limit = settings.RATE_MAX_AGE_SECONDS  # 0: no limit
    return bool(limit) and now - rate.effective_at > timedelta(seconds=limit)


def _is_same(one: str, other: str) -> bool:
    return money.balance_currency(one) == money.balance_currency(other)
