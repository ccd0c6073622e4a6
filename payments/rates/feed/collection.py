"""Asks all sources at once, with one deadline for all of them."""

import time
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

import structlog
from django.conf import settings

from payments.core import money
from payments.providers import http
from payments.rates.feed.choice import Answer
from payments.rates.reasons import Reason, Refused
from payments.rates.services import EXACT
from payments.rates.sources import READERS, TRM
from payments.rates.sources.ticker import WHOLE_DIGITS, Ticker

log = structlog.get_logger(__name__)
_QUANTUM = Decimal(1).scaleb(-money.DECIMAL_PLACES)
# A source and a pair. A price in pesos is the product of one or two.
Leg = tuple[str, str]
_TRM_LEG: Leg = (TRM, "")


@dataclass(frozen=True, slots=True)
class Collected:
    """`of_coins` has, for each coin, what each source said."""

    of_coins: Mapping[str, Mapping[str, Answer | Refused]]
    trm: Decimal | None


def collect(coins: Collection[str], *, now: datetime) -> Collected:
    """Calls the sources of settings.RATE_SOURCES. Takes RATE_SOURCE_TIMEOUT_SECONDS at most."""
    wanted = {coin: _legs_of(coin) for coin in coins}
    legs = {leg for by_source in wanted.values() for legs in by_source.values() for leg in legs}
    if TRM in settings.RATE_SOURCES:
        legs.add(_TRM_LEG)
    read = _read_all(sorted(legs))
    trm = read.get(_TRM_LEG) if TRM in settings.RATE_SOURCES else None
    return Collected(
        {
            coin: {
                source: _multiply(source, [read[leg] for leg in legs], legs, now)
                for source, legs in by_source.items()
            }
            for coin, by_source in wanted.items()
        },
        trm.bid if isinstance(trm, Ticker) else None,
    )


def coins_with_sources() -> list[str]:
    names = settings.RATE_SOURCES
    return sorted({coin for name in names for coin in settings.RATE_SOURCE_PAIRS.get(name, {})})


def _legs_of(coin: str) -> dict[str, list[Leg]]:
    found = {}
    for source in settings.RATE_SOURCES:
        if pairs := settings.RATE_SOURCE_PAIRS.get(source, {}).get(coin):
            found[source] = [
                _TRM_LEG if pair == TRM else (source, pair) for pair in pairs.split("*")
            ]
    return found


def _read_all(legs: list[Leg]) -> dict[Leg, Ticker | Refused]:
    ends = time.monotonic() + settings.RATE_SOURCE_TIMEOUT_SECONDS
    with ThreadPoolExecutor(max_workers=max(len(legs), 1), thread_name_prefix="rates") as pool:
        return dict(zip(legs, pool.map(lambda leg: _read(leg, ends), legs), strict=True))


def _read(leg: Leg, ends: float) -> Ticker | Refused:
    source, pair = leg
    try:
        with http.limited_to(ends - time.monotonic()):
            return READERS[source](settings.RATE_SOURCE_URLS[source].rstrip("/"), pair)
    except Refused as refused:
        return refused
    except Exception as error:  # a defect of one source does not stop the others
        log.exception("rates.source_broke", source=source, pair=pair)
        return Refused(Reason.UNREADABLE, type(error).__name__)


def _multiply(
    source: str, read: list[Ticker | Refused], legs: list[Leg], now: datetime
) -> Answer | Refused:
    """The pair whose time is furthest from now gives the time."""
    bid = ask = Decimal(1)
    for ticker in read:
        if isinstance(ticker, Refused):
            return ticker
        bid, ask = EXACT.multiply(bid, ticker.bid), EXACT.multiply(ask, ticker.ask)
    times = [ticker.at for ticker in read if isinstance(ticker, Ticker) and ticker.at]
    at = max(times, key=lambda at: abs(at - now), default=now)
    bid = bid.quantize(_QUANTUM, ROUND_FLOOR, EXACT)
    ask = ask.quantize(_QUANTUM, ROUND_CEILING, EXACT)
    if bid <= 0 or ask.adjusted() >= WHOLE_DIGITS:
        return Refused(Reason.INVALID_PRICE, "too many digits")
    return Answer(source=source, bid=bid, ask=ask, at=at, rests_on_trm=_TRM_LEG in legs)
